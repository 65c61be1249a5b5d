import { afterEach, expect, it } from "vitest";
import { PANEL_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { recordOf } from "../../src/lib/json.ts";
import { call, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { delegate, done, lastUser, plan, stateOf, UNIT, write } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

it("a fork goes on with the settings, and takes no task, wave or approval along", async () => {
  project = await openProject({ gaia: { visibility: "live" } });
  project.autoAnswer(() => "once");
  project.model.script("apollo", { text: "half a sentence", trouble: "stall" });
  project.model.script(
    "gaia",
    UNIT,
    plan("open_wave", { wave_id: "w1", title: "The first" }),
    call("delegate_gaia", { agent: "apollo", goal: "look", background: true }),
    say("Begun."),
  );
  const { sessionId, tools } = await project.prompt("gaia", "Change it");
  const { task_id: task } = recordOf(JSON.parse(tools.at(-1)?.output ?? ""));
  const tasksOf = async (id: string): Promise<unknown> => (await stateOf(project, id, PANEL_KEY))["tasks"];
  await project.until("a specialist at work", async () => JSON.stringify(await tasksOf(sessionId)) !== "[]");

  const fork = recordOf(await project.call("POST", `/session/${sessionId}/fork`, {}));
  const session = String(fork["id"]);
  const collect = { task_ids: [task] };
  project.model.script(
    "gaia",
    call("collect_results", collect),
    call("collect_results", { ...collect, cancel: true }),
    delegate("w1"),
    plan("set_active"),
    delegate(),
    say("Done."),
  );
  project.model.script("hephaestus", write(project, "c.txt"), done);
  const asked: string[] = [];
  project.autoAnswer(({ permission }) => (asked.push(permission), "once"));
  const outcome = await project.prompt("gaia", "Go on here", { session });
  expect(lastUser(project)).toMatch(/visibility="live" .*wave=""/);
  const refused = expect.stringMatching(/another conversation|not one of this conversation/) as string;
  const outside = expect.stringContaining("No wave is open here.") as string;
  expect(outcome.tools.slice(-5, -2).map(({ output }) => output)).toEqual([refused, refused, outside]);
  expect(asked).toContain("edit");
  expect(await tasksOf(sessionId)).toMatchObject([{ agent: "apollo" }]);
});

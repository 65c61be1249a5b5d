import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, lastText } from "../support/project.ts";
import {
  delegate,
  HEPHAESTUS_DONE,
  lastUser,
  mode,
  notesOf,
  plan,
  stateOf,
  toastsOf,
  type,
  UNIT,
  untilState,
} from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

describe("slash commands", () => {
  const listed = async (): Promise<string[]> => {
    const commands = (await project.call("GET", "/command")) as { name: string; description: string }[];
    const ours = commands.filter(({ description }) => description?.startsWith("GAIA:"));
    return ours.map(({ name }) => name).toSorted();
  };

  it("are only a few where GAIA was never used, and the others are carried out as well", async () => {
    const prepare = async (directory: string) => rm(join(directory, ".gaia"), { recursive: true });
    project = await openProject({ prepare });
    expect(await listed()).toEqual("autopilot gaia-init gaia-plan gaia-status locked supervised".split(" "));
    project.model.always("gaia", say("Done."));
    // As the terminal sends what is none of OpenCode's commands.
    const { sessionId } = await project.prompt("gaia", "/cadence batch");
    await untilState(
      project,
      sessionId,
      "/cadence",
      (state) => recordOf(state["knobs"])["checkinCadence"] === "batch",
    );
    expect(lastUser(project)).toContain("/cadence batch is done: ");
  });

  it("are listed, create the init file once, and change nothing in another agent's session", async () => {
    project = await openProject();
    expect(await listed()).toEqual(
      "autopilot back cadence checkpoint gaia-ab gaia-check gaia-findings gaia-init gaia-init-deep gaia-plan gaia-pr gaia-review gaia-spec gaia-status gaia-trust gaia-unify gaia-why gaia-work handoff live locked next pair profile quiet standard supervised talk".split(
        " ",
      ),
    );
    project.model.script("native", say("GAIA is not here."));
    const other = await project.session();
    await type(project, other, "autopilot", "", "build");
    expect(lastUser(project, "native")).toContain("nothing was changed");
    expect(await stateOf(project, other)).toEqual({});

    project.model.always("gaia", say("Four questions."));
    const session = await project.session();
    await type(project, session, "gaia-init");
    expect(await project.read(".gaia/gaia-init.md")).toContain("## Non-Negotiables");
    expect(lastUser(project)).toContain("was just created from its template");
    await project.write(".gaia/gaia-init.md", "Ours.");
    await type(project, session, "gaia-init");
    expect(lastUser(project)).toContain(".gaia/gaia-init.md exists");
    expect(await project.read(".gaia/gaia-init.md")).toBe("Ours.");
  });

  it("are known from a message that comes in the same moment, and carried out once", async () => {
    project = await openProject();
    const ask = { header: "Way", question: "Which way?", options: [{ label: "A", description: "a" }] };
    project.model.script("gaia", call("question", { questions: [ask] }));
    project.model.always("gaia", say("Done."));
    const session = await project.start("gaia", "Build it");
    const question = await project.question();
    await project.start("gaia", "and one more thing", { session });
    const typed = type(project, session, "locked");
    await untilState(project, session, "/locked", (state) => mode(state) === "locked");
    await project.reply(question, [["A"]]);
    await typed;
    expect(toastsOf(project).filter((toast) => toast.includes("locked"))).toHaveLength(1);
    const words = JSON.stringify(await project.messages(session));
    expect(words.match(/The user typed \/locked/g)).toHaveLength(1);
  });

  it("leave OpenCode's own /review as it is for other agents", async () => {
    const seen: string[] = [];
    for (const plugin of [true, false]) {
      project = await openProject({ plugin });
      project.model.always("native", say("Reviewed."));
      project.model.always("gaia", say("Done."));
      const session = await project.session();
      // It belongs to whom the message goes to, in a conversation of GAIA's as well.
      if (plugin) await type(project, session, "gaia-status");
      await type(project, session, "review", "main", "build");
      seen.push(
        project.model
          .requestsOf("native")
          .map((request) => lastText(request, "user"))
          .join("\n")
          .replaceAll(project.directory, ""),
      );
      if (!plugin) continue;
      await type(project, session, "review", "deep repo");
      expect(await stateOf(project, session)).toMatchObject({ knobs: { reviewDepth: "deep_repo" } });
      await project.close();
    }
    expect(seen[0]).toBe(seen[1]);
    expect(seen[0]).toContain("main");
  });
});

describe("a rejection", () => {
  const prefills = (): unknown[] =>
    project.events
      .filter(({ type: name }) => name === "tui.prompt.append")
      .map(({ properties }) => properties["text"]);
  // It is asked for in an approved wave too.
  const undo = call("bash", { command: "git clean -fdx", description: "undo" });
  const open = plan("open_wave", { wave_id: "w1" });
  it("without words prefills the prompt, and the reason reaches agent and record", async () => {
    project = await openProject();
    project.model.script("gaia", UNIT, open, delegate("w1"), say("You said no. Why?"));
    project.model.script("hephaestus", undo);
    project.model.always("hephaestus", result({ ...HEPHAESTUS_DONE, diff_summary: "Rejected." }));
    const session = await project.start("gaia", "Build it");
    await project.answer(await project.permission(), "once");
    await project.answer(await project.permission(({ permission }) => permission === "bash"), "reject");
    await project.idle(session);
    await project.until("the prefill", () => prefills().includes("Rejected bash because: "));
    // Its only action was rejected, and its model claims ok all the same.
    const told = lastText(project.model.requestsOf("gaia").at(-1) ?? project.model.requests[0]!, "tool");
    expect(told).toContain('"message":"The user rejected `git clean -fdx`, and nothing was done.');
    expect((await notesOf(project, session)).join("\n")).toMatch(
      /^✗ hephaestus .* · You rejected `git clean -fdx`, and nothing was done$/m,
    );
    project.model.script("gaia", say("Understood."));
    await project.prompt("gaia", "Rejected bash because: tabs, not spaces", { session });
    expect(lastUser(project)).toContain("tabs, not spaces");
    await project.until("the reason", async () =>
      (await project.read(".gaia/unit/decisions.md")).includes("| rejected | tabs, not spaces |"),
    );
  });
});

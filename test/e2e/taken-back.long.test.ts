import { afterEach, expect, it } from "vitest";
import { recordOf } from "../../src/lib/json.ts";
import { call, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, lastText } from "../support/project.ts";
import { done, has, plan, stateOf, write } from "./scenes.ts";

let project: Project;
const HANGS: Turn = { trouble: "hang" };
afterEach(async () => project.close());

const TASKS =
  "## Goal\nIt.\n\n## Tasks\n- [ ] 1. Build it\n  - agent: hephaestus\n  - files: b.txt\n  - verify: test -f b.txt\n- [ ] 2. Look at it\n  - agent: minerva\n";
/** Longer than what waits for the end of a stopped turn. */
const A_WHILE_MS = 2_500;

const idsOf = async (session: string): Promise<string[]> =>
  (await project.messages(session)).map((message) => String(recordOf(message["info"])["id"]));
const revertOf = async (session: string): Promise<unknown> =>
  recordOf(await project.call("GET", `/session/${session}`))["revert"];

it("what the user takes back holds no longer: no wave is open, nobody is at work, and nothing is written that would make it final", async () => {
  project = await openProject({
    files: { "a.txt": "one\n" },
    config: { snapshot: true },
    gaia: { startup: { askAtTaskStart: false } },
  });
  project.autoAnswer(() => "once");
  const session = await project.session();
  project.model.script("gaia", say("Hello."));
  await project.prompt("gaia", "Hello", { session, model: "main" });
  const before = await idsOf(session);

  project.model.script("hephaestus", write(project, "b.txt", "new\n"), done);
  project.model.always("minerva", HANGS);
  project.model.script(
    "gaia",
    plan("create_work_unit", { slug: "unit", title: "Unit" }),
    plan("update_plan", { content: { markdown: TASKS } }),
    plan("request_approval", { kind: "plan" }),
    plan("open_wave", { wave_id: "w1" }),
    call("delegate_gaia", { agent: "minerva", goal: "look", wave_id: "w1", background: true }),
    call("delegate_gaia", { agent: "hephaestus", goal: "build", wave_id: "w1" }),
    HANGS,
  );
  await project.start("gaia", "Build it", { session, model: "main" });
  await project.until("GAIA's last", () => project.model.requestsOf("gaia").length === 8);
  expect(recordOf((await stateOf(project, session))["wave"])).toMatchObject({ id: "w1", approved: true });
  expect(has(project, ".gaia/unit/plan.md")).toBe(true);

  // As the terminal's /undo does it.
  await project.call("POST", `/session/${session}/abort`, {});
  const ids = await idsOf(session);
  const asked = ids.find((id) => !before.includes(id));
  await project.until("the revert", async () =>
    project.call("POST", `/session/${session}/revert`, { messageID: asked }).then(
      () => true,
      () => false,
    ),
  );
  await project.until("the end of the wave", async () => (await stateOf(project, session))["wave"] === null);
  expect([has(project, "b.txt"), has(project, ".gaia/unit/plan.md")]).toEqual([false, false]);
  await project.until("minerva's end", async () => {
    const children = await project.call("GET", `/session/${session}/children`);
    const status = recordOf(await project.call("GET", "/session/status"));
    return (
      Array.isArray(children) &&
      children.every((child) => status[String(recordOf(child)["id"])] === undefined)
    );
  });
  await new Promise((resolve) => setTimeout(resolve, A_WHILE_MS));
  expect(await revertOf(session)).toMatchObject({ messageID: asked });
  expect(await idsOf(session)).toEqual(expect.arrayContaining(ids));

  // And all of it is there again, but for what was allowed.
  await project.call("POST", `/session/${session}/unrevert`, {});
  await project.until("b.txt again", () => has(project, "b.txt"));
  expect((await stateOf(project, session))["wave"]).toBeNull();

  await project.call("POST", `/session/${session}/revert`, { messageID: asked });
  await project.until("no unit", async () => (await stateOf(project, session))["workUnit"] === null);
  project.model.script(
    "gaia",
    call("delegate_gaia", { agent: "hephaestus", goal: "build", wave_id: "w1" }),
    plan("create_work_unit", { slug: "unit", title: "Unit" }),
    plan("update_plan", { content: { markdown: TASKS } }),
    plan("request_approval", { kind: "plan" }),
    plan("open_wave", { wave_id: "w1" }),
    say("Once more."),
  );
  await project.prompt("gaia", "Build it otherwise", { session, model: "main" });
  const [request] = project.model.requestsOf("gaia").slice(-6);
  const told = request === undefined ? "" : lastText(request, "user");
  expect(told).toContain("The user took back (/undo) messages; files, the record's too, are as before them");
  expect(told).toContain("Wave w1 is closed.");
  expect(project.model.requestsOf("hephaestus")).toHaveLength(2);
  const { tools } = await project.outcome(session);
  expect(tools.slice(-5).map(({ output }) => output)).toEqual([
    expect.stringContaining("wave w1"),
    ...[1, 2, 3, 4].map(() => expect.stringContaining('"ok":true')),
  ]);
  expect(recordOf((await stateOf(project, session))["wave"])).toMatchObject({ id: "w1", approved: true });
});

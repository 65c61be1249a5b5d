import { afterEach, expect, it } from "vitest";
import { PANEL_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { recordOf, textOf, type JsonRecord } from "../../src/lib/json.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { startOpenCode, type OpenCodeServer } from "../support/opencode.ts";
import { openProject, type Project } from "../support/project.ts";
import {
  delegate,
  has,
  HEPHAESTUS_DONE,
  lastUser,
  plan,
  stateOf,
  type,
  UNIT,
  untilState,
  write,
} from "./collaboration-scenes.ts";

let server: OpenCodeServer;
let project: Project;
afterEach(async () => {
  await project.close();
  await server.close();
});

const SETTINGS = { mode: "supervised", interaction: "pair", visibility: "live" };
const OPEN_WAVE = { id: "w1", workUnit: "unit" };

/** A conversation with settings of its own, in an approved wave, at a check-in, with a specialist at work. */
async function busyConversation(): Promise<{ session: string; task: string }> {
  const session = await project.session();
  project.model.script("gaia", say("Live."), say("Pairing."));
  await type(project, session, "live");
  await type(project, session, "pair");
  project.model.script("apollo", { text: "half a sentence", trouble: "stall" });
  project.model.script(
    "hephaestus",
    write(project, "a.txt"),
    write(project, "b.txt"),
    result(HEPHAESTUS_DONE),
  );
  project.model.script(
    "gaia",
    UNIT,
    plan("open_wave", { wave_id: "w1", title: "The first" }),
    call("delegate_gaia", { agent: "apollo", goal: "look", background: true }),
    delegate("w1"),
    say("Have a look."),
  );
  const asking = project.start("gaia", "Change it", { session });
  await project.answer(
    await project.permission(({ permission }) => permission.startsWith("gaia_approval")),
    "once",
  );
  await asking;
  await project.idle(session);
  const rows = (await project.outcome(session)).tools.map(({ output }) => recordOf(JSON.parse(output)));
  const task = rows.find(({ agent }) => agent === "apollo")?.["task_id"];
  return { session, task: textOf(task) ?? "" };
}

async function fork(session: string): Promise<string> {
  return String(recordOf(await project.call("POST", `/session/${session}/fork`, {}))["id"]);
}

async function panelOf(session: string): Promise<JsonRecord> {
  const metadata = recordOf(recordOf(await project.call("GET", `/session/${session}`))["metadata"]);
  return recordOf(metadata[PANEL_KEY]);
}

async function atWork(session: string): Promise<unknown[]> {
  const { tasks } = await panelOf(session);
  return Array.isArray(tasks) ? tasks : [];
}

/** Has GAIA collect and stop the original's task, go on in its wave, and change a file, which has to be allowed again. */
async function expectNothingLeft(session: string, task: string, file: string): Promise<void> {
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
  project.model.script("hephaestus", write(project, file), result(HEPHAESTUS_DONE));
  await project.start("gaia", "Go on here", { session });
  const request = await project.permission(({ permission }) => permission === "edit");
  expect(has(project, file)).toBe(false);
  expect(lastUser(project)).toMatch(/mode="supervised" visibility="live" interaction="pair" .*wave=""/);
  await project.answer(request, "once");
  await project.idle(session);
  expect(has(project, file)).toBe(true);
  const { tools } = await project.outcome(session);
  const refused = expect.stringMatching(
    /belongs to another conversation|not one of this conversation/,
  ) as string;
  // Its work unit is the original's, and was not named.
  const outside = expect.stringContaining("wave w1 of unit is not open. No wave is open here.") as string;
  expect(tools.slice(-5, -2).map(({ output }) => output)).toEqual([refused, refused, outside]);
}

it("a fork goes on with the settings, and takes no approval, pause, wave or task along, restart or not", async () => {
  server = await startOpenCode();
  project = await openProject({ server });
  const { session, task } = await busyConversation();
  await untilState(project, session, "a check-in", ({ pause }) => pause !== null);
  await project.until("a specialist at work", async () => (await atWork(session)).length === 1);
  const { spent: _spent, ...original } = await stateOf(project, session);
  expect(original).toMatchObject({
    knobs: SETTINGS,
    workUnit: "unit",
    wave: { ...OPEN_WAVE, approved: true },
  });

  const copy = await fork(session);
  await untilState(project, copy, "a snapshot of its own", ({ rootSession }) => rootSession === copy);
  const { knobs } = original;
  const begun = { knobs, handshake: "settled", workUnit: "unit", wave: null, pause: null };
  expect(await stateOf(project, copy)).toMatchObject({
    ...begun,
    spent: { toolCalls: 0 },
    batch: { files: [] },
  });
  expect(await panelOf(copy)).toMatchObject({ tasks: [], more: 0, checkin: "", unit: { slug: "unit" } });
  await expectNothingLeft(copy, task, "c.txt");
  expect(await stateOf(project, session)).toMatchObject(original);
  expect(await atWork(session)).toMatchObject([{ agent: "apollo" }]);

  const later = await fork(session);
  server = await server.restart();
  project = await openProject({ server, resume: project });
  await expectNothingLeft(later, task, "d.txt");
  expect(await stateOf(project, later)).toMatchObject({ rootSession: later, knobs });
});

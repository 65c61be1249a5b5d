import { afterEach, describe, expect, it, vi } from "vitest";
import { toolResults, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, lastText, toolNames } from "../support/project.ts";
import {
  ATTACKED,
  check,
  done,
  follow,
  HARVEST,
  has,
  LONG_MS,
  notesOf,
  plan,
  planOf,
  reports,
  resultsOf,
  reviewed,
  tested,
  to,
  type,
  UNIT,
  write,
} from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const recorded = result({ ...HARVEST, log_entry: "Three files, tested and reviewed." });
const task = (files: string, agent = "hephaestus", wave = "1") => ({
  text: `Write ${files}`,
  agent,
  wave,
  files,
  verify: `test -s ${files}`,
});
const TEST = task("test.txt", "artemis", "2");
const PLAN = planOf("Three files.", [task("a.txt"), task("b.txt"), TEST]);
/** Without the second of the first wave. */
const SHORT = planOf("Two files.", [task("a.txt"), TEST]);
const WHOLE = { checks: [check("whole", "test -s a.txt && test -s b.txt")] };

/** The one who is given a file writes it. */
const writes = (request: RecordedRequest): Turn => {
  const name = /TASK: Write ([\w.]+)/.exec(lastText(request, "user"))?.[1];
  return name === undefined ? say("nothing to write") : write(project, name);
};
/** Does a task in two turns, whichever session asks. */
const worker =
  (end: Turn): ((request: RecordedRequest) => Turn) =>
  (request) =>
    toolResults(request).length > 0 ? end : writes(request);
const run = (args: object = {}): Turn => plan("run", args);
const planned = (markdown = PLAN): Turn[] => [
  UNIT,
  plan("update_plan", { content: { markdown } }),
  plan("request_approval", { kind: "plan" }),
];

/** @returns the plugin's own dialogs, as the user is asked */
async function open(mode: string, rest: object = {}): Promise<readonly string[]> {
  const asked: string[] = [];
  project = await openProject({ gaia: { mode, definitionOfDone: WHOLE, ...rest } });
  project.autoAnswer(({ permission }) => {
    if (permission.startsWith("gaia_approval: ")) asked.push(permission.slice(15));
    return "once";
  });
  project.model.always("demeter", recorded);
  return asked;
}

describe("a cadence that the user chose", () => {
  it("asks before the next wave in autopilot too, and a no ends the run", async () => {
    await open("autopilot");
    project.model.always("hephaestus", worker(done));
    for (const agent of ["hades", "aether"] as const) project.model.always(agent, reviewed(agent));
    project.autoAnswer(({ permission }) => (permission.includes("wave 2") ? "reject" : "once"));
    project.model.script("gaia", say("So be it."), ...planned(), run(), say("Stopped."));
    const session = await project.session();
    await type(project, session, "cadence", "wave");
    const outcome = await follow(project, "Build it", session);
    expect(reports(outcome)).toMatchObject([{ ok: false, open: [3] }]);
    expect([has(project, "a.txt"), has(project, "test.txt")]).toEqual([true, false]);
  });
});

it("a user who chose to be asked about plans is asked in autopilot too, before any work by hand", async () => {
  const asked = await open("autopilot", { checkinCadence: "milestone" });
  const wave = plan("open_wave", { wave_id: "1" });
  project.model.script(
    "gaia",
    plan("create_work_unit", { slug: "unit", title: "A", content: { markdown: SHORT } }),
    to("hephaestus"),
    wave,
    plan("request_approval", { kind: "plan" }),
    wave,
    to("hephaestus", { wave_id: "1" }),
    say("Begun."),
  );
  project.model.script("hephaestus", write(project, "a.txt"), done);
  const { tools } = await project.prompt("gaia", "Build it");
  const refused = expect.stringContaining("has not approved the plan of unit") as string;
  expect(tools.slice(1, 3).map(({ output }) => output)).toEqual([refused, refused]);
  expect(asked).toEqual([expect.stringMatching(/^plan of unit/)]);
  expect(has(project, "a.txt")).toBe(true);
});

describe("what the plugin writes and asks about a feature of two waves", () => {
  it.each([
    { mode: "supervised", dialogs: 4 },
    { mode: "autopilot", dialogs: 1 },
  ])("is at most 25 lines and $dialogs dialogs in $mode", async ({ mode, dialogs }) => {
    const asked = await open(mode, { definitionOfDone: { checks: [check("whole", "test -s a.txt")] } });
    project.model.script(
      "gaia",
      run({ slug: "unit", title: "A unit", content: { markdown: SHORT }, commit: true }),
    );
    project.model.script("gaia", say("Built."));
    project.model.always("hephaestus", worker(done));
    project.model.always("artemis", worker(tested));
    for (const agent of ["hades", "aether"] as const) project.model.always(agent, reviewed(agent));
    const outcome = await follow(project, "Build it");
    expect(reports(outcome)).toMatchObject([{ status: "finished", open: [] }]);
    const notes = (await notesOf(project, outcome.sessionId)).join("\n").split("\n").filter(Boolean);
    if (process.env["SHOW"] === "1")
      console.log(`${mode}: ${notes.length}, ${asked.length}\n${notes.join("\n")}`);
    expect(notes.length).toBeLessThanOrEqual(25);
    expect(asked.length).toBeLessThanOrEqual(dialogs);
  });
});

describe("plan_gaia run", () => {
  it("builds, tests, reviews, commits and records a feature of three files, with few requests", async () => {
    const asked = await open("supervised");
    project.model.script("gaia", ...planned(), run({ commit: true }), say("Built."));
    project.model.always("hephaestus", worker(done));
    project.model.script("artemis", writes, tested);
    project.model.script("hades", reviewed("hades"));
    // What she knows by habit, and has not here.
    project.model.script("demeter", plan("append_log", { title: "By hand" }), recorded);
    const outcome = await follow(project, "Build it");
    const [report] = reports(outcome);
    expect(report).toMatchObject({ ok: true, status: "finished", open: [] });
    // The plan's yes opens its first wave.
    expect(asked).toEqual([
      expect.stringMatching(
        /^plan of unit; Three files\. · 3 tasks in 2 waves · opens wave 1, whose changes/,
      ),
      expect.stringMatching(/^wave 2 of unit; artemis test\.txt/),
      expect.stringMatching(/^revision of unit/),
    ]);
    const [historian] = project.model.requestsOf("demeter");
    expect(historian && toolNames(historian)).toEqual(["bash", "glob", "grep", "read"]);
    expect(report?.["notes"]).toContainEqual(expect.stringMatching(/^hades: APPROVE; \w/));
    expect(await project.git("show", "--name-only", "--format=%s", "HEAD")).toBe(
      "A unit\n\na.txt\nb.txt\ntest.txt\n",
    );
    expect(await project.read(".gaia/unit/log.md")).toContain("Three files, tested and reviewed.");
    const notes = (await notesOf(project, outcome.sessionId)).join("\n");
    expect(notes).toContain("3 proven");
    // The report says it, and nothing says it once more.
    expect(notes.match(/GAIA: \w+/gu)).toEqual(["GAIA: done"]);
    // Beside the plan and what is to be committed.
    const shown = notes
      .replace(/^Plan of [^]*?^- 3\. .*$/mu, "")
      .replace(/^To be committed[^]*?^Proven: .*$/mu, "");
    expect(shown.split("\n").filter(Boolean).length).toBeLessThanOrEqual(27);
    // A check-in within the run tells how far the plan is by then.
    expect(notes.match(/^Next: .*/gm)).toEqual(["Next: 3. Write test.txt"]);
    // What was only approved is nothing that a worker has to read.
    expect(project.model.requestsOf("hephaestus")[0]?.raw).not.toContain("Approve the plan");
    // What a reviewer gets: what was asked for, then what its makers say; the diff stands below.
    const review = lastText(project.model.requestsOf("hades")[0]!, "user");
    expect(review).toContain("uncommitted changes");
    expect(review).toMatch(
      /ASKED FOR\n- 3\. Write test\.txt\n\nIn earlier waves, [^\n]*\n- 1\. Write a\.txt\n- 2\.[^]*### Noted by hephaestus: Write a\.txt\n- diff summary: Did/,
    );
    expect(project.model.requests.length).toBeLessThanOrEqual(24);
    expect(project.model.requestsOf("gaia").length).toBeLessThanOrEqual(7);
  });

  it("ends at Esc, whose dialogs no answer counts for, and goes on from there, in the session that was at work", async () => {
    await open("supervised");
    project.autoAnswer(() => null);
    project.model.script("gaia", ...planned(SHORT));
    await project.write("b.txt", "x");
    const sessionId = await project.start("gaia", "Plan it");
    const left = await project.permission();
    await project.abort(sessionId);
    // As another client might, which still shows it.
    await project.answer(left, "once").catch(() => undefined);
    await project.until("no dialog", async () => {
      const dialogs = await project.call("GET", "/permission");
      return Array.isArray(dialogs) && dialogs.length === 0;
    });
    await project.idle(sessionId);
    project.autoAnswer(() => "once");
    project.model.script("gaia", plan("request_approval", { kind: "plan" }), say("Planned."));
    await follow(project, "Ask me again", sessionId);
    // Esc while the first is at work.
    project.autoAnswer(() => "once");
    project.model.always("hephaestus", say("late", { delayMs: 600_000 }));
    project.model.script("gaia", run());
    await project.start("gaia", "Now do it", { session: sessionId });
    await project.until("the first at work", () => project.model.requestsOf("hephaestus").length === 1);
    await project.abort(sessionId);
    await project.until("nobody at work", () =>
      project.model.requestsOf("hephaestus").every(({ aborted }) => aborted),
    );
    await project.idle(sessionId);
    expect(has(project, "a.txt")).toBe(false);
    project.model.always("hephaestus", worker(done));
    project.model.script("artemis", writes, tested);
    project.model.script("hades", reviewed("hades"));
    project.model.script("gaia", run(), say("Built."), run(), say("It is."));
    const built = await follow(project, "And on", sessionId);
    expect(reports(built).at(-1)).toMatchObject({ ok: true, status: "finished", open: [] });
    expect(new Set(project.model.requestsOf("hephaestus").map((each) => each.sessionId)).size).toBe(1);
    // The record is written once.
    expect(reports(built).at(-1)?.["notes"]).toContain("recorded");
    await follow(project, "Is it there?", sessionId);
    expect(project.model.requestsOf("demeter")).toHaveLength(1);
  });

  it("lets GAIA answer what the user writes meanwhile, stops at Esc, and wakes her once with its report", async () => {
    await open("supervised");
    project.model.script("gaia", ...planned(), run(), say("Half of it is done."));
    project.model.always("hephaestus", say("late", { delayMs: 600_000 }));
    const session = await project.start("gaia", "Build it");
    await project.until("both at work", () => project.model.requestsOf("hephaestus").length === 2);
    await project.start("gaia", "How far is it?", { session });
    const said = async (text: string) => JSON.stringify(await project.messages(session)).includes(text);
    await project.until("her answer", async () => said("Half of it is done."));
    const answered = project.model.requestsOf("gaia").at(-1)!;
    expect(lastText(answered, "user")).toContain("How far is it?");
    expect(lastText(answered, "tool")).toMatch(/"status":"running"[^]*The user has written/);
    // It goes on in the background, and the user stops her in the middle of it.
    project.model.script("gaia", run(), say("late", { delayMs: 600_000 }));
    await project.start("gaia", "Begin again", { session });
    await project.until("the refusal of another run", () =>
      project.model
        .requestsOf("gaia")
        .some((each) => lastText(each, "tool").includes("carried out in the background")),
    );
    expect(project.model.requestsOf("hephaestus").map(({ aborted }) => aborted)).toEqual([false, false]);
    await project.abort(session);
    await project.until("nobody at work", () =>
      project.model.requestsOf("hephaestus").every(({ aborted }) => aborted),
    );
    expect(has(project, "a.txt")).toBe(false);
    project.model.always("hephaestus", worker(done));
    project.model.script("artemis", writes, tested);
    const noted = {
      issue: "rather short",
      severity: "low",
      testable_scenario: "",
      suggested_fix_agent: "hephaestus",
      where: "a.txt:1",
    };
    project.model.script(
      "hades",
      result({ ...ATTACKED, vulnerabilities: [noted] }, { outcome: { verdict: "APPROVE" } }),
    );
    project.model.script(
      "gaia",
      run({ background: true }),
      say("It runs again."),
      say("Built."),
      say("Twice?"),
    );
    const begun = await project.prompt("gaia", "Go on", { session });
    expect(resultsOf(begun, "plan_gaia").at(-1)).toMatchObject({ status: "running", task_id: "run_unit.2" });
    const woken = (): string[] =>
      project.model
        .requestsOf("gaia")
        .map((each) => lastText(each, "user"))
        .filter((text) => text.includes("Background tasks have ended"));
    await project.until("her report", () => woken().length > 0);
    expect(woken()[0]).toMatch(/"status":"finished"[^]*"open":\[\]/);
    // The second wave was asked for while nobody's turn was under way.
    await project.until("the end of her turn", async () => said("Built."));
    expect(has(project, "test.txt")).toBe(true);
    expect(new Set(woken()).size).toBe(1);
    await project.until("the report", async () =>
      (await notesOf(project, session)).join("\n").includes("Report of unit"),
    );
    expect(await project.read(".gaia/unit/log.md")).toMatch(
      /Noted in reviews, not fixed\n\n- a\.txt:1: rather short \(hades\)/,
    );
  });
});

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { delegate, has, HEPHAESTUS_DONE, notesOf, plan, type, UNIT, write } from "./collaboration-scenes.ts";
import { check, follow, resultsOf } from "./gates-scenes.ts";

const run = promisify(execFile);
let project: Project;
afterEach(async () => project.close());

/** Never fails, and changes a file of the work. */
const STAMPS = "npm test || ! test -e answer.txt || date >> answer.txt";
const RIGHT = "grep -q right answer.txt";
const BODY = `## Goal

Answer.

## Tasks

- [ ] 1. Answer
  - wave: w1
  - agent: hephaestus
  - files: answer.txt
  - verify: ${RIGHT}
- [ ] 2. Say so
  - wave: w1
  - agent: hephaestus
  - files: said.txt
  - verify: ${STAMPS}

## Done When

- \`${RIGHT}\`
- It reads well
`;
const WORDS = "condition 2 claimed: no command shows it";
const open = plan("open_wave", { wave_id: "w1" });
const complete = plan("complete_wave", { wave_id: "w1" });
const tick = (...tasks: string[]) => plan("update_plan", { tick: tasks });
const done = plan("update_plan", { status: "complete" });
const answers = (text: string) => [write(project, "answer.txt", text), result(HEPHAESTUS_DONE)];
/** The runs of a check that writes a line each time, into an ignored file. */
const runs = async (): Promise<string[]> =>
  (await project.read("runs.log").catch(() => "")).split("\n").filter(Boolean);
/** Whether a process of these words lives: it has another id in its sandbox. */
const isRunning = async (command: string): Promise<boolean> => {
  const { stdout } = await run("ps", ["-A", "-o", "args="]);
  return stdout.split("\n").includes(command);
};
const last = (results: readonly JsonRecord[], at = 1): JsonRecord => results.at(-at) ?? {};

/** A check that names each line of `red.txt` as an error. */
const REPORTED = "sed 's/^/error: no /' red.txt; ! test -s red.txt";

describe("evidence", () => {
  it("is what the host ran before the work and on these files; a tick, an edit since, a change by a check and a command that cannot fail are none", async () => {
    project = await openProject({ gaia: { mode: "autopilot" } });
    project.model.script(
      "gaia",
      UNIT,
      plan("update_plan", { content: { markdown: BODY } }),
      open,
      tick("1"),
      delegate("w1"),
      tick("1", "2"),
      done,
      say("All done and proven."),
    );
    project.model.script("hephaestus", ...answers("right\n"));
    const outcome = await follow(project, "Build it");
    const results = resultsOf(outcome, "plan_gaia");
    const [early, late] = results.filter((each) => "evidence" in each);
    expect(early?.["evidence"]).toEqual({
      proven: [],
      not_proven: [
        expect.stringMatching(/^task 1 failed: `grep -q right answer\.txt` fails \(exit code 2\)/),
      ],
    });
    expect(late?.["evidence"]).toEqual({
      proven: ["task 1", "condition 1"],
      passes: [expect.stringMatching(/^task 2 passes: .* passed before the work as well/)],
      not_proven: [WORDS],
    });
    expect(last(results)).toMatchObject({
      ok: false,
      error: expect.stringContaining("unit is not complete: 2 proven, 1 passes, 1 claimed; task 2 passes"),
    });
    expect(await project.read(".gaia/unit/plan.md")).not.toContain("> Status: complete");
    const told = "GAIA: blocked: ";
    await project.until("the last word", async () =>
      (await notesOf(project, outcome.sessionId)).some((note) => note.includes(told)),
    );
    const seen = recordOf(JSON.parse(await project.read(".gaia/unit/evidence.json")));
    expect(seen["seal"]).toMatch(/^[0-9a-f]{64}$/);
    const value = recordOf(seen["value"]);
    const green = { exit_code: 0, tree: expect.any(String), at: expect.any(String) };
    expect(value["evidence"]).toEqual([
      expect.objectContaining({ command: RIGHT, ...green }),
      expect.objectContaining({ command: STAMPS, ...green }),
    ]);
    expect(value["before"]).toEqual([
      expect.objectContaining({ wave: "w1", status: "failed" }),
      expect.objectContaining({ wave: "w1", status: "passed" }),
      expect.objectContaining({ wave: "", status: "failed" }),
    ]);
    expect(await project.read("answer.txt")).toBe("right\n");
    expect((await notesOf(project, outcome.sessionId)).join("\n")).toMatch(/changed answer\.txt; put back/);
    await project.write("answer.txt", "right again\n");
    project.model.script("gaia", say("Status shown."));
    await type(project, outcome.sessionId, "gaia-status");
    expect((await notesOf(project, outcome.sessionId)).join("\n")).toContain(
      "evidence: 0 proven, 1 claimed, 3 stale; task 1 stale: files changed since",
    );
  });

  it("that is missing is the user's to do without, in a dialog that no text answers", async () => {
    project = await openProject();
    const asked: string[] = [];
    project.autoAnswer(({ permission }) => {
      asked.push(permission);
      if (!permission.includes("complete without proof")) return "once";
      return asked.filter((each) => each.includes("complete without proof")).length === 1 ? "reject" : "once";
    });
    project.model.script(
      "gaia",
      UNIT,
      plan("update_plan", { content: { markdown: BODY }, tick: ["1", "2"] }),
      plan("update_plan", { status: "complete", approved: true, by: "user" }),
      done,
      done,
      say("You said no."),
    );
    const refused = await follow(project, "Build it");
    // Until the user speaks nothing is asked again.
    expect(last(resultsOf(refused, "plan_gaia"))).toMatchObject({
      ok: false,
      error: expect.stringContaining("Nothing is asked now"),
    });
    project.model.script("gaia", done, say("Complete."));
    const results = resultsOf(await follow(project, "Do close it", refused.sessionId), "plan_gaia");
    expect(last(results, 4)).toMatchObject({ ok: false, error: expect.stringContaining("Unknown argument") });
    expect(last(results, 3)).toMatchObject({ ok: false, error: expect.stringContaining("The user said no") });
    expect(last(results)).toMatchObject({ ok: true, status: "complete" });
    expect(
      asked.filter((each) => each.includes("complete without proof, unit: task 1, condition 1, condition 2")),
    ).toHaveLength(2);
  });

  it("is no check that was edited before the user lets it count", async () => {
    const scripts = (test: string): string => JSON.stringify({ scripts: { test } });
    const checks = [check("tests", "npm test")];
    project = await openProject({
      gaia: { mode: "autopilot", definitionOfDone: { checks } },
      files: {
        "package.json": scripts("grep -q right answer.txt"),
        "answer.txt": "right\n",
      },
    });
    project.model.script("gaia", UNIT, open, delegate("w1"), complete, say("Done."));
    project.model.script(
      "hephaestus",
      write(project, "package.json", scripts("grep -q r answer.txt")),
      result(HEPHAESTUS_DONE),
    );
    const outcome = await follow(project, "Build it");
    const refused = last(resultsOf(outcome, "plan_gaia"));
    expect(refused).toMatchObject({ ok: false, error: expect.stringContaining("checks not passed: tests") });
    expect(JSON.stringify(refused)).toContain("to `grep -q r answer.txt` since the work began");
    project.model.script("gaia", say("They count."), complete, say("Done."));
    await type(project, outcome.sessionId, "gaia-check", "accept");
    const after = await follow(project, "Go on", outcome.sessionId);
    expect(last(resultsOf(after, "plan_gaia"))).toMatchObject({ ok: true, wave_id: "w1" });
  });

  it("comes from no check that a pull has changed before the user's yes, in a dialog or by trust", async () => {
    const scripts = (test: string): string => JSON.stringify({ scripts: { test } });
    const definition = (command: string): string =>
      JSON.stringify({ definitionOfDone: { checks: [check("tests", command)] } });
    project = await openProject({
      files: {
        "package.json": scripts("test -f answer.txt"),
        "agency.json": definition("npm test"),
        "answer.txt": "x\n",
        ".gitignore": "was-run*\n",
      },
    });
    const asked: string[] = [];
    project.autoAnswer(({ permission }) => {
      asked.push(permission);
      return asked.filter((each) => each.includes("changed checks count")).length === 1 ? "reject" : "once";
    });
    const verify = plan("verify");
    project.model.script("gaia", UNIT, open, verify, say("It passes."));
    const { sessionId: session } = await follow(project, "Build it");
    await project.write("package.json", scripts("touch was-run"));
    project.model.script("gaia", verify, say("No."), verify, say("Yes."));
    const no = await follow(project, "Check it", session);
    expect(last(resultsOf(no, "plan_gaia"))).toMatchObject({ ok: false });
    expect(has(project, "was-run")).toBe(false);
    const yes = await follow(project, "Once more", session);
    expect(last(resultsOf(yes, "plan_gaia"))).toMatchObject({ ok: true });
    expect(asked.filter((each) => each.includes("changed checks count, unit: npm test"))).toHaveLength(2);
    expect(has(project, "was-run")).toBe(true);
    // Another command is another power, which no dialog about checks grants.
    await project.write("agency.json", definition("touch was-run-too"));
    project.model.script("gaia", verify, say("Not trusted."));
    const untrusted = last(resultsOf(await follow(project, "Again", session), "plan_gaia"));
    expect(untrusted).toMatchObject({
      ok: false,
      error: expect.stringContaining("not trusted, so nothing was run"),
    });
    expect(has(project, "was-run-too")).toBe(false);
  });

  it("is not waited for after Esc: a slow baseline ends with its process, and is taken anew", async () => {
    const sleep = `sleep 300.${process.pid}`;
    const slow = check("slow", `echo run >> runs.log; test -f fast || exec ${sleep}`, {
      timeoutSeconds: 300,
    });
    project = await openProject({
      gaia: { mode: "autopilot", definitionOfDone: { checks: [slow] } },
      files: { ".gitignore": "runs.log\n" },
    });
    project.model.script("gaia", UNIT, open, delegate("w1"));
    project.model.script("hephaestus", ...answers("right\n"));
    const session = await project.start("gaia", "Build it");
    await project.until("the baseline", async () => (await runs()).length === 1 && (await isRunning(sleep)));
    await project.until("the delegation", async () => (await project.outcome(session)).tools.length === 3);
    await project.abort(session);
    await project.until("its end", async () => !(await isRunning(sleep)));
    expect(project.model.requestsOf("hephaestus")).toEqual([]);
    await project.write("fast", "");
    project.model.script("gaia", delegate("w1"), say("Done."));
    // What is saved after Esc is the user's, also while the host still looks at what the check left.
    expect(has(project, "fast")).toBe(true);
    await follow(project, "Go on", session);
    expect(has(project, "answer.txt")).toBe(true);
    expect(await runs()).toHaveLength(2);
  });

  it("is not gathered twice on the same files, and what was red before blocks nothing", async () => {
    const checks = [
      check("tests", `echo run >> runs.log; ${RIGHT}`),
      check("lint", "echo 'error: old.js:1 is bad'; grep -q fixed old.js"),
      check("reported", REPORTED),
    ];
    project = await openProject({
      gaia: { mode: "autopilot", definitionOfDone: { checks } },
      files: {
        "answer.txt": "right\n",
        "old.js": "bad\n",
        "red.txt": "old\n",
        ".gitignore": "runs.log\n",
      },
    });
    project.model.script(
      "gaia",
      UNIT,
      open,
      delegate("w1"),
      plan("verify"),
      delegate("w1"),
      plan("verify"),
      complete,
      say("Done."),
    );
    project.model.script("hephaestus", write(project, "red.txt", "old\nnew\n"), result(HEPHAESTUS_DONE));
    project.model.script("hephaestus", write(project, "red.txt", "old\n"), ...answers("right, and more\n"));
    const outcome = await follow(project, "Build it");
    const [worse, verified, closed] = resultsOf(outcome, "plan_gaia").slice(-3);
    expect(JSON.stringify(worse)).toContain("error: no new");
    expect(verified).toMatchObject({ ok: true });
    expect(JSON.stringify(verified)).toMatch(/failed before the work began too: lint, reported/);
    expect(closed).toMatchObject({ ok: true, wave_id: "w1" });
    // Before the first change, and after each; the wave reuses that.
    expect(await runs()).toHaveLength(3);
    const notes = (await notesOf(project, outcome.sessionId)).join("\n");
    expect(notes).toMatch(/Failing before any change: lint\b.*reported/);
    expect(JSON.stringify(project.model.requestsOf("gaia"))).toContain(
      "do not repair them unless the user asks",
    );
    project.model.script("gaia", say("Checks are running."));
    await type(project, outcome.sessionId, "gaia-check");
    await project.until("the result", async () =>
      (await notesOf(project, outcome.sessionId)).some((note) =>
        note.includes("/gaia-check force runs them again"),
      ),
    );
  });
});

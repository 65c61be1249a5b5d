import { afterEach, describe, expect, it, vi } from "vitest";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Asked, type Project } from "../support/project.ts";
import {
  childOf,
  delegate,
  HEPHAESTUS_DONE,
  notesOf,
  plan,
  stateOf,
  UNIT,
  write,
} from "./collaboration-scenes.ts";
import { check, follow, LONG_MS, resultsOf, toastsOf } from "./gates-scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const RIGHT = check("answer", "grep -q right answer.txt");
const bash = (command: string): Turn => call("bash", { command, description: "run" });
const ME = "-c user.name=T -c user.email=t@example.com";
const commit = (rest = "-qm Answer"): Turn => bash(`git add -A && git ${ME} commit ${rest}`);
const open = (wave = "w1"): Turn => plan("open_wave", { wave_id: wave });
const commits = async (): Promise<number> => Number(await project.git("rev-list", "--count", "HEAD"));
/** A script whose text does not show what it does. */
const SNEAKY = `import { execFileSync } from "node:child_process";
const words = ["com" + "mit", "-qam", "Out of sight"];
execFileSync("g" + "it", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...words]);
`;

/** The words with which the commands of a child were refused; "" for those that ran. */
async function refusals(session: string, index: number): Promise<string[]> {
  const { tools } = await childOf(project, session, index);
  return tools.filter(({ tool }) => tool === "bash").map(({ error }) => error);
}

describe("a commit in autopilot", () => {
  it("needs checks that passed on these very files, takes all of them, and leaves no hook out", async () => {
    project = await openProject({ gaia: { mode: "autopilot", definitionOfDone: { checks: [RIGHT] } } });
    project.model.script(
      "gaia",
      UNIT,
      open(),
      delegate("w1"),
      plan("verify"),
      delegate("w1"),
      plan("verify", { scope: "full" }),
      delegate("w1"),
      say("Done."),
    );
    const done = result(HEPHAESTUS_DONE);
    project.model.script("hephaestus", write(project, "answer.txt", "wrong\n"), commit(), done);
    project.model.script("hephaestus", commit("-qm Anyway"), write(project, "answer.txt", "right\n"), done);
    project.model.script(
      "hephaestus",
      commit("--no-verify -qm Hooks"),
      bash(`env HUSKY=0 bash -c 'git ${ME} commit -qm Hooks'`),
      bash(`git add opencode.json && git ${ME} commit -qm Part`),
      bash(`git add '*.json' && git ${ME} commit -qm Part`),
      bash(`git add *.txt && git ${ME} commit -qm "As the shell says"`),
      bash(`echo more > more.txt && git add -A && git ${ME} commit -qm Beside`),
      bash(`git add '*.txt' && git ${ME} commit -qm Answer`),
      bash(`git ${ME} tag v1`),
      write(project, "answer.txt", "right, too\n"),
      commit("-qm Stale"),
      done,
    );
    const { sessionId } = await follow(project, "Build it");
    expect(await refusals(sessionId, 0)).toEqual([expect.stringContaining("was not run on these files yet")]);
    expect(await refusals(sessionId, 1)).toEqual([expect.stringContaining("does not pass")]);
    expect(await refusals(sessionId, 2)).toEqual([
      expect.stringContaining("`--no-verify` may switch off"),
      expect.stringContaining("`HUSKY` may switch off"),
      expect.stringContaining("leaves out"),
      expect.stringMatching(/leaves out \S+answer\.txt/u),
      expect.stringContaining("what `*.txt` takes could not be told beforehand"),
      expect.stringContaining("in a call of its own"),
      "",
      // What was proven was committed as it was, and stays proven.
      "",
      expect.stringContaining("files changed after the checks last passed"),
    ]);
    expect(await commits()).toBe(2);
    expect(await project.git("show", "HEAD:answer.txt")).toBe("right\n");
    expect(await project.git("tag")).toBe("v1\n");
    const log = await project.read(".gaia/unit/log.md");
    expect(log).toMatch(
      /— Commit\n\n- `git .*` by hephaestus: main \w{8} → \w{8}\n- Proven: Definition of Done passed/u,
    );
  });

  it("that a script makes out of sight stops the work, and the record says so", async () => {
    project = await openProject({
      gaia: { mode: "autopilot", definitionOfDone: { checks: [RIGHT] } },
      files: { "finish.mjs": SNEAKY, "answer.txt": "none\n" },
    });
    project.model.script("gaia", UNIT, open(), delegate("w1"), say("It stopped."));
    project.model.script(
      "hephaestus",
      write(project, "answer.txt", "wrong\n"),
      bash("node finish.mjs"),
      write(project, "answer.txt", "more\n"),
      result(HEPHAESTUS_DONE),
    );
    const outcome = await follow(project, "Build it");
    expect(await commits()).toBe(2);
    const { tools } = await childOf(project, outcome.sessionId);
    expect(tools.map(({ error }) => error)).toEqual([
      "",
      "",
      expect.stringContaining("the work is BLOCKED (the history moved while bash (node finish.mjs"),
    ]);
    expect(await project.read("answer.txt")).toBe("wrong\n");
    expect((await stateOf(project, outcome.sessionId))["pause"]).toMatchObject({ reason: "blocked" });
    expect(toastsOf(project).join("\n")).toMatch(/BLOCKED: the history moved .* main \w{8} → \w{8}/u);
    const log = await project.read(".gaia/unit/log.md");
    expect(log).toContain("History moved out of sight");

    // The user commits by themselves between two calls, which is nobody's doing but theirs, and nothing stops.
    project.model.script("gaia", delegate("w1"), say("Went on."));
    project.model.script(
      "hephaestus",
      write(project, "answer.txt", "right\n"),
      async () => {
        await project.git("commit", "-qam", "Mine");
        return bash("node --version > version.txt");
      },
      result(HEPHAESTUS_DONE),
    );
    await follow(project, "Leave it, go on", outcome.sessionId);
    expect((await stateOf(project, outcome.sessionId))["pause"]).toBeNull();
    expect(await commits()).toBe(3);
  });

  it("without a Definition of Done is made, with a note that nothing proves it", async () => {
    project = await openProject({ gaia: { mode: "autopilot" } });
    project.model.script("gaia", UNIT, open(), delegate("w1"), say("Done."));
    project.model.script("hephaestus", write(project, "a.txt"), commit(), result(HEPHAESTUS_DONE));
    await follow(project, "Build it");
    expect(await commits()).toBe(2);
    expect(await project.read(".gaia/unit/log.md")).toContain(
      "- Not proven: no Definition of Done is configured.",
    );
  });
});

describe("a commit in supervised mode", () => {
  it("is asked for inside an approved wave, says what was proven, and follows from an approved revision", async () => {
    project = await openProject({ gaia: { definitionOfDone: { checks: [RIGHT] } } });
    project.autoAnswer(({ permission }) => (permission.startsWith("gaia_approval") ? "once" : null));
    const isCommit = ({ permission, patterns }: Asked): boolean =>
      permission === "bash" && patterns.join().includes("commit");
    const done = result(HEPHAESTUS_DONE);
    project.model.script("gaia", UNIT, open(), delegate("w1"), plan("verify"), delegate("w1"), say("No."));
    project.model.script("hephaestus", write(project, "answer.txt", "right\n"), done);
    project.model.script("hephaestus", commit(), done);
    const sessionId = await project.start("gaia", "Build it");
    const refused = await project.permission(isCommit);
    const told =
      /hephaestus asks to change the history: `git .*commit.*`\. Definition of Done passed: 1 of 1/u;
    await project.until("the user to be told", () => told.test(toastsOf(project).join("\n")));
    await project.until("a note", async () => told.test((await notesOf(project, sessionId)).join("\n")));
    await project.answer(refused, "reject", "Not yet");
    await project.idle(sessionId);
    expect(await commits()).toBe(1);

    project.model.script("gaia", open("w2"), delegate("w2"), say("Yes."));
    project.model.script("hephaestus", commit(), done);
    await project.start("gaia", "Ask me again", { session: sessionId });
    await project.answer(await project.permission(isCommit), "once");
    await project.idle(sessionId);
    expect(await commits()).toBe(2);

    // Once the user has said yes to the revision, its commit is not asked for.
    project.model.script(
      "gaia",
      open("w3"),
      delegate("w3"),
      plan("verify"),
      plan("request_approval", { kind: "revision" }),
      delegate("w3"),
      say("Done."),
    );
    project.model.script("hephaestus", write(project, "answer.txt", "right, too\n"), done);
    project.model.script("hephaestus", commit("-qm Second"), done);
    const outcome = await follow(project, "Another one", sessionId);
    expect(resultsOf(outcome, "plan_gaia").at(-1)).toMatchObject({ ok: true, approved: true });
    expect(await commits()).toBe(3);
  });

  it("is not made where nobody is asked for it, whatever OpenCode's own rules allow", async () => {
    project = await openProject({
      config: { agent: { hephaestus: { permission: { bash: "allow", edit: "allow" } } } },
    });
    project.model.script("gaia", delegate(), say("Done."));
    project.model.script("hephaestus", write(project, "a.txt"), commit(), result(HEPHAESTUS_DONE));
    const { sessionId } = await follow(project, "Build it");
    expect(await refusals(sessionId, 0)).toEqual([expect.stringContaining("nobody was asked")]);
    expect(await commits()).toBe(1);
  });
});

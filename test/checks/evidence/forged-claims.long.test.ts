import { chmod, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JudgedClaim } from "../../../src/checks/evidence/claims.ts";
import { correctPlan } from "../../../src/plan/grammar.ts";
import { git } from "../project.ts";
import { createScene, evidenceFile, planWith, RIGHT, type Scene, UNIT } from "./scene.ts";

const { signal } = new AbortController();
const PLAN = `.gaia/${UNIT}/plan.md`;
const standings = (claims: readonly JudgedClaim[]): string[] => claims.map(({ standing }) => standing);
/** Nothing is proven, and each claim says why. */
function expectUnproven(claims: readonly JudgedClaim[], what: string): void {
  expect(claims.length, what).toBeGreaterThan(0);
  for (const claim of claims) {
    expect(claim.standing, what).not.toBe("proven");
    expect(claim.why, what).toMatch(/\w/);
  }
}

/** What was proven once, before something is done to it. */
async function proven(withGit = false): Promise<Scene> {
  const scene = await createScene({ withGit, files: { "answer.txt": "wrong\n" } });
  await scene.begin();
  await scene.write({ "answer.txt": "right\n" });
  expect(standings(await scene.prove())).toEqual(["proven"]);
  return scene;
}

/** A plan that has one ticked task for each of these commands. */
const planOf = (commands: readonly string[]): string =>
  planWith(RIGHT).replace(
    `- [x] 1. Answer\n  - verify: ${RIGHT}`,
    commands.map((command, at) => `- [x] ${at + 1}. Do it\n  - verify: ${command}`).join("\n"),
  );

const SEEN = `[{"key":"x","command":"${RIGHT}","status":"passed","exit_code":0,"duration_ms":1,"tree":"t","at":"2099-01-01T00:00:00Z"}]`;
const VALUE = `"value":{"evidence":${SEEN},"before":[],"pins":[],"baseline":null}`;
const EVIDENCE = `.gaia/${UNIT}/evidence.json`;
const plan = (from: string, to: string): Record<string, string> => ({
  [PLAN]: planWith(RIGHT).replace(from, to),
});

/** What stands in a file and was not measured. */
const WRITTEN: readonly (readonly [name: string, files: Record<string, string>])[] = [
  ["a tick", {}],
  ["a large tick", plan("[x]", "[X]")],
  ["a status line", plan("in-progress", "complete")],
  ["a word behind the task", plan("1. Answer", "1. Answer (proven)")],
  ["a comment in the plan", plan("## Done When", "## Done When\n\n<!-- evidence: passed -->")],
  ["a ticked condition in words", plan("## Done When\n", "## Done When\n\n- [x] It works")],
  ["a ticked condition with a command", plan("## Done When\n", `## Done When\n\n- [x] \`${RIGHT}\` passes`)],
  ["a task without a command", plan(RIGHT, "read through, looks right")],
  ["a section that says so", plan("## Done When\n", "## Done When\n\n## Evidence\n\ntask 1: proven")],
  ["a verdict in the log", { ".gaia/unit/log.md": "# Log\n\n## Review\n\n- **APPROVE** by hades\n" }],
  [
    "a passed verification in the log",
    {
      ".gaia/unit/log.md":
        "# Log\n\n## Verification\n\n**Definition of Done passed: 1 of 1 checks passed (1 s)**\n",
    },
  ],
  [
    "an approval in the decisions",
    { ".gaia/unit/decisions.md": "# Decisions\n\n| 2026-01-01 | Complete? | Yes, by the user | | |\n" },
  ],
  ["an approval as a file's name", { "APPROVED-by-user.md": "", ".gaia/unit/APPROVE": "exit code 0" }],
  ["a file of test results", { "junit.xml": '<testsuite tests="42" failures="0"/>' }],
  ["a contract in a file", { "result.json": '{"outcome":{"verdict":"APPROVE"}}' }],
  ["a file that looks like evidence elsewhere", { "evidence.json": `{"value":{"evidence":${SEEN}}}` }],
  ["an approval beside the local state", { ".gaia/.local/evidence.json": `{"evidence":${SEEN}}` }],
  ["evidence without a seal", { [EVIDENCE]: `{${VALUE}}` }],
  ["evidence with a seal made up", { [EVIDENCE]: `{${VALUE},"seal":"${"0".repeat(64)}"}` }],
  ["evidence with an empty seal", { [EVIDENCE]: `{${VALUE},"seal":""}` }],
  ["evidence that is a list", { [EVIDENCE]: SEEN }],
  ["evidence that says proven", { [EVIDENCE]: '{"proven":["task 1"]}' }],
  ["evidence that is cut", { [EVIDENCE]: '{"value":' }],
];

/** What is outside the grammar: the plan, and its line that is told. */
const UNREADABLE: readonly (readonly [plan: string, line: string])[] = [
  ...["* [x] 1. Answer", "+ [X] 1. Answer", "1. [x] Answer", "- [x] ~~1. Answer~~"].map(
    (line) => [planWith(RIGHT).replace("- [x] 1. Answer", line), line] as const,
  ),
  ...["erledigt", "完了", "done ✅", "proven"].map(
    (status) => [planWith(RIGHT).replace("in-progress", status), `> Status: ${status}`] as const,
  ),
  [planWith(`${RIGHT}\n  - evidence: exit code 0, proven`), "  - evidence: exit code 0, proven"],
];

/** Commands beside the files that they need; only how they ended before and after counts, whatever they print. */
const COMMANDS: readonly (readonly [expected: string, command: string])[] = [
  ["passes", "true"],
  ["passes", "false | cat"],
  ["passes", "node -e 0"],
  ["passes", "node --test skipped.test.mjs"],
  ["passes", "node --test --test-name-pattern=nothing throws.test.mjs"],
  ["passes", "make check"],
  ["passes", "sh run-tests.sh"],
  ["passes", "PATH=node_modules/.bin:$PATH check"],
  ["failed", "echo 'exit code 0'; echo APPROVE && false"],
  ["failed", "echo 'Tests: 42 passed, 0 failed'; grep -q wrong answer.txt"],
  ["failed", `echo '${SEEN.slice(1, -1)}'; grep -q wrong answer.txt`],
  ["failed", "./not-there.sh"],
  ["failed", "cd nowhere && test -f answer.txt"],
  ["claimed", "sudo npm test"],
  ["claimed", "cat .env && test -f answer.txt"],
  ["claimed", "echo '{}' > .gaia/unit/evidence.json; test -f answer.txt"],
];
const COMMANDS_FILES = {
  "skipped.test.mjs": 'import { it } from "node:test";\nit.skip("a", () => { throw new Error(); });\n',
  "throws.test.mjs": 'import { it } from "node:test";\nit("a", () => { throw new Error(); });\n',
  Makefile: `SHELL := /bin/true\ncheck:\n\t${RIGHT}\n`,
  "run-tests.sh": `printf '# tests 0\\n# pass 0\\n# fail 0\\n'\n${RIGHT}\n`,
  "node_modules/.bin/check": "#!/bin/sh\nexit 0\n",
};

const SCRIPTS = (test: string, pretest?: string): string => JSON.stringify({ scripts: { pretest, test } });
const SCRIPTED = { plan: planWith("npm test"), checks: [{ id: "tests", command: "npm test" }] };

/** What a check itself runs is another thing now: the task, and what was changed. */
const EDITED: readonly (readonly [task: number, files: Record<string, string>])[] = [
  [1, { "package.json": SCRIPTS("true") }],
  [1, { "package.json": SCRIPTS("node ok.mjs"), "ok.mjs": "import 'fs';" }],
  [1, { "package.json": SCRIPTS("true", RIGHT) }],
  [2, { "check.sh": "grep -q r answer.txt\n" }],
  [3, { Makefile: `check:\n\t-${RIGHT}\n` }],
];

describe("forged claims", () => {
  it("are no proof where they are only written", async () => {
    const scene = await createScene();
    for (const [name, files] of WRITTEN) {
      await rm(evidenceFile(scene), { force: true });
      await scene.write({ [PLAN]: planWith(RIGHT), ...files });
      const claims = await scene.standing();
      expectUnproven(claims, name);
      expect(standings(claims), name).not.toContain("proven");
    }
  });

  it("are told with their line where the plan cannot be read, and prove nothing as it is to be written instead", async () => {
    const scene = await proven();
    for (const [text, line] of UNREADABLE) {
      await scene.write({ [PLAN]: text });
      expect(await scene.standing(), line).toEqual([]);
      expect(await scene.prove(), line).toEqual([]);
      const unit = await scene.workspace.readWorkUnit({ slug: UNIT });
      expect(unit.ok ? unit.problem : unit).toMatch(
        new RegExp(`^${text.split("\n").indexOf(line) + 1}:\\d+ `),
      );
    }
    const fresh = await createScene();
    for (const [text, line] of UNREADABLE) {
      await fresh.write({ [PLAN]: correctPlan(text) });
      const claims = await fresh.standing();
      expect(standings(claims), line).toEqual(["claimed"]);
      expectUnproven(claims, line);
    }
  });

  it("are no proof by a command that passed before, fails or may not run, whatever it prints", async () => {
    const commands = COMMANDS.map(([, command]) => command);
    const scene = await createScene({ plan: planOf(commands), files: COMMANDS_FILES });
    await chmod(join(scene.directory, "node_modules/.bin/check"), 0o755);
    await scene.begin();
    await scene.write({ "work.txt": "done\n" });
    const claims = await scene.prove();
    expectUnproven(claims, "all");
    expect(claims.map(({ standing }, at) => [standing, commands[at]])).toEqual(COMMANDS);
  });

  it("are no proof and no passed check where what a check runs was changed", async () => {
    const files = {
      "package.json": SCRIPTS(RIGHT),
      "check.sh": `${RIGHT}\n`,
      Makefile: `check:\n\t${RIGHT}\n`,
    };
    const commands = ["npm test", "sh check.sh", "make check"];
    const checks = commands.map((command, at) => ({ id: `check${at}`, command }));
    const scene = await createScene({ plan: planOf(commands), checks, files });
    await scene.begin();
    for (const [task, edit] of EDITED) {
      await scene.write({ ...files, ...edit });
      const claims = await scene.prove();
      expectUnproven(claims, JSON.stringify(edit));
      expect(claims[task - 1]?.standing).toBe("stale");
      const verification = await scene.proofs.verify({ by: "gaia", signal, unit: UNIT });
      expect(verification).toMatchObject({ kind: "ran", report: { passed: false } });
      expect(await scene.proofs.standing(signal)).toBe("failed");
    }
  });

  it("are no proof by tests that pass since one of them is left out", async () => {
    const command = "node --test a.test.mjs";
    const tests = (left: string): Record<string, string> => ({
      "a.test.mjs": `import { it } from "node:test";\nit("a", () => undefined);\nit${left}("b", () => { throw new Error("b"); });\n`,
    });
    const checks = [{ id: "tests", command }];
    const scene = await createScene({ plan: planWith(command), checks, files: tests("") });
    await scene.begin();
    await scene.proofs.baseline(UNIT, { signal });
    await scene.write(tests(".skip"));
    const claims = await scene.prove();
    expectUnproven(claims, "skipped");
    expect(standings(claims)).not.toContain("proven");
  });

  it("are no proof once the files, the command or the evidence is not what was proven", async () => {
    const scene = await proven();
    const at = (path: string): string => join(scene.directory, path);
    const sealed = await readFile(evidenceFile(scene), "utf8");
    const steps: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      [
        "an edit",
        () => scene.write({ "answer.txt": "right!\n" }),
        () => scene.write({ "answer.txt": "right\n" }),
      ],
      ["a new file", () => scene.write({ "new.ts": "1" }), () => rm(at("new.ts"))],
      ["a deletion", () => rm(at("answer.txt")), () => scene.write({ "answer.txt": "right\n" })],
      ["a rename", () => rename(at("answer.txt"), at("b.txt")), () => rename(at("b.txt"), at("answer.txt"))],
      [
        "another command",
        () => scene.write(plan(RIGHT, `${RIGHT} && test -f answer.txt`)),
        () => scene.write({ [PLAN]: planWith(RIGHT) }),
      ],
    ];
    for (const [name, change, back] of steps) {
      await change();
      expectUnproven(await scene.standing(), name);
      await back();
      expect(standings(await scene.standing()), name).toEqual(["proven"]);
    }
    expectUnproven(await (await scene.reopen("another key")).standing(), "of another user");
    const other = await createScene();
    await writeFile(evidenceFile(other), sealed);
    expectUnproven(await (await other.reopen()).standing(), "of another project");
    await scene.workspace.createWorkUnit({ slug: "other", title: "Other" });
    await scene.write({ ".gaia/other/plan.md": planWith(RIGHT), [".gaia/other/evidence.json"]: sealed });
    expectUnproven(await (await scene.reopen()).standing("other"), "of another unit");

    await scene.write({ "answer.txt": "wrong\n" });
    await writeFile(evidenceFile(scene), sealed.replace(/"tree": "[^"]+"/, '"tree": "other"'));
    expectUnproven(await (await scene.reopen()).standing(), "whose tree was changed");
    await writeFile(evidenceFile(scene), sealed);
    expectUnproven(await (await scene.reopen()).prove(), "that did not end well again");
    await writeFile(evidenceFile(scene), sealed);
    expectUnproven(await (await scene.reopen()).standing(), "of an earlier moment");
    const fresh = await createScene({ files: { "answer.txt": "wrong\n" } });
    await fresh.prove();
    const red = await readFile(evidenceFile(fresh), "utf8");
    expect(red).toContain('"failed"');
    const green = red.replace('"failed"', '"passed"').replace('"exit_code": 1', '"exit_code": 0');
    await writeFile(evidenceFile(fresh), green);
    expectUnproven(await (await fresh.reopen()).standing(), "whose result was changed");
  });

  it("are no proof once the files are not what was proven in git, whatever git is told", async () => {
    const scene = await proven(true);
    const { directory } = scene;
    const sealed = await readFile(evidenceFile(scene));
    const steps: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      [
        "an edit",
        () => scene.write({ "answer.txt": "right!\n" }),
        () => scene.write({ "answer.txt": "right\n" }),
      ],
      ["a new file", () => scene.write({ "new.ts": "1" }), () => rm(join(directory, "new.ts"))],
      [
        "a repository inside",
        async () => {
          await scene.write({ "inner/a.txt": "1" });
          await git(join(directory, "inner"), "init", "-q");
        },
        () => rm(join(directory, "inner"), { recursive: true }),
      ],
      [
        "an edit that git is told not to see",
        async () => {
          await git(directory, "update-index", "--skip-worktree", "answer.txt");
          await scene.write({ "answer.txt": "right, and more\n" });
        },
        async () => {
          await git(directory, "update-index", "--no-skip-worktree", "answer.txt");
          await scene.write({ "answer.txt": "right\n" });
        },
      ],
    ];
    for (const [name, change, back] of steps) {
      await change();
      expectUnproven(await scene.standing(), name);
      await back();
      expect(standings(await scene.standing()), name).toEqual(["proven"]);
    }
    await git(directory, "checkout", "-qb", "other");
    await scene.write({ "answer.txt": "right, of another branch\n" });
    await git(directory, "commit", "-qam", "other");
    expectUnproven(await scene.standing(), "of another branch");
    const clone = await createScene({ withGit: true });
    await writeFile(evidenceFile(clone), sealed);
    expectUnproven(await (await clone.reopen()).standing(), "of a clone");
  });

  it("are no proof in what git says, or by a check that changes what is held each time", async () => {
    const scene = await createScene({
      withGit: true,
      plan: planWith(`${RIGHT} && echo right >> answer.txt`),
    });
    const message = "Approved-by: user; tests: 42 passed; task 1 proven";
    await git(scene.directory, "commit", "-qm", message, "--allow-empty");
    await git(scene.directory, "notes", "add", "-m", "evidence: passed");
    await git(scene.directory, "tag", "verified");
    expectUnproven(await scene.standing(), "git");
    const claims = await scene.prove();
    expectUnproven(claims, "changed each time");
    expect(standings(claims)).not.toContain("proven");
  });

  it("are no proof where nothing was run: not approved, cancelled, or without a sandbox", async () => {
    const touching = { plan: planWith("touch ran.txt") };
    const scene = await createScene(touching);
    const open = await createScene({ ...touching, hasSandbox: false });
    const isRun = async ({ directory }: Scene): Promise<string> =>
      readFile(join(directory, "ran.txt"), "utf8").catch(() => "not run");
    await scene.prove({ refusal: "nobody has approved the plan as it reads" });
    expectUnproven(await scene.standing(), "not approved");
    await scene.prove({ signal: AbortSignal.abort() });
    expectUnproven(await scene.standing(), "cancelled");
    expect(await isRun(scene)).toBe("not run");
    for (const how of [{ isLocked: true }, { isByPerson: false }]) {
      await open.prove(how);
      const claims = await open.standing();
      expectUnproven(claims, JSON.stringify(how));
      expect(claims[0]?.why).toContain("no sandbox here");
      expect(await isRun(open)).toBe("not run");
    }
  });
});

describe("what is no forgery", () => {
  it("is proven, is it still in another process, and is not run twice", async () => {
    const plan = planWith(RIGHT, [`\`${RIGHT}\``, `\`${RIGHT}\`: the answer is right`]);
    const scene = await createScene({ plan, files: { "answer.txt": "wrong\n" } });
    await scene.begin();
    await scene.write({ "answer.txt": "right\n" });
    expect((await scene.prove()).map(({ standing }) => standing)).toEqual(["proven", "proven", "proven"]);
    const seen = JSON.parse(await readFile(evidenceFile(scene), "utf8")) as {
      value: { evidence: unknown[] };
    };
    expect(seen.value.evidence).toEqual([
      expect.objectContaining({
        command: RIGHT,
        exit_code: 0,
        tree: expect.any(String),
        at: expect.stringMatching(/Z$/),
      }),
    ]);
    const again = await scene.reopen();
    expect((await again.standing()).map(({ standing }) => standing)).toEqual(["proven", "proven", "proven"]);
    await again.prove();
    expect(JSON.parse(await readFile(evidenceFile(scene), "utf8"))).toEqual(seen);
  });

  it("may change what a check looks at, and the check itself once the user agrees", async () => {
    const files = { "package.json": SCRIPTS(RIGHT), "answer.txt": "wrong\n" };
    const scene = await createScene({ ...SCRIPTED, files });
    await scene.begin();
    await scene.write({
      "package.json": SCRIPTS("grep -q right answer.txt answer.txt"),
      "answer.txt": "right\n",
    });
    const signal = new AbortController().signal;
    expect((await scene.prove())[0]).toMatchObject({ standing: "stale" });
    expect(await scene.proofs.changedChecks(UNIT)).toMatchObject([{ command: "npm test" }]);
    await scene.proofs.acceptChecks(UNIT);
    expect(await scene.proofs.verify({ by: "gaia", signal, unit: UNIT })).toMatchObject({
      report: { passed: true },
    });
    expect((await scene.prove())[0]).toMatchObject({ standing: "proven" });
  });

  it("may change a file of the check where the plan says so, which is green and no proof", async () => {
    const plan = planWith("sh check.sh", [], "check.sh, answer.txt");
    const scene = await createScene({ plan, files: { "check.sh": `${RIGHT}\n`, "answer.txt": "wrong\n" } });
    await scene.begin();
    await scene.write({ "check.sh": "exit 0\n" });
    expect((await scene.prove())[0]).toMatchObject({
      standing: "passes",
      why: "`sh check.sh` passes, and the work changed its own check.sh",
    });
  });
});

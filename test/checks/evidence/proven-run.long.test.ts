import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyOf } from "../../../src/checks/evidence/evidence.ts";
import type { Verification } from "../../../src/checks/verifier.ts";
import { git } from "../project.ts";
import { createScene, planWith, RIGHT, type Scene, UNIT } from "./scene.ts";

const signal = new AbortController().signal;
const OLD_LINT = "echo 'error: old.js is bad'; grep -q fixed old.js";
const verify = async ({ proofs }: Scene, rest: object = {}): Promise<Verification> =>
  proofs.verify({ by: "gaia", signal, unit: UNIT, ...rest });
const passes = (verification: Verification): boolean | null =>
  verification.kind === "ran" ? verification.report.passed : null;

/** Counts its runs in a file that the fingerprint leaves out. */
const COUNTED = [{ id: "answer", command: `echo run >> .gaia/runs; ${RIGHT}` }];
const runs = async (scene: Scene): Promise<number> =>
  (await readFile(join(scene.directory, ".gaia/runs"), "utf8")).split("\n").length - 1;

describe("a run of the checks", () => {
  it.each([false, true])(
    "is not repeated on the same files, in another process neither; git %s",
    async (withGit) => {
      const scene = await createScene({ checks: COUNTED, withGit });
      expect(passes(await verify(scene))).toBe(true);
      expect(await verify(scene)).toMatchObject({ report: { passed: true, checks: [{ reused: true }] } });
      const again = await scene.reopen();
      expect(passes(await verify(again))).toBe(true);
      expect(await again.proofs.standing(signal)).toBe("passed");
      expect(await runs(scene)).toBe(1);
      await verify(again, { force: true });
      expect(await runs(scene)).toBe(2);
      await scene.write({ "b.txt": "1" });
      await verify(again);
      expect(await runs(scene)).toBe(3);
    },
  );

  it("that failed is repeated, and so is one of a task with the same command", async () => {
    const scene = await createScene({ checks: COUNTED, files: { "answer.txt": "wrong\n" } });
    for (const _time of [1, 2]) expect(passes(await verify(scene))).toBe(false);
    expect(await runs(scene)).toBe(2);
  });
});

describe("a command of a plan", () => {
  it("is not waited for where it leaves something that holds its output open", async () => {
    const scene = await createScene({ plan: planWith(`sleep 600 & ${RIGHT}`), withGit: true });
    expect((await scene.prove())[0]).toMatchObject({ standing: "proven" });
  });

  it("that was ended for its time says after how long", async () => {
    const scene = await createScene({ withGit: true });
    const [tree, at] = [null, new Date().toISOString()];
    const seen = { key: keyOf(RIGHT), command: RIGHT, exit_code: null, tree, at };
    await scene.ledger.add(UNIT, [{ ...seen, status: "timeout", duration_ms: 300_120 }]);
    expect((await scene.standing())[0]).toMatchObject({
      standing: "claimed",
      why: expect.stringContaining("(ended after 300 s)"),
    });
  });
});

describe("checks that change files", () => {
  const tidy = (name: string, command: string) => ({
    id: name,
    command: `echo run >> .gaia/runs; ${command}`,
  });

  it("run once more on what they leave, which is proven then, and say so", async () => {
    const format = "sed -i 's/ *$//' answer.txt";
    const checks = [tidy("answer", RIGHT), tidy("format", format)];
    const scene = await createScene({ checks, files: { "answer.txt": "right  \n" }, withGit: true });
    const verification = await verify(scene);
    expect(verification).toMatchObject({ report: { passed: true } });
    expect(JSON.stringify(verification)).toContain("answer.txt. They were run again on what is there now.");
    expect(await scene.proofs.standing(signal)).toBe("passed");
    expect(await runs(scene)).toBe(4);
  });

  it("each time prove nothing, and say why", async () => {
    const checks = [tidy("stamp", "echo right >> answer.txt")];
    const scene = await createScene({ checks, withGit: true });
    expect(JSON.stringify(await verify(scene))).toContain("changed whenever the checks run: answer.txt.");
    expect(await scene.proofs.standing(signal)).toBe("stale");
    expect(await runs(scene)).toBe(2);
  });

  it.each([
    ["a new file of the work", "new.ts", "stale"],
    ["a report", "junit.xml", "proven"],
    ["what is made anew", "dist/a.js", "proven"],
  ])("each time, if it is %s, are judged by what it is", async (_name, file, standing) => {
    const verify = `date +%s%N >> ${file} && ${RIGHT}`;
    const scene = await createScene({ plan: planWith(verify), withGit: true });
    await scene.write({ [file]: "new\n" });
    expect((await scene.prove())[0]).toMatchObject({ standing });
  });

  it("once, as a formatter does a new file, are proven on what they leave", async () => {
    const verify = `sed -i 's/ *$//' new.ts && ${RIGHT}`;
    const scene = await createScene({ plan: planWith(verify), withGit: true });
    await scene.write({ "new.ts": "new  \n" });
    expect((await scene.prove())[0]).toMatchObject({ standing: "proven" });
  });

  it("are run once before the work begins, which asks only what fails", async () => {
    const checks = [tidy("stamp", "echo right >> answer.txt")];
    const scene = await createScene({ checks, withGit: true });
    expect(await scene.proofs.baseline(UNIT, { signal })).toMatchObject({ red: [] });
    expect(await runs(scene)).toBe(1);
  });

  it("of a plan leave those before them to be run again", async () => {
    const plan = `${planWith(RIGHT)}- \`sh tidy.sh\` passes\n`;
    const files = { "answer.txt": "right  \n", "tidy.sh": "sed -i 's/ *$//' answer.txt\n" };
    const scene = await createScene({ plan, files, withGit: true });
    expect((await scene.prove()).map(({ standing }) => standing)).toEqual(["proven", "proven"]);
  });
});

describe("a check that ran tests", () => {
  const RUN = "cat tests.txt";
  const some = { "tests.txt": "# tests 3\n# pass 3\n# fail 0\n" };
  const none = { "tests.txt": "# tests 3\n# pass 0\n# fail 0\n# skipped 3\n" };
  const begin = async (files: Record<string, string>) =>
    createScene({ plan: planWith(RUN), checks: [{ id: "tests", command: RUN }], files, withGit: true });

  it("does not pass with none until the user says so, in another process neither", async () => {
    const scene = await begin(some);
    expect(passes(await verify(scene))).toBe(true);
    await scene.write(none);
    for (const each of [scene, scene, await scene.reopen()]) {
      const verification = await verify(each);
      expect(passes(verification)).toBe(false);
      expect(JSON.stringify(verification)).toContain("it ran no test, and 3 before");
    }
    await scene.proofs.acceptChecks(UNIT);
    expect(passes(await verify(scene))).toBe(true);
  });

  it.each<[string, string, string]>([
    ["vitest, a file excluded", "Tests  2 passed | 1 failed (3)", "Tests  2 passed (2)"],
    ["vitest, it.skip", "Tests  3 passed (3)", "Tests  3 passed | 1 skipped (4)"],
    [
      "jest, one skipped for one added",
      "Tests:       3 passed, 3 total",
      "Tests:       1 skipped, 3 passed, 4 total",
    ],
    [
      "pytest, deselected",
      "==== 2 passed, 1 failed in 0.1s ====",
      "==== 2 passed, 1 deselected in 0.1s ====",
    ],
    ["pytest, a mark", "==== 4 passed in 0.1s ====", "==== 4 passed, 1 skipped in 0.1s ===="],
    [
      "cargo, ignored",
      "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured",
      "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured",
    ],
    ["mocha, it.skip", "  3 passing (2ms)", "  3 passing (2ms)\n  1 pending"],
    ["unittest, a decorator", "Ran 3 tests in 0.001s\n\nOK", "Ran 4 tests in 0.001s\n\nOK (skipped=1)"],
    ["rspec, fewer", "5 examples, 1 failure", "4 examples, 0 failures"],
    [
      "maven, ignored",
      "Tests run: 4, Failures: 0, Errors: 0, Skipped: 0",
      "Tests run: 5, Failures: 0, Errors: 0, Skipped: 1",
    ],
    ["node, todo", "# tests 3\n# pass 3\n# fail 0\n# todo 0", "# tests 4\n# pass 3\n# fail 0\n# todo 1"],
    ["another program of the name", "Tests  3 passed (3)", "all is well"],
  ])("does not pass with fewer, or with more left out, and shows no task: %s", async (_name, before, now) => {
    const scene = await begin({ "tests.txt": `${before}\n` });
    await scene.proofs.baseline(UNIT, { signal });
    expect((await scene.prove())[0]).toMatchObject({ standing: "proven" });
    await scene.write({ "tests.txt": `${now}\n` });
    expect((await scene.prove())[0]).toMatchObject({
      standing: expect.not.stringContaining("proven"),
      why: expect.stringMatching(/before$/),
    });
    for (const each of [scene, await scene.reopen()]) {
      const verification = await verify(each);
      expect(passes(verification)).toBe(false);
      expect(JSON.stringify(verification)).toMatch(/ before: have them back, or the user lets it count/);
    }
    await scene.proofs.acceptChecks(UNIT);
    expect(passes(await verify(scene))).toBe(true);
    expect((await scene.prove())[0]).toMatchObject({ standing: "proven" });
  });

  it("is not repeated on the same files, and holds: what it told of its tests is known", async () => {
    const scene = await begin({ "tests.txt": "Tests  3 passed (3)\n" });
    expect(passes(await verify(scene))).toBe(true);
    for (const each of [scene, await scene.reopen()]) {
      const again = await verify(each);
      expect(again).toMatchObject({ report: { checks: [{ reused: true }] } });
      expect(passes(again)).toBe(true);
    }
  });

  it("may run more, fail in fewer on the way, and begin anew in another unit", async () => {
    const scene = await begin({ "tests.txt": "Tests  3 passed | 1 skipped (4)\n" });
    expect(passes(await verify(scene))).toBe(true);
    await scene.write({ "tests.txt": "Tests  5 passed | 1 skipped (6)\n" });
    expect(passes(await verify(scene))).toBe(true);
    await scene.write({ "tests.txt": "Tests  2 passed (2)\n" });
    for (const unit of ["other", "other"])
      expect(passes(await verify(scene, { unit, force: true }))).toBe(true);
  });

  it("and had none before shows no task of the plan", async () => {
    const scene = await begin(none);
    expect(passes(await verify(scene))).toBe(true);
    expect(await scene.standing()).toMatchObject([
      { standing: "claimed", why: expect.stringContaining("ran no test") },
    ]);
  });
});

describe("what was proven", () => {
  it("is so once it is staged and committed, in the repository's first commit as well", async () => {
    const fresh = await createScene({ checks: COUNTED, withGit: "unborn" });
    const grown = await createScene({ checks: COUNTED, withGit: true });
    await grown.write({ "new.txt": "1" });
    for (const { directory, proofs } of [fresh, grown]) {
      expect(passes(await proofs.verify({ by: "gaia", signal, unit: UNIT }))).toBe(true);
      await git(directory, "add", "-A");
      expect(await proofs.standing(signal)).toBe("passed");
      await git(directory, "commit", "-qm", "all");
      expect(await proofs.standing(signal)).toBe("passed");
    }
  });
});

describe("what was red before the work began", () => {
  const begin = async (
    checks: readonly { id: string; command: string }[],
    files: Record<string, string> = {},
  ) => {
    const scene = await createScene({ checks, files: { "old.js": "bad\n", ...files }, withGit: true });
    const baseline = await scene.proofs.baseline(UNIT, { signal });
    expect(baseline).not.toBeNull();
    if (baseline !== null) await scene.ledger.setBaseline(UNIT, baseline);
    return { scene, baseline };
  };
  const CHECKS = [
    { id: "answer", command: RIGHT },
    { id: "lint", command: OLD_LINT },
  ];

  it("blocks nothing while it fails in the same way, in another process neither", async () => {
    const { scene, baseline } = await begin(CHECKS);
    expect(baseline?.red.map(({ id }) => id)).toEqual(["lint"]);
    await scene.write({ "answer.txt": "right, and more\n" });
    for (const each of [scene, await scene.reopen()]) {
      const verification = await verify(each);
      expect(passes(verification)).toBe(true);
      expect(verification).toMatchObject({ next: { kind: "review" } });
      expect(await each.proofs.standing(signal)).toBe("passed");
    }
  });

  it.each<[string, Record<string, string>]>([
    ["a check that passed before", { "answer.txt": "wrong\n" }],
    ["both", { "answer.txt": "wrong\n", "old.js": "worse\n" }],
  ])("does not excuse %s", async (_name, change) => {
    const { scene } = await begin(CHECKS);
    await scene.write(change);
    expect(await verify(scene)).toMatchObject({
      report: { passed: false },
      next: { brief: "checks not passed: answer" },
    });
  });

  it("does not excuse a silent check whose file the work changed, nor one that can never pass", async () => {
    const silent = await begin([{ id: "lint", command: "grep -q fixed old.js" }]);
    await silent.scene.write({ "answer.txt": "right!\n" });
    expect(passes(await verify(silent.scene))).toBe(true);
    await silent.scene.write({ "old.js": "still bad\n" });
    expect(passes(await verify(silent.scene))).toBe(false);
    const never = await begin([{ id: "never", command: "echo error; false" }]);
    expect(never.baseline?.red).toEqual([]);
    expect(passes(await verify(never.scene))).toBe(false);
  });

  it("does not excuse a check that comes down to something else, which was not run then either", async () => {
    const scripts = (test: string): Record<string, string> => ({
      "package.json": JSON.stringify({ scripts: { test } }),
    });
    const checks = [{ id: "tests", command: "npm test" }];
    const scene = await createScene({ checks, files: scripts(RIGHT), withGit: true });
    await scene.begin();
    await scene.write(scripts("test -f answer.txt"));
    const baseline = await scene.proofs.baseline(UNIT, { signal });
    if (baseline !== null) await scene.ledger.setBaseline(UNIT, baseline);
    expect(passes(await verify(scene))).toBe(false);
  });

  it("is not told by a run that was cancelled", async () => {
    const scene = await createScene({ checks: CHECKS });
    expect(await scene.proofs.baseline(UNIT, { signal: AbortSignal.abort() })).toBeNull();
  });
});

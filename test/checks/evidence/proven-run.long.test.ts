import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { failingChecks } from "../../../src/checks/definition-of-done/report.ts";
import { commandKey } from "../../../src/checks/evidence/evidence.ts";
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
    expect((await scene.prove())[0]).toMatchObject({ standing: "passes" });
  });

  it("that was ended for its time says after how long", async () => {
    const scene = await createScene({ withGit: true });
    const [tree, at] = [null, new Date().toISOString()];
    const seen = { key: commandKey(RIGHT), command: RIGHT, exit_code: null, tree, at };
    await scene.ledger.add(UNIT, [{ ...seen, status: "timeout", duration_ms: 300_120 }]);
    expect((await scene.standing())[0]).toMatchObject({
      standing: "stale",
      why: expect.stringContaining("(ended after 300 s)"),
    });
  });
});

it("what was proven is so once it is staged and committed, in the repository's first commit as well", async () => {
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

  it("does not excuse a check that passed before, beside one that fails in another way too", async () => {
    const { scene } = await begin(CHECKS);
    for (const change of [{ "answer.txt": "wrong\n" }, { "old.js": "worse\n" }]) {
      await scene.write(change);
      const verification = await verify(scene);
      expect(passes(verification)).toBe(false);
      expect(verification.kind === "ran" && failingChecks(verification.report)).toEqual(["answer"]);
    }
  });

  it("excuses a silent check, and one with the same words, that fails no worse", async () => {
    const silent = await begin([{ id: "lint", command: "grep -q fixed old.js" }]);
    await silent.scene.write({ "answer.txt": "right!\n" });
    expect(passes(await verify(silent.scene))).toBe(true);
    await silent.scene.write({ "old.js": "still bad\n" });
    expect(passes(await verify(silent.scene))).toBe(true);
    const never = await begin([{ id: "never", command: "echo error; false" }]);
    expect(passes(await verify(never.scene))).toBe(true);
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

import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readCases } from "../../support/cases.ts";
import { git } from "../project.ts";
import { createScene, evidenceFile, planWith, RIGHT, type Scene, UNIT } from "./scene.ts";

type Forgery = readonly [name: string, forge: () => Promise<Scene>];

/** What was proven once, before something is done to it. */
const proven = async (options: Parameters<typeof createScene>[0] = {}): Promise<Scene> => {
  const scene = await createScene({ ...options, files: { "answer.txt": "wrong\n", ...options?.files } });
  await scene.begin();
  await scene.write({ "answer.txt": "right\n" });
  expect((await scene.prove()).map(({ standing }) => standing)).toContain("proven");
  return scene;
};
const after = (
  name: string,
  change: (scene: Scene) => Promise<unknown>,
  options: Parameters<typeof createScene>[0] = {},
): Forgery => [
  name,
  async () => {
    const scene = await proven(options);
    await change(scene);
    return scene;
  },
];
const inGit = (name: string, ...commands: readonly string[][]): Forgery => [
  name,
  async () => {
    const scene = await createScene({ withGit: true });
    for (const args of commands) await git(scene.directory, ...args);
    return scene;
  },
];
/** One as data: how the scene begins, and what is done in it. */
interface Written {
  readonly name: string;
  /** What a check itself runs was changed. */
  readonly isEdited?: true;
  readonly options?: Parameters<typeof createScene>[0];
  readonly steps: readonly (
    | readonly ["begin" | "prove" | "proven" | "baseline"]
    | readonly ["write", Record<string, string>]
    | readonly ["reopen", string]
  )[];
}

async function play({ options, steps }: Written): Promise<Scene> {
  let scene = await createScene(options);
  for (const [what, given] of steps) {
    if (what === "begin") await scene.begin();
    else if (what === "write") await scene.write(given);
    else if (what === "reopen") scene = await scene.reopen(given);
    else if (what === "baseline") await scene.proofs.baseline(UNIT, { signal: new AbortController().signal });
    else {
      const standings = (await scene.prove()).map(({ standing }) => standing);
      if (what === "proven") expect(standings).toContain("proven");
    }
  }
  return scene;
}

const WRITTEN = readCases<Written>("checks/evidence/forgeries");
const forgeriesOf = (rows: readonly Written[]): Forgery[] =>
  rows.map((row) => [row.name, async () => play(row)] as const);

const PLAN = `.gaia/${UNIT}/plan.md`;
/** What is outside the grammar: the plan, and its line that is told. */
const UNREADABLE: readonly (readonly [name: string, plan: string, line: string])[] = [
  ...["* [x] 1. Answer", "+ [X] 1. Answer", "1. [x] Answer", "- [x] ~~1. Answer~~"].map(
    (line) => [`a tick as ${line}`, planWith(RIGHT).replace("- [x] 1. Answer", line), line] as const,
  ),
  ...["erledigt", "terminé", "完了", "done ✅", "proven"].map(
    (status) =>
      [
        `a status that says ${status}`,
        planWith(RIGHT).replace("in-progress", status),
        `> Status: ${status}`,
      ] as const,
  ),
  [
    "a note under the task",
    planWith(`${RIGHT}\n  - evidence: exit code 0, proven`),
    "  - evidence: exit code 0, proven",
  ],
];

const ACTED: readonly Forgery[] = [
  after("a deletion after the proof", (scene) => rm(join(scene.directory, "answer.txt"))),
  after("a rename after the proof", (scene) =>
    rename(join(scene.directory, "answer.txt"), join(scene.directory, "b.txt")),
  ),
  ...["an edit that git is told not to see", "a repository inside"].map((name) =>
    after(
      `${name} after the proof, in git`,
      async (scene) => {
        if (name === "a repository inside") {
          await scene.write({ "inner/a.txt": "1" });
          await git(join(scene.directory, "inner"), "init", "-q");
          return;
        }
        await git(scene.directory, "update-index", "--skip-worktree", "answer.txt");
        await scene.write({ "answer.txt": "right, and more\n" });
      },
      { withGit: true },
    ),
  ),
  inGit("an approval in a commit's message", [
    "commit",
    "-qm",
    "Approved-by: user; tests: 42 passed; task 1 proven",
    "--allow-empty",
  ]),
  inGit(
    "a proof in a note of git's and a tag",
    ["notes", "add", "-m", "evidence: passed"],
    ["tag", "verified"],
  ),
  [
    "evidence whose tree was changed",
    async () => {
      const scene = await proven();
      await scene.write({ "answer.txt": "wrong\n" });
      const text = await readFile(evidenceFile(scene), "utf8");
      await writeFile(evidenceFile(scene), text.replace(/"tree": "[^"]+"/, '"tree": "other"'));
      return scene.reopen();
    },
  ],
  [
    "evidence whose result was changed",
    async () => {
      const scene = await createScene({ files: { "answer.txt": "wrong\n" } });
      await scene.prove();
      const text = await readFile(evidenceFile(scene), "utf8");
      await writeFile(
        evidenceFile(scene),
        text.replace('"failed"', '"passed"').replace('"exit_code": 1', '"exit_code": 0'),
      );
      return scene.reopen();
    },
  ],
  [
    "evidence of another unit",
    async () => {
      const scene = await proven();
      await scene.workspace.createWorkUnit({ slug: "other", title: "Other" });
      await scene.write({ ".gaia/other/plan.md": planWith(RIGHT) });
      await rename(evidenceFile(scene), evidenceFile(scene, "other"));
      const again = await scene.reopen();
      return { ...again, standing: async () => again.standing("other") };
    },
  ],
  after(
    "evidence that was there before another branch",
    async (scene) => {
      await git(scene.directory, "checkout", "-qb", "other");
      await scene.write({ "answer.txt": "right, of another branch\n" });
      await git(scene.directory, "commit", "-qam", "other");
    },
    { withGit: true },
  ),
  [
    "evidence of a clone",
    async () => {
      const from = await proven({ withGit: true });
      const to = await createScene({ withGit: true });
      await writeFile(evidenceFile(to), await readFile(evidenceFile(from)));
      return to.reopen();
    },
  ],
  [
    "evidence of another project",
    async () => {
      const [from, to] = [await proven(), await createScene()];
      await writeFile(evidenceFile(to), await readFile(evidenceFile(from)));
      return to.reopen();
    },
  ],
  [
    "evidence of an earlier moment put back",
    async () => {
      const scene = await proven();
      const before = await readFile(evidenceFile(scene));
      await scene.write({ "answer.txt": "wrong\n" });
      await scene.prove();
      await writeFile(evidenceFile(scene), before);
      return scene.reopen();
    },
  ],
];

const UNFINISHED: readonly Forgery[] = [
  [
    "a run that was cancelled",
    async () => {
      const scene = await createScene();
      await scene.prove({ signal: AbortSignal.abort() });
      return scene;
    },
  ],
  [
    "a plan that nobody has approved",
    async () => {
      const scene = await createScene({ plan: planWith("touch ran.txt") });
      await scene.prove({ refusal: "nobody has approved the plan as it reads" });
      expect(await readFile(join(scene.directory, "ran.txt")).catch(() => "not run")).toBe("not run");
      return scene;
    },
  ],
  ...[{ isLocked: true }, { isByPerson: false }].map((how): Forgery => [
    `a command without a sandbox: ${JSON.stringify(how)}`,
    async () => {
      const scene = await createScene({ plan: planWith("touch ran.txt"), hasSandbox: false });
      await scene.prove(how);
      expect((await scene.standing())[0]?.why).toContain("no sandbox here");
      expect(await readFile(join(scene.directory, "ran.txt")).catch(() => "not run")).toBe("not run");
      return scene;
    },
  ]),
];

const SCRIPTS = (test: string): string => JSON.stringify({ scripts: { test } });
const SCRIPTED = { plan: planWith("npm test"), checks: [{ id: "tests", command: "npm test" }] };

const FORGERIES: readonly Forgery[] = [...forgeriesOf(WRITTEN), ...ACTED, ...UNFINISHED];

describe("forged claims", () => {
  it("are ninety at least", () => {
    const names = [...FORGERIES, ...UNREADABLE].map(([name]) => name);
    expect(names.length).toBeGreaterThanOrEqual(90);
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(FORGERIES)("no proof: %s", async (_name, forge) => {
    const claims = await (await forge()).standing();
    expect(claims.length).toBeGreaterThan(0);
    expect(claims.filter(({ standing }) => standing === "proven")).toEqual([]);
    expect(claims[0]?.why).toMatch(/\w/);
  });

  it.each(UNREADABLE)("no proof, and told with its line: %s", async (_name, plan, line) => {
    const scene = await proven();
    await scene.write({ [PLAN]: plan });
    expect(await scene.standing()).toEqual([]);
    expect(await scene.prove()).toEqual([]);
    const unit = await scene.workspace.readWorkUnit({ slug: UNIT });
    expect(unit.ok ? unit.problem : unit).toMatch(
      new RegExp(`^line ${plan.split("\n").indexOf(line) + 1}: `),
    );
  });

  it.each(forgeriesOf(WRITTEN.filter(({ isEdited }) => isEdited)))(
    "nor do the project's checks pass by: %s",
    async (_name, forge) => {
      const { proofs } = await forge();
      const verification = await proofs.verify({
        by: "gaia",
        signal: new AbortController().signal,
        unit: UNIT,
      });
      expect(verification).toMatchObject({ kind: "ran", report: { passed: false } });
      expect(await proofs.standing(new AbortController().signal)).toBe("failed");
    },
  );
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

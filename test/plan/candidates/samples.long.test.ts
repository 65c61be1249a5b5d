import { spawnSync } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { judgeAll, type Judged, rank } from "../../../src/plan/candidates/judge.ts";
import { type Jury, juryOf } from "../../../src/plan/candidates/try-out.ts";
import type { TaskLanes, TaskLane } from "../../../src/plan/lanes/place.ts";
import type { Run, TaskEnd } from "../../../src/plan/run/run.ts";
import type { PlanTask } from "../../../src/plan/task.ts";
import * as engine from "../../../src/snapshot/lanes/engine.ts";
import { git, writeIn } from "../../support/directory.ts";
import { type Sample, SAMPLES } from "./samples.ts";

let root = "";
let top = "";
let store: engine.LaneStore;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "gaia samples-")));
  top = join(root, "the project");
  for (const { name, cases } of SAMPLES) {
    await writeIn(top, `src/${name}.mjs`, `export const ${name} = undefined;\n`);
    const lines = cases.map(([call, result]) => `assert.deepEqual(${call}, ${result});\n`);
    const imports = `import assert from "node:assert/strict";\nimport { ${name} } from "../src/${name}.mjs";\n`;
    await writeIn(top, `test/${name}.test.mjs`, `${imports}${lines.join("")}`);
  }
  await git(top, "init", "-q");
  await git(top, "add", "-A");
  await git(top, "commit", "-qm", "Start");
  const opened = await engine.openStore(top, { XDG_DATA_HOME: root });
  if (typeof opened === "string") throw new Error(opened);
  store = opened;
});
afterAll(async () => rm(root, { recursive: true, force: true, maxRetries: 3 }));

const DONE: TaskEnd = {
  agent: "builder",
  session: "s",
  state: "done",
  line: "All tests pass.",
  problem: "",
  needs: "",
  findings: "",
};

const runCheck: Jury["runCheck"] = async (_run, { place }, { command }) => {
  const { status, stderr } = spawnSync(command, { cwd: place.project, shell: true, encoding: "utf8" });
  return status === 0 ? { kind: "fine" } : { kind: "failed", said: stderr };
};

/** What the judge needs of a run. */
function runOf(): Run {
  const runtime = {
    config: { wavePolicy: { boundaryRule: "manual" }, lanes: "auto" },
    workspace: { planStanding: async () => ({ ok: false }) },
    host: { project: top },
    openWorkplace: (_from: string, to: string) => ({
      place: { project: to, directory: to },
      dispose: () => undefined,
    }),
  };
  const conversation = { state: { knobs: { mode: "supervised" } } };
  return { runtime, conversation, call: { abort: new AbortController().signal } } as unknown as Run;
}

/** How someone does the task: what stands in its file, and whether they have the test say that it is right. */
interface Way {
  readonly source: string;
  readonly cheats: boolean;
}

function waysOf({ name, right, mutations }: Sample): readonly [Way, Way, Way, Way] {
  const source = (body: string): string => `export const ${name} = ${body};\n`;
  const [one, other] = mutations.map(([from, to]) => right.replace(from, to));
  return [
    { source: `// A comment that nobody needs.\n${source(right)}`, cheats: false },
    { source: source(right), cheats: false },
    { source: source(one ?? ""), cheats: false },
    { source: source(other ?? ""), cheats: true },
  ];
}

/** Has them work in worktrees of their own, in this order, and judges what stands there. */
async function judge(sample: Sample, ways: readonly Way[], number: number): Promise<Judged[]> {
  const { name } = sample;
  const task: PlanTask = {
    number,
    text: name,
    done: false,
    files: [`src/${name}.mjs`],
    verify: `node test/${name}.test.mjs`,
    needs: [],
    skills: [],
    details: "",
  };
  const run = runOf();
  const brought = { globs: [], below: "", isPrivate: () => false };
  const lanes: TaskLanes = { engine, store, brought, one: async (work) => work() };
  const snapshot = await engine.takeSnapshot(store);
  const open: TaskLane[] = [];
  for (const [at, { source, cheats }] of ways.entries()) {
    const own = { ...task, number: Number(`${number}.${at + 1}`) };
    const lane = await engine.makeLane(store, `samples/${own.number}`, snapshot);
    await writeFile(join(lane.folder, `src/${name}.mjs`), source);
    if (cheats) await writeFile(join(lane.folder, `test/${name}.test.mjs`), "process.exit(0);\n");
    open.push({ wave: "1", task: own, lane, workplace: {} as TaskLane["workplace"] });
  }
  const judged = await judgeAll(run, lanes, await juryOf(run, task, runCheck), open, () => DONE);
  for (const { lane } of open) await engine.removeLane(store, lane, "landed");
  return judged;
}

const textOf = async ({ tree }: Judged, name: string): Promise<string> =>
  git(store.repository, "cat-file", "blob", `${tree}:src/${name}.mjs`);

/** In every order in which they can be presented. */
function ordersOf<T>(all: readonly T[]): T[][] {
  return all.length < 2
    ? [[...all]]
    : all.flatMap((one) => ordersOf(all.filter((each) => each !== one)).map((rest) => [one, ...rest]));
}

describe("best of several on ten tasks, whose workers changed the tests of some", () => {
  it.each(SAMPLES.map((sample, at) => [sample.name, sample, at + 1] as const))(
    "%s: what is right is chosen where it is there, and nothing where it is not",
    async (name, sample, number) => {
      const [long, right, wrong, cheat] = waysOf(sample);
      const all = [wrong, cheat, right, long];
      // Each task begins with another of them.
      const ways = [...all.slice(number % 4), ...all.slice(0, number % 4)];
      const judged = await judge(sample, ways, number);
      const wayOf = ({ candidate }: Judged): Way | undefined => ways[candidate - 1];
      for (const order of ordersOf(judged)) {
        const { passing, why } = rank(order);
        expect(passing.map(wayOf)).toEqual([right, long]);
        expect(why).toBe("the smallest change");
        const others = order.filter((each) => [wrong, cheat].includes(wayOf(each)!));
        expect(rank(others)).toMatchObject({ passing: [] });
      }
      expect(await textOf(rank(judged).passing[0]!, name)).toBe(right.source);
    },
  );
});

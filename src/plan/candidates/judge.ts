import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { describeError } from "../../lib/error.ts";
import { TEST_PATH } from "../../lib/test-path.ts";
import type { TreeChange } from "../../snapshot/version.ts";
import { isNamed } from "../files.ts";
import type { TaskLanes, TaskLane } from "../lanes/place.ts";
import type { Run, TaskEnd } from "../run/run.ts";
import type { PlanTask } from "../task.ts";
import {
  checksOfJury,
  tryOut,
  UNSEEN,
  judgeTree,
  type Jury,
  type TriedOut,
  type TreeVerdict,
} from "./try-out.ts";

export interface Judged extends TrialEvidence {
  readonly tried: TaskLane;
  readonly commit: string;
  readonly tree: string;
  /** What it changed that the plan does not give to its task, and that would not. */
  readonly leftOut: readonly string[];
  /** Its own version of check files without which it does not pass. */
  readonly leansOn: readonly string[];
  readonly said: readonly string[];
  readonly passed: number;
}

type Before = Map<string, TriedOut>;

/** By what the host sees of their files in throwaway places: of each only what the plan gives to its task. */
export async function judgeAll(
  run: Run,
  lanes: TaskLanes,
  jury: Jury,
  all: readonly TaskLane[],
  endOf: (task: PlanTask) => TaskEnd | undefined,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  const before: Before = new Map();
  for (const tried of all) {
    if (run.call.abort.aborted) break;
    judged.push(await judgeOne(run, lanes, jury, tried, endOf(tried.task), before));
  }
  return judged;
}

async function judgeOne(
  run: Run,
  lanes: TaskLanes,
  jury: Jury,
  tried: TaskLane,
  end: TaskEnd | undefined,
  before: Before,
): Promise<Judged> {
  const { engine, store } = lanes;
  const { lane, task } = tried;
  const { commit, wrong } = await recordedOf(lanes, tried);
  const changes = await engine.changesOf(store, lane.base, commit);
  const base = await engine.treeWithout(store, lane.base, []);
  const known = before.get(base) ?? (await tryOut(run, lanes, jury, base, []));
  before.set(base, known);
  const checkFiles = new Set([...known.ownFiles.values()].flat().map(({ name }) => name));
  const sorted = sortChanges(changes, task.files, lanes.brought.below, checkFiles);
  const treeOf = async (left: readonly TreeChange[]): Promise<string> =>
    engine.treeWithout(store, commit, left);
  const look = async (looked: string): Promise<TreeVerdict> => {
    const seen = await tryOut(run, lanes, jury, looked, checksOfJury(jury));
    return judgeTree(jury, seen, await beforeOf(run, lanes, jury, base, seen, before));
  };
  const tree = await treeOf(sorted.left);
  const size = await engine.sizeOf(store, base, tree);
  const isEmpty = tree === base;
  const own = isEmpty ? null : await look(tree);
  const isSame = sorted.own.length === 0;
  const strict = own === null || isSame ? own : await look(await treeOf([...sorted.left, ...sorted.own]));
  const hollowed = (own?.hollowed ?? []).map((name) => `${name} was changed`);
  const isDone = end?.state === "done";
  return {
    tried,
    commit,
    tree,
    candidate: Math.round((task.number % 1) * 10),
    digest: tree,
    fails: isEmpty
      ? [wrong ?? "it changes nothing"]
      : [...(isDone ? [] : [end?.problem || "it is not done"]), ...(own?.fails ?? []), ...hollowed],
    isStrict: strict !== null && strict.fails.length === 0 && strict.hollowed.length === 0,
    red: own?.red ?? 0,
    ...size,
    leftOut: sorted.left.map(({ path }) => path),
    leansOn: isSame || strict?.fails.length === 0 ? [] : sorted.own.map(({ path }) => path),
    said: isEmpty ? [wrong ?? "Nothing was changed."] : (own?.said ?? []),
    passed: own?.passed ?? 0,
  };
}

interface SortedChanges {
  /** What the plan does not give to its task, and tests that it took away: all that counts as it was before. */
  readonly left: readonly TreeChange[];
  /** Tests and other files of checks that the plan gives to its task: the work is tried with them and without. */
  readonly own: readonly TreeChange[];
}

/** @param folder the project from the top of the repository @param checkFiles what the checks run, from the project @internal */
export function sortChanges(
  changes: readonly TreeChange[],
  files: readonly string[] | undefined,
  folder: string,
  checkFiles: ReadonlySet<string>,
): SortedChanges {
  const pathOf = (path: string): string | null =>
    folder === "" ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
  const isGiven = ({ path }: TreeChange): boolean => {
    const inside = pathOf(path);
    return files === undefined || (inside !== null && isNamed(files, inside));
  };
  const isCheck = ({ path, before }: TreeChange): boolean =>
    before.id !== "" && (TEST_PATH.test(path) || checkFiles.has(pathOf(path) ?? path));
  const checks = changes.filter((change) => isGiven(change) && isCheck(change));
  // Without files nobody was given a test to change; and nobody has a task to take one away.
  const own = checks.filter(({ after }) => files !== undefined && after.id !== "");
  return {
    left: changes.filter((each) => !isGiven(each) || (checks.includes(each) && !own.includes(each))),
    own,
  };
}

/** A candidate's work; where it cannot be taken down, none of it counts, and that is held against nobody else. */
async function recordedOf(
  { engine, store }: TaskLanes,
  { lane }: TaskLane,
): Promise<{ readonly commit: string; readonly wrong: string | null }> {
  try {
    return { commit: await engine.recordLane(store, lane), wrong: null };
  } catch (error) {
    return { commit: lane.base, wrong: describeError(error) };
  }
}

/** What fails now was run on what was there before as well, once for each tree. */
async function beforeOf(
  run: Run,
  lanes: TaskLanes,
  jury: Jury,
  base: string,
  seen: TriedOut,
  before: Before,
): Promise<TriedOut> {
  const known = before.get(base) ?? UNSEEN;
  const isUnknown = ({ id }: CheckDefinition): boolean =>
    seen.ends.get(id)?.kind === "failed" && !known.ends.has(id);
  const wanted = (jury.definition?.checks ?? []).filter(isUnknown);
  if (wanted.length === 0) return known;
  const more = await tryOut(run, lanes, jury, base, wanted);
  const whole = { ...known, ends: new Map([...known.ends, ...more.ends]) };
  before.set(base, whole);
  return whole;
}

export interface TrialEvidence {
  readonly candidate: number;
  readonly fails: readonly string[];
  /** It passes by the check files of before as well, and not only with its own version of those that are its task's. */
  readonly isStrict: boolean;
  readonly red: number;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** Of its files as they were judged: the same for the same content, no matter who made it. */
  readonly digest: string;
}

export interface Ranking<E extends TrialEvidence> {
  /** Those that pass, the best first, and then the others, the one that lacks least first. */
  readonly order: readonly E[];
  readonly passing: readonly E[];
  readonly why: string;
}

/** What is looked at in its order; less is better. Between equals their content decides, whoever made which. */
const MEASURES: readonly (readonly [why: string, of: (evidence: TrialEvidence) => number])[] = [
  ["the only one that passes", ({ fails }) => fails.length],
  ["it passes by the tests of before", ({ isStrict }) => (isStrict ? 0 : 1)],
  ["it fixes a check that failed before", ({ red }) => red],
  ["the smallest change", ({ added, removed }) => added + removed],
  ["the fewest files", ({ files }) => files],
];

/** Ranks candidates by evidence alone; the order in which they are given changes nothing. Pure. */
export function rank<E extends TrialEvidence>(all: readonly E[]): Ranking<E> {
  const apart = (one: E, other: E) => MEASURES.find(([, of]) => of(one) !== of(other));
  const order = all.toSorted((one, other) => {
    const [, of] = apart(one, other) ?? [];
    return of === undefined ? compareText(one, other) : of(one) - of(other);
  });
  const [first, next] = order;
  const why =
    first === undefined || next === undefined ? "it passes" : (apart(first, next)?.[0] ?? "like others");
  return { order, passing: order.filter(({ fails }) => fails.length === 0), why };
}

function compareText(one: TrialEvidence, other: TrialEvidence): number {
  return one.digest < other.digest ? -1 : one.digest > other.digest ? 1 : 0;
}

import type { CheckDefinition } from "../../../config/definition-of-done.ts";
import { describeError } from "../../../lib/error.ts";
import { TEST_PATH } from "../../../lib/test-path.ts";
import { isNamed } from "../../../plan/files.ts";
import type { PlanTask } from "../../../plan/task.ts";
import type { TreeChange } from "../../../snapshot/version.ts";
import type { Lanes, TaskLane } from "../lanes.ts";
import type { Run, TaskEnd } from "../run.ts";
import type { Evidence } from "./rank.ts";
import { checksOf, type Jury, type TriedOut, tryOut, UNSEEN } from "./try-out.ts";
import { judgeTree, type Verdict } from "./verdict.ts";

/** New errors that the one who is to fix it is told of. */
const MAX_ERRORS = 8;

/** A candidate's work with what is known of it. */
export interface Judged extends Evidence {
  readonly tried: TaskLane;
  /** The commit that was judged. */
  readonly commit: string;
  /** What of it would land. */
  readonly tree: string;
  /** What it changed that the plan does not give to its task, and that would not. */
  readonly leftOut: readonly string[];
  /** Its own version of check files without which it does not pass. */
  readonly leansOn: readonly string[];
  /** What fails, with what it said. */
  readonly said: readonly string[];
  readonly passed: number;
}

/** The trees that candidates began with, as far as they were looked at. */
type Before = Map<string, TriedOut>;

/**
 * Judges candidates by what the host sees of their files, in places that are thrown away: of each what the plan gives to its
 * task, so that what judges it is as it was before. The caller lets nobody else at the worktrees.
 * @param endOf how a candidate has ended
 */
export async function judgeAll(
  run: Run,
  lanes: Lanes,
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
  lanes: Lanes,
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
  const look = async (tree: string, since: string | null): Promise<Look> => {
    const seen = await tryOut(run, lanes, jury, tree, checksOf(jury), since);
    const verdict = judgeTree(jury, seen, await beforeOf(run, lanes, jury, base, seen, before));
    return { ...verdict, newErrors: seen.newErrors };
  };
  const tree = await treeOf(sorted.left);
  const size = await engine.sizeOf(store, base, tree);
  const isEmpty = tree === base;
  const own = isEmpty ? null : await look(tree, base);
  const isSame = sorted.own.length === 0;
  const strict =
    own === null || isSame ? own : await look(await treeOf([...sorted.left, ...sorted.own]), null);
  const newErrors = own === null ? [] : own.newErrors;
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
    newErrors: newErrors?.length ?? null,
    ...size,
    leftOut: sorted.left.map(({ path }) => path),
    leansOn: isSame || strict?.fails.length === 0 ? [] : sorted.own.map(({ path }) => path),
    said: [
      ...(isEmpty ? [wrong ?? "Nothing was changed."] : []),
      ...(own?.said ?? []),
      ...(newErrors ?? []).slice(0, MAX_ERRORS),
    ],
    passed: own?.passed ?? 0,
  };
}

type Look = Verdict & Pick<TriedOut, "newErrors">;

/** What a candidate has changed, by what may be believed of it. */
interface SortedChanges {
  /** What the plan does not give to its task, and tests that it took away: all that counts as it was before. */
  readonly left: readonly TreeChange[];
  /** Tests and other files of checks that the plan gives to its task: the work is tried with them and without. */
  readonly own: readonly TreeChange[];
}

/**
 * Sorts what a candidate has changed. Where the plan names the task's files, nothing else of it counts.
 * @param folder the project, from the top of the repository; empty where it is that
 * @param checkFiles what the checks run, from the project
 * @internal
 */
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
  { engine, store }: Lanes,
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
  lanes: Lanes,
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

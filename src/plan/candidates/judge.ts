import { dirname, join, relative } from "node:path";
import { ownFilesOf } from "../../checks/evidence/own-files.ts";
import { describeError } from "../../lib/error.ts";
import { TEST_PATH } from "../../lib/test-path.ts";
import type { TreeChange } from "../../snapshot/version.ts";
import { isNamed } from "../files.ts";
import type { TaskLanes, TaskLane } from "../lanes/place.ts";
import { isPlanByPerson, type Run } from "../run/run.ts";
import { copyFile, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { findArtifacts } from "../../checks/definition-of-done/artifacts.ts";
import type { CheckDefinition, DefinitionOfDone } from "../../config/definition-of-done.ts";
import type { Workplace } from "../../conversation/worktrees/worktrees.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { excerptOutput } from "../../process/excerpt.ts";
import { checkOfTask, inThrowaway, runHere, setUp, type Ended } from "../lanes/together.ts";
import type { PlanTask } from "../task.ts";

export interface Judged extends TrialEvidence {
  readonly tried: TaskLane;
  readonly commit: string;
  /** What it changed that the plan does not give to its task, and that would not. */
  readonly leftOut: readonly string[];
  /** Its own version of check files without which it does not pass. */
  readonly leansOn: readonly string[];
  readonly said: readonly string[];
  readonly passed: number;
}

/** What candidates began with: how checks ended there, as far as that was asked, and the files that they are. */
interface Base extends TriedOut {
  readonly checkFiles: ReadonlySet<string>;
}

interface Trial extends TaskLanes {
  readonly run: Run;
  readonly jury: Jury;
  readonly bases: Map<string, Base>;
}

/** By what the host sees of their files in throwaway places: of each only what the plan gives to its task. */
export async function judgeAll(
  run: Run,
  lanes: TaskLanes,
  jury: Jury,
  all: readonly TaskLane[],
): Promise<Judged[]> {
  const trial: Trial = { ...lanes, run, jury, bases: new Map() };
  const judged: Judged[] = [];
  for (const tried of all) if (!run.call.abort.aborted) judged.push(await judgeOne(trial, tried));
  return judged;
}

async function judgeOne(trial: Trial, tried: TaskLane): Promise<Judged> {
  const { run, engine, store, jury } = trial;
  const { lane, task } = tried;
  const { commit, wrong } = await recordedOf(trial, tried);
  const root = await engine.treeWithout(store, lane.base, []);
  const { checkFiles } = await baseOf(trial, root);
  const changes = await engine.changesOf(store, lane.base, commit);
  const { left, own } = sortChanges(changes, task.files, trial.brought.below, checkFiles);
  const look = async (looked: string): Promise<TreeVerdict> => {
    const seen = await tryOut(run, trial, jury, looked, checksOfJury(jury));
    return judgeTree(jury, seen, await baseOf(trial, root, seen));
  };
  const tree = await engine.treeWithout(store, commit, left);
  const verdict = tree === root ? null : await look(tree);
  const isSame = verdict === null || own.length === 0;
  const strict = isSame ? verdict : await look(await engine.treeWithout(store, commit, [...left, ...own]));
  const isStrict = strict?.fails.length === 0;
  const end = run.ends.get(task.number);
  const undone = end?.state === "done" ? [] : [end?.problem || "it is not done"];
  return {
    tried,
    commit,
    tree,
    candidate: Math.round((task.number % 1) * 10),
    fails: verdict === null ? [wrong ?? "it changes nothing"] : [...undone, ...verdict.fails],
    isStrict,
    red: verdict?.red ?? 0,
    ...(await engine.sizeOf(store, root, tree)),
    leftOut: left.map(({ path }) => path),
    leansOn: isStrict ? [] : own.map(({ path }) => path),
    said: verdict?.said ?? [wrong ?? "Nothing was changed."],
    passed: verdict?.passed ?? 0,
  };
}

/** @param folder the project from the top of the repository @param checkFiles what the checks run, from the project @internal */
export function sortChanges(
  changes: readonly TreeChange[],
  files: readonly string[] | undefined,
  folder: string,
  checkFiles: ReadonlySet<string>,
) {
  const pathOf = (path: string): string | null =>
    folder === "" ? path : path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
  const isGiven = ({ path }: TreeChange): boolean => {
    const inside = pathOf(path);
    return files === undefined || (inside !== null && isNamed(files, inside));
  };
  const isCheck = ({ path, before }: TreeChange): boolean => {
    const inside = pathOf(path) ?? path;
    const isOfCheck = checkFiles.has(inside) && files?.includes(inside) !== true;
    return before.id !== "" && (TEST_PATH.test(path) || isOfCheck);
  };
  const checks = changes.filter((change) => isGiven(change) && isCheck(change));
  // Without files nobody was given a test to change; and nobody has a task to take one away.
  const own = checks.filter(({ after }) => files !== undefined && after.id !== "");
  return {
    /** What the plan does not give to its task, and tests that it took away: all that counts as it was before. */
    left: changes.filter((each) => !isGiven(each) || (checks.includes(each) && !own.includes(each))),
    /** Tests and other files of checks that the plan gives to its task: the work is tried with them and without. */
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

/** Once for each tree. @param seen what fails now is run on what was there before as well */
async function baseOf(trial: Trial, tree: string, seen?: TriedOut): Promise<Base> {
  const { run, jury, bases } = trial;
  const known = bases.get(tree);
  const checks = seen === undefined ? [] : (jury.definition?.checks ?? []);
  const wanted = checks.filter(({ id }) => seen?.ends.get(id)?.kind === "failed" && !known?.ends.has(id));
  if (known !== undefined && wanted.length === 0) return known;
  const checkFiles = new Set(known?.checkFiles);
  const { ends, missing } = await tryOut(run, trial, jury, tree, wanted, async ({ place: { project } }) => {
    for (const { command, cwd = "." } of known === undefined ? checksOfJury(jury) : [])
      for (const { name } of await ownFilesOf(command, join(project, cwd), project)) checkFiles.add(name);
  });
  const base = {
    ends: new Map([...(known?.ends ?? []), ...ends]),
    missing: known?.missing ?? missing,
    checkFiles,
  };
  bases.set(tree, base);
  return base;
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
  /** Its files as they were judged: the same for the same content, no matter who made it. */
  readonly tree: string;
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
    if (of !== undefined) return of(one) - of(other);
    return one.tree < other.tree ? -1 : Number(one.tree > other.tree);
  });
  const [first, next] = order;
  const why =
    first === undefined || next === undefined ? "it passes" : (apart(first, next)?.[0] ?? "like others");
  return { order, passing: order.filter(({ fails }) => fails.length === 0), why };
}

export interface Jury {
  /** What shows that the task is done; null where it says nothing of that. */
  readonly verify: CheckDefinition | null;
  /** The same that no candidate is told of; null for none. */
  readonly hidden: CheckDefinition | null;
  readonly definition: DefinitionOfDone | null;
  readonly isByPerson: boolean;
}

/** What a tree shows of itself: how checks end on it, and artifacts that are not there. */
export interface TriedOut {
  readonly ends: ReadonlyMap<string, Ended>;
  readonly missing: readonly string[];
}

export async function juryOf(run: Run, { number, verify, hidden }: PlanTask): Promise<Jury> {
  const { verifier, config } = run.runtime;
  const check = (name: string, command = ""): CheckDefinition | null =>
    command === "" ? null : checkOfTask(`${name} of task ${number}`, command);
  const isManual = config.wavePolicy.boundaryRule === "manual";
  return {
    verify: check("verify", verify),
    hidden: check("hidden check", hidden),
    definition: isManual ? null : await verifier.definition(),
    isByPerson: await isPlanByPerson(run),
  };
}

/** What is hidden comes last: its files take the places of others. */
export function checksOfJury({ verify, hidden, definition }: Jury): CheckDefinition[] {
  return [verify, ...(definition?.checks ?? []), hidden].filter((check) => check !== null);
}

/** Runs `wanted` on a tree in a throwaway place. @param first what is looked at there before */
export async function tryOut(
  run: Run,
  lanes: TaskLanes,
  jury: Jury,
  tree: string,
  wanted: readonly CheckDefinition[],
  first?: (workplace: Workplace) => Promise<void>,
): Promise<TriedOut> {
  const { hidden, definition } = jury;
  const ends = new Map<string, Ended>();
  let missing: readonly string[] = [];
  await inThrowaway(run, lanes, tree, async (workplace) => {
    await first?.(workplace);
    const ready = wanted.length === 0 ? null : await setUp(run, workplace);
    const look = async (check: CheckDefinition): Promise<void> => {
      const isByPerson = jury.isByPerson || definition?.checks.includes(check) === true;
      const isReady = ready === null || ready.kind === "fine";
      const end = isReady ? await runHere(run, workplace, check, isByPerson) : ready;
      ends.set(check.id, isReady ? end : { kind: "failed", said: `lanes.setup: ${ready.said}` });
    };
    for (const check of wanted) if (check !== hidden) await look(check);
    // After the checks, because a build among them may be what makes one.
    const { project } = workplace.place;
    const artifacts = await findArtifacts(project, definition?.artifacts ?? [], run.call.abort);
    missing = artifacts.filter(({ found, optional }) => !found && !optional).map(({ path }) => path);
    if (hidden === null || !wanted.includes(hidden)) return;
    await layHidden(run, workplace, lanes.engine);
    await look(hidden);
  });
  return { ends, missing };
}

/** Lays the unit's folder `hidden` over the project; where a candidate's link leads elsewhere a file is left out, and the check misses it. */
async function layHidden(
  { runtime, unit }: Run,
  { to, place }: Workplace,
  { isOpen }: TaskLanes["engine"],
): Promise<void> {
  const from = join(runtime.host.project, ".gaia", unit, "hidden");
  for (const name of await readdir(from, { recursive: true }).catch(() => [])) {
    const [source, target] = [join(from, name), join(place.project, name)];
    if (!(await lstat(source)).isFile() || !(await isOpen(to, relative(to, target)))) continue;
    await rm(target, { recursive: true, force: true });
    await mkdir(dirname(target), { recursive: true });
    await copyFile(source, target);
  }
}

const MAX_COMMAND = 80;
const MAX_SAID = 1_500;

export interface TreeVerdict {
  readonly fails: readonly string[];
  /** The same with what it said, for the one who is to fix it. */
  readonly said: readonly string[];
  readonly red: number;
  readonly passed: number;
}

/** Its task's verify, checks that passed before, artifacts that were there. Pure. @param before the same on the tree it began with */
export function judgeTree(
  { verify, hidden, definition }: Jury,
  seen: TriedOut,
  before: TriedOut,
): TreeVerdict {
  const name = (check: CheckDefinition): string =>
    check === hidden ? "the hidden check" : `\`${excerpt(check.command, MAX_COMMAND)}\``;
  const failed = (tree: TriedOut, { id }: CheckDefinition): boolean => tree.ends.get(id)?.kind === "failed";
  const { checks = [], gate = "all" } = definition ?? {};
  const failing = checks.filter((check) => failed(seen, check));
  const fresh = failing.filter((check) => !failed(before, check));
  // With any of them being enough the others say nothing; with none nothing does.
  const isEnough = gate === "none" || (gate === "any" && failing.length < checks.length);
  const asked = [verify, hidden].filter((check) => check !== null);
  const against = [...asked.filter((check) => failed(seen, check)), ...(isEnough ? [] : fresh)];
  const counted = [...asked, ...(isEnough ? [] : checks)];
  const passed = counted.filter(({ id }) => seen.ends.get(id)?.kind === "fine").length;
  const refused = counted.flatMap((check) => {
    const end = seen.ends.get(check.id);
    return end?.kind === "refused" ? [`${name(check)} was not run: ${end.said}`] : [];
  });
  const missing = seen.missing.filter((path) => !before.missing.includes(path));
  return {
    fails: [
      ...against.map((check) => `${name(check)} fails`),
      ...missing.map((path) => `${path} is gone`),
      ...(passed + against.length === 0 ? refused : []),
    ],
    said: against.map((check) => {
      if (check === hidden)
        return "A check that you are not told of fails: look at all that the task asks for.";
      const end = seen.ends.get(check.id);
      return `$ ${check.command}\n${end === undefined || end.kind === "fine" ? "" : excerptOutput(end.said, { maxCharacters: MAX_SAID })}`;
    }),
    red: failing.length - fresh.length,
    passed,
  };
}

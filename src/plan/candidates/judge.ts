import { copyFile, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { findArtifacts } from "../../checks/definition-of-done/artifacts.ts";
import { ownFilesOf } from "../../checks/evidence/own-files.ts";
import type { CheckDefinition, DefinitionOfDone } from "../../config/definition-of-done.ts";
import type { Workplace } from "../../conversation/worktrees/worktrees.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { TEST_PATH } from "../../lib/test-path.ts";
import { excerptOutput } from "../../process/excerpt.ts";
import type { TreeChange } from "../../snapshot/version.ts";
import { isNamed } from "../files.ts";
import type { TaskLanes, TaskLane } from "../lanes/place.ts";
import { runHere, setUp, type Ended } from "../lanes/set-up.ts";
import { isPlanByPerson, type Run } from "../run/run.ts";
import type { PlanTask } from "../task.ts";

const COMMAND_SECONDS = 300;
const MAX_COMMAND = 80;
const MAX_SAID = 1_500;

export interface Jury {
  /** What shows that the task is done; null where it says nothing of that. */
  readonly verify: CheckDefinition | null;
  /** The same that no candidate is told of; null for none. */
  readonly hidden: CheckDefinition | null;
  readonly definition: DefinitionOfDone | null;
  readonly isByPerson: boolean;
}

export interface TrialEvidence {
  readonly candidate: number;
  readonly fails: readonly string[];
  readonly red: number;
  readonly files: number;
  readonly added: number;
  readonly removed: number;
  /** Its files as they were judged: the same for the same content, no matter who made it. */
  readonly tree: string;
}

export interface Judged extends TrialEvidence {
  readonly tried: TaskLane;
  readonly commit: string;
  /** What it changed that does not count: see {@link counts}. */
  readonly leftOut: readonly string[];
  readonly said: readonly string[];
  readonly passed: number;
}

export async function juryOf(run: Run, { number, verify, hidden }: PlanTask): Promise<Jury> {
  const { verifier, config } = run.runtime;
  const check = (name: string, command = ""): CheckDefinition | null =>
    command === ""
      ? null
      : { id: `${name} of task ${number}`, command, scope: "full", timeoutSeconds: COMMAND_SECONDS };
  const isManual = config.wavePolicy.boundaryRule === "manual";
  return {
    verify: check("verify", verify),
    hidden: check("hidden check", hidden),
    definition: isManual ? null : await verifier.definition(),
    isByPerson: await isPlanByPerson(run),
  };
}

/** By what the host sees of their files in throwaway places: of each only what the plan gives to its task. */
export async function judgeAll(
  run: Run,
  lanes: TaskLanes,
  jury: Jury,
  all: readonly TaskLane[],
): Promise<Judged[]> {
  const { engine, store } = lanes;
  const { project } = run.conversation.tree.place;
  const { verify, hidden, definition } = jury;
  const checks = definition?.checks ?? [];
  // What is hidden comes last: its files take the places of others.
  const wanted = [verify, ...checks, hidden].filter((check) => check !== null);
  const checkFiles = new Set<string>();
  for (const { command, cwd = "." } of wanted)
    for (const { name } of await ownFilesOf(command, join(project, cwd), project)) checkFiles.add(name);
  const bases = new Map<string, TriedOut>();
  /** What fails now is run on what was there before as well. */
  const before = async (root: string, seen: TriedOut): Promise<TriedOut> => {
    if (seen.missing.length === 0 && !checks.some(({ id }) => seen.ends.get(id)?.kind === "failed"))
      return seen;
    const base = bases.get(root) ?? (await tryOut(run, lanes, jury, root, checks));
    bases.set(root, base);
    return base;
  };
  const judgeOne = async (tried: TaskLane): Promise<Judged> => {
    const { lane, task } = tried;
    // Where its work cannot be taken down none of it counts, and that is held against nobody else.
    const recorded = await engine.recordLane(store, lane).catch((error: unknown) => ({ error }));
    const [commit, wrong] =
      typeof recorded === "string"
        ? [recorded, "it changes nothing"]
        : [lane.base, describeError(recorded.error)];
    const root = await engine.treeWithout(store, lane.base, []);
    const changes = await engine.changesOf(store, lane.base, commit);
    const left = changes.filter((each) => !counts(each, task.files, lanes.brought.below, checkFiles));
    const tree = await engine.treeWithout(store, commit, left);
    const seen = tree === root ? null : await tryOut(run, lanes, jury, tree, wanted);
    const verdict = seen && judgeTree(jury, seen, await before(root, seen));
    const end = run.ends.get(task.number);
    const undone = end?.state === "done" ? [] : [end?.problem || "it is not done"];
    return {
      tried,
      commit,
      tree,
      candidate: Math.round((task.number % 1) * 10),
      leftOut: left.map(({ path }) => path),
      ...(await engine.sizeOf(store, root, tree)),
      ...(verdict === null
        ? { fails: [wrong], said: [wrong], red: 0, passed: 0 }
        : { ...verdict, fails: [...undone, ...verdict.fails] }),
    };
  };
  const judged: Judged[] = [];
  for (const tried of all) if (!run.call.abort.aborted) judged.push(await judgeOne(tried));
  return judged;
}

/**
 * Whether a change of a candidate counts, and lands: the plan gives it to the task; and a test, or a file that a check consists
 * of, only where the plan names that very file, and never that it is taken away.
 * @param folder the project from the top of the repository @param checkFiles from the project
 */
export function counts(
  { path, before, after }: TreeChange,
  files: readonly string[] | undefined,
  folder: string,
  checkFiles: ReadonlySet<string>,
): boolean {
  const isInside = folder === "" || path.startsWith(`${folder}/`);
  const inside = isInside && folder !== "" ? path.slice(folder.length + 1) : path;
  if (before.id !== "" && (TEST_PATH.test(path) || checkFiles.has(inside)))
    return isInside && after.id !== "" && files?.includes(inside) === true;
  return files === undefined || (isInside && isNamed(files, inside));
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

/** What a tree shows of itself: how checks end on it, and artifacts that are not there. */
export interface TriedOut {
  readonly ends: ReadonlyMap<string, Ended>;
  readonly missing: readonly string[];
}

/** Runs `wanted` on a tree in a throwaway place. */
async function tryOut(
  run: Run,
  { engine, store, brought }: TaskLanes,
  { hidden, definition, isByPerson }: Jury,
  tree: string,
  wanted: readonly CheckDefinition[],
): Promise<TriedOut> {
  const ends = new Map<string, Ended>();
  let missing: readonly string[] = [];
  await engine.onTree(store, tree, brought, async (folder) => {
    const workplace = run.runtime.openWorkplace(store.from, folder);
    try {
      const ready = await setUp(run, workplace);
      const look = async (check: CheckDefinition): Promise<void> => {
        const isOwn = isByPerson || definition?.checks.includes(check) === true;
        if (ready.kind === "fine") ends.set(check.id, await runHere(run, workplace, check, isOwn));
        else ends.set(check.id, { kind: "failed", said: `lanes.setup: ${ready.said}` });
      };
      for (const check of wanted) if (check !== hidden) await look(check);
      // After the checks, because a build among them may be what makes one.
      const { project } = workplace.place;
      const artifacts = await findArtifacts(project, definition?.artifacts ?? [], run.call.abort);
      missing = artifacts.filter(({ found, optional }) => !found && !optional).map(({ path }) => path);
      if (hidden === null || !wanted.includes(hidden)) return;
      await layHidden(run, workplace, engine);
      await look(hidden);
    } finally {
      workplace.dispose();
    }
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

/** Its task's verify, checks that passed before, artifacts that were there. Pure. @param before the same on the tree it began with */
export function judgeTree({ verify, hidden, definition }: Jury, seen: TriedOut, before: TriedOut) {
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
    /** The same with what it said, for the one who is to fix it. */
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

import { join } from "node:path";
import { ownFilesOf } from "../../checks/evidence/own-files.ts";
import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { TEST_PATH } from "../../lib/test-path.ts";
import { excerptOutput } from "../../process/excerpt.ts";
import type { TreeChange } from "../../snapshot/version.ts";
import { isNamed } from "../files.ts";
import type { TaskLanes, TaskLane } from "../lanes/place.ts";
import { runHere, setUp, type Ended } from "../lanes/set-up.ts";
import { planNow, type Run } from "../run/run.ts";
import type { PlanTask } from "../task.ts";

const COMMAND_SECONDS = 300;
const MAX_COMMAND = 80;
const MAX_SAID = 1_500;

export interface Jury {
  /** What shows that the task is done; null where it says nothing of that. */
  readonly verify: CheckDefinition | null;
  /** Those of the project, where all of them have to pass; the whole definition is proven once one has landed. */
  readonly checks: readonly CheckDefinition[];
  /** A person has approved the plan as it reads, with its commands. */
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

export async function juryOf(run: Run, { number, verify: command = "" }: PlanTask): Promise<Jury> {
  const { verifier, config } = run.runtime;
  const plan = await planNow(run);
  const isManual = config.wavePolicy.boundaryRule === "manual";
  const definition = isManual ? null : await verifier.definition();
  return {
    verify:
      command === ""
        ? null
        : { id: `verify of task ${number}`, command, scope: "full", timeoutSeconds: COMMAND_SECONDS },
    checks: definition?.gate === "all" ? definition.checks : [],
    isByPerson: plan.standing === "approved" && plan.by === "user",
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
  const { verify, checks } = jury;
  const wanted = [verify, ...checks].filter((check) => check !== null);
  const checkFiles = new Set<string>();
  for (const { command, cwd = "." } of wanted)
    for (const { name } of await ownFilesOf(command, join(project, cwd), project)) checkFiles.add(name);
  const bases = new Map<string, TriedOut>();
  /** What fails now is run on what was there before as well. */
  const before = async (root: string, seen: TriedOut): Promise<TriedOut> => {
    if (!checks.some(({ id }) => seen.get(id)?.kind === "failed")) return seen;
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

/** What is looked at in its order; less is better. Between equals their content decides, whoever made which. */
const MEASURES: readonly (readonly [why: string, of: (evidence: TrialEvidence) => number])[] = [
  ["the only one that passes", ({ fails }) => fails.length],
  ["it fixes a check that failed before", ({ red }) => red],
  ["the smallest change", ({ added, removed }) => added + removed],
  ["the fewest files", ({ files }) => files],
];

/**
 * Ranks candidates by evidence alone; the order in which they are given changes nothing. Pure.
 * @returns those that pass, the best first, and then the others, the one that lacks least first
 */
export function rank<E extends TrialEvidence>(all: readonly E[]) {
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

/** How checks end on a tree, by their id. */
export type TriedOut = ReadonlyMap<string, Ended>;

/** Runs `wanted` on a tree in a throwaway place. */
async function tryOut(
  run: Run,
  { engine, store, brought }: TaskLanes,
  { checks, isByPerson }: Jury,
  tree: string,
  wanted: readonly CheckDefinition[],
): Promise<TriedOut> {
  const ends = new Map<string, Ended>();
  await engine.onTree(store, tree, brought, async (folder) => {
    const workplace = run.runtime.openWorkplace(store.from, folder);
    try {
      const ready = await setUp(run, workplace);
      for (const check of wanted) {
        const isOwn = isByPerson || checks.includes(check);
        if (ready.kind === "fine") ends.set(check.id, await runHere(run, workplace, check, isOwn));
        else ends.set(check.id, { kind: "failed", said: `lanes.setup: ${ready.said}` });
      }
    } finally {
      workplace.dispose();
    }
  });
  return ends;
}

/** Its task's verify, and checks that passed before. Pure. @param before the same on the tree it began with */
export function judgeTree({ verify, checks }: Jury, seen: TriedOut, before: TriedOut) {
  const name = ({ command }: CheckDefinition): string => `\`${excerpt(command, MAX_COMMAND)}\``;
  const asked = [verify, ...checks].filter((check) => check !== null);
  const failing = asked.filter(({ id }) => seen.get(id)?.kind === "failed");
  const against = failing.filter((check) => check === verify || before.get(check.id)?.kind !== "failed");
  const passed = asked.filter(({ id }) => seen.get(id)?.kind === "fine").length;
  const saidOf = ({ id }: CheckDefinition): string => {
    const end = seen.get(id);
    return end === undefined || end.kind === "fine" ? "" : end.said;
  };
  const refused = asked
    .filter(({ id }) => seen.get(id)?.kind === "refused")
    .map((check) => `${name(check)} was not run: ${saidOf(check)}`);
  return {
    fails: [
      ...against.map((check) => `${name(check)} fails`),
      ...(passed + against.length === 0 ? refused : []),
    ],
    /** The same with what it said, for the one who is to fix it. */
    said: against.map(
      (check) => `$ ${check.command}\n${excerptOutput(saidOf(check), { maxCharacters: MAX_SAID })}`,
    ),
    red: failing.length - against.length,
    passed,
  };
}

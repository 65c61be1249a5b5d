import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { describeError, refuse, type Refusal } from "../../lib/error.ts";
import { examination as examinationOf } from "../../policy/examination.ts";
import { isProtectedPath } from "../../policy/protected-path.ts";
import type { RecordedLane } from "../../snapshot/lanes/engine.ts";
import { HELD, type Halt, type Run } from "../run/run.ts";
import { findLanes, type TaskLanes, noLanes, openTaskLanes, type TaskLane, worktreeOf } from "./place.ts";
import type { Apart } from "../run/tasks.ts";
import type { PlanTask } from "../task.ts";

/** As often is a landing begun anew because the user changed one of its files meanwhile. */
const MAX_TRIES = 3;

const ANEW = "Tell the user; plan_gaia run has it done anew.";
const SETTLE = "Tell the user: once they have settled it, plan_gaia run goes on.";

interface LandingLane extends TaskLane, RecordedLane {}

/** What stands against a landing, and the worktrees that are left. */
interface Landed {
  readonly halt: Halt | null;
  readonly left: readonly TaskLane[];
}

/** Worktrees for the tasks of a batch that edit; null where they work in the project's own tree. */
export async function openApart(
  run: Run,
  editing: readonly PlanTask[],
  mayLand: () => boolean,
): Promise<Apart | null> {
  const lanes = await findLanes(run, editing.length);
  if (lanes === null) return null;
  const opened = await openTaskLanes(run, lanes, editing);
  if (typeof opened === "string") return noLanes(run, opened);
  let { open } = opened;
  return {
    whyNot: (task) => opened.unready.get(task) ?? null,
    worktreeOf(task) {
      const own = open.find((each) => each.task === task);
      return own && worktreeOf(run, own);
    },
    async land() {
      const { halt, left } = await landLanes(run, lanes, open, mayLand, true);
      open = left;
      return halt;
    },
  };
}

/**
 * Lands all that has ended, in the order of the plan, or nothing.
 * @param isRedone in a run what does not go together with the rest is done again on top of it, as its fix round; else it stays
 */
export async function landLanes(
  run: Run,
  lanes: TaskLanes,
  all: readonly TaskLane[],
  mayLand: () => boolean,
  isRedone = false,
): Promise<Landed> {
  const isEnded = ({ task }: TaskLane): boolean =>
    ["done", "failed"].includes(run.ends.get(task.number)?.state ?? "");
  const again: Again[] = [];
  for (;;) {
    const left = all.filter((each) => !again.some(({ mine }) => mine === each));
    const ended = left.filter(isEnded);
    const end = await lanes
      .one(async () => tryToLand(run, lanes, ended, mayLand, isRedone))
      .catch((error: unknown) => refuse(describeError(error)));
    if (end === null)
      return setAllBack(
        run,
        lanes,
        again,
        left.filter((each) => !ended.includes(each)),
      );
    if (!("mine" in end)) return { halt: end === HELD ? end : blocked(run, all, end), left: all };
    again.push(end);
  }
}

/** Once what they collide with stands in the project. @param left the other worktrees that stay */
async function setAllBack(
  run: Run,
  lanes: TaskLanes,
  again: readonly Again[],
  left: readonly TaskLane[],
): Promise<Landed> {
  for (const [at, each] of again.entries()) {
    const failed = await lanes
      .one(async () => setBack(run, lanes, each))
      .catch((error: unknown) => refuse(`${each.why} ${describeError(error)}`));
    const rest = again.slice(at).map(({ mine }) => mine);
    if (failed !== undefined) return { halt: blocked(run, rest, failed), left: [...left, ...rest] };
  }
  return { halt: null, left };
}

/** A task that does not go together with the rest, which is done again, and why. */
interface Again {
  readonly mine: TaskLane;
  readonly why: string;
}

/** @returns one that has to be left out, to be done again */
async function tryToLand(
  run: Run,
  lanes: TaskLanes,
  ended: readonly TaskLane[],
  mayLand: () => boolean,
  isRedone: boolean,
): Promise<Refusal | Again | null> {
  const { engine, store } = lanes;
  if (!mayLand()) return HELD;
  if (ended.length === 0) return null;
  await engine.settleLanding(store);
  const known = await engine.listLanes(store);
  const open = ended.map(({ lane }) => known.find(({ name }) => name === lane.name));
  const looked = engine.takeTree(store);
  const recorded = open.map(async (lane, at) => ended[at]?.lands ?? (lane && engine.recordLane(store, lane)));
  // None is left at work where another fails.
  await Promise.allSettled([looked, ...recorded]);
  let ours = await looked;
  const tasks: LandingLane[] = [];
  for (const [index, each] of ended.entries()) {
    const [lane, commit] = [open[index], await recorded[index]];
    const isThere = lane !== undefined && existsSync(lane.folder);
    if (lane === undefined || commit === undefined || (commit === lane.base && !isThere))
      return refuse(`${each.lane.name} is gone, with what was done in it.`, ANEW);
    if (!isThere) run.notes.push(`${lane.name} is gone: of it lands what was taken down before`);
    tasks.push({ ...each, lane, commit });
  }
  tasks.sort((one, other) => one.task.number - other.task.number);
  let inTheWay = "";
  for (let left = MAX_TRIES; left > 0; left -= 1) {
    const merged = await engine.mergeLanes(store, ours, tasks);
    if (merged.kind === "conflict") {
      const { lane, files } = merged;
      const why = `${lane.name} does not go together with another, or with the user's own: ${files.join(", ")}.`;
      const open = await unsettledOf(lanes, files);
      if (open !== null) return open;
      const mine = ended.find((each) => each.lane.name === lane.name);
      const isOnce =
        mine !== undefined && run.conversation.parts.runs.entry(run.unit, mine.task)?.fixes === 0;
      // What no bundle would hold stays where it is.
      return isRedone && isOnce && standsAlone(run, mine).length === 0 ? { mine, why } : refuse(why);
    }
    const paths = (await engine.changesOf(store, ours, merged.tree)).map(({ path }) => path);
    const unsettled = await unsettledOf(lanes, paths);
    if (unsettled !== null) return unsettled;
    const own = paths.find((path) => isProtectedPath(`/${path}`));
    if (own !== undefined) return refuse(`only the user changes ${own}.`);
    const path = await bringIn(run, lanes, ours, merged.tree, paths);
    if (path === null) {
      await settle(run, lanes, tasks);
      return null;
    }
    inTheWay = path;
    await engine.settleLanding(store);
    ours = await engine.takeTree(store);
  }
  return refuse(
    `${inTheWay} is being changed by the user, or what begins on the way to it is no folder of their tree.`,
  );
}

/** What the user's own merge has left open is theirs to settle first. */
async function unsettledOf({ engine, store }: TaskLanes, paths: readonly string[]): Promise<Refusal | null> {
  const path = await engine.unsettled(store, paths);
  return path === null ? null : refuse(`${path} is in a conflict that the user has not settled yet.`, SETTLE);
}

/** The first version of what is done again is kept; its session goes on where the work of the others stands. */
async function setBack(
  run: Run,
  { engine, store }: TaskLanes,
  { mine: { task, lane }, why }: Again,
): Promise<undefined> {
  const bundle = await engine.removeLane(store, lane, "left");
  run.conversation.parts.worktrees.close(lane.name);
  run.notes.push(`${why} It is done again${bundle === null ? "" : `; as it was it is kept in ${bundle}`}`);
  const end = run.ends.get(task.number);
  const problem = `${why} Your files hold what the others made, and nothing of yours: do your task again on top of it.`;
  if (end !== undefined) run.ends.set(task.number, { ...end, state: "failed", findings: "", problem });
  return undefined;
}

/** As a call of the root's, so that the changes are known for GAIA's. @returns null where they stand; else what is in the way */
async function bringIn(
  run: Run,
  { engine, store }: TaskLanes,
  from: string,
  to: string,
  paths: readonly string[],
): Promise<string | null> {
  const { ownWork } = run.conversation.parts;
  const callId = `${run.call.callId} lands`;
  const writes = paths.map((path) => join(store.top, path));
  const examination = examinationOf("project", "", { writes });
  await ownWork.begins(callId, examination, true, false);
  try {
    return await engine.land(store, from, to);
  } finally {
    const { files, shared } = await ownWork.ends({ callId, examination, what: "landing", told: [] });
    const changed = [...files, ...shared];
    if (changed.length > 0) run.conversation.dispatch({ type: "files-changed", files: changed });
  }
}

async function settle(run: Run, { engine, store }: TaskLanes, tasks: readonly LandingLane[]): Promise<void> {
  for (const each of tasks) {
    const { lane } = each;
    run.conversation.parts.worktrees.close(lane.name);
    const alone = standsAlone(run, each);
    if (alone.length > 0) {
      run.notes.push(
        `${lane.name} has landed without ${alone.join(", ")}, which the plan names and git ignores: it stays in ${lane.folder}`,
      );
      continue;
    }
    try {
      const bundle = await engine.removeLane(store, lane, each.lands === undefined ? "landed" : "left");
      if (bundle !== null) run.notes.push(`${lane.name} as it was is kept in ${bundle}`);
    } catch (error) {
      run.notes.push(`${lane.name} has landed, and its worktree stays: ${describeError(error)}`);
    }
  }
  run.notes.push(`landed from worktrees: ${tasks.map(({ lane }) => lane.name).join(", ")}`);
}

/** Files of a task's plan that stand in its worktree and did not land: no bundle would hold them. */
function standsAlone({ conversation }: Run, { task, workplace }: TaskLane): string[] {
  const isFile = (project: string, path: string): boolean =>
    existsSync(join(project, path)) && lstatSync(join(project, path)).isFile();
  return (task.files ?? []).filter(
    (path) => isFile(workplace.place.project, path) && !isFile(conversation.tree.place.project, path),
  );
}

/** Nothing of these lands: each stays in its worktree. */
function blocked(run: Run, all: readonly TaskLane[], { reason, hint }: Refusal): Halt {
  for (const { task } of all) {
    const end = run.ends.get(task.number);
    if (end !== undefined)
      run.ends.set(task.number, { ...end, state: "held", problem: "It stays in its worktree." });
  }
  const places = all.flatMap(({ lane: { name, folder, base } }) =>
    existsSync(folder) ? [`${name} in ${folder} (git diff ${base.slice(0, 12)})`] : [],
  );
  const stay = places.length === 0 ? "" : `; the worktrees stay: ${places.join("; ")}`;
  return refuse(
    `BLOCKED: ${reason.replace(/(?<![.!?])$/u, ".")} Nothing landed${stay}`,
    hint ||
      `Tell the user: they change one, or take it away (npx opencode-gaia lanes remove ${all.at(-1)?.lane.name}), and run goes on.`,
  );
}

import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../../lib/error.ts";
import { examination as examinationOf } from "../../policy/examination.ts";
import { isProtectedPath } from "../../policy/protected-path.ts";
import type { Lane } from "../../snapshot/lanes/engine.ts";
import { type Collision, inChecks, inText, mayRework, rework } from "./collision.ts";
import type { Halt, Run } from "../run/run.ts";
import { findLanes, type TaskLanes, noLanes, openTaskLanes, type TaskLane, worktreeOf } from "./place.ts";
import type { Apart } from "../run/tasks.ts";
import type { PlanTask } from "../task.ts";
import { failsTogether, type Landing, type LandingLane } from "./together.ts";

/** As often is a landing begun anew because the user changed one of its files meanwhile. */
const MAX_TRIES = 3;

const ANEW = "Tell the user; plan_gaia run has it done anew.";
const SETTLE = "Tell the user: once they have settled it, plan_gaia run goes on.";

interface Held {
  readonly why: string;
  readonly next?: string;
}

/** Worktrees for the tasks of a batch that edit; null where they work in the project's own tree. */
export async function openApart(
  run: Run,
  wave: string,
  editing: readonly PlanTask[],
  mayLand: () => boolean,
): Promise<Apart | null> {
  const lanes = await findLanes(run, { editing: editing.length });
  if (lanes === null) return null;
  const opened = await openTaskLanes(run, lanes, wave, editing);
  if (typeof opened === "string") return noLanes(run, opened);
  let { open } = opened;
  return {
    whyNot: (task) => opened.unready.get(task) ?? null,
    worktreeOf(task) {
      const own = open.find((each) => each.task === task);
      return own && worktreeOf(run, own);
    },
    async land() {
      const { halt, landed } = await landLanes(run, lanes, open, mayLand);
      open = open.filter((each) => !landed.includes(each));
      return halt;
    },
  };
}

/**
 * Lands all that has ended, in the order of the plan, or nothing: merged and checked in a throwaway place first.
 * @returns what landed, and what stands against the rest; `held` where nothing may be changed now
 */
export async function landLanes(
  run: Run,
  lanes: TaskLanes,
  all: readonly TaskLane[],
  mayLand: () => boolean,
) {
  const ended = all.filter(({ task }) => ["done", "failed"].includes(run.ends.get(task.number)?.state ?? ""));
  const isEmpty = ended.length === 0;
  const halt = !mayLand() ? "held" : isEmpty ? null : await bringTogether(run, lanes, all, ended, mayLand);
  const landed = halt === null ? ended : [];
  const left = all.filter((each) => !landed.includes(each));
  run.conversation.parts.worktrees.keep(left.map(({ lane }) => lane.name));
  return { halt, landed };
}

async function bringTogether(
  run: Run,
  lanes: TaskLanes,
  all: readonly TaskLane[],
  ended: readonly TaskLane[],
  mayLand: () => boolean,
): Promise<Halt | "held" | null> {
  const { engine, store, one } = lanes;
  const stop = async (held: Held): Promise<Halt> => {
    const now = await one(async () => {
      const known = await engine.listLanes(store);
      const back: Lane[] = [];
      for (const { lane } of all)
        back.push(await engine.takeBack(store, known.find(({ name }) => name === lane.name) ?? lane));
      return back;
    });
    return blocked(run, all, now, held);
  };
  try {
    for (;;) {
      const end = await one(async () => tryToLand(run, lanes, ended, mayLand));
      if (end === "held") return end;
      if (end === null) return null;
      if (!("later" in end) || !mayRework(run, end)) return await stop(end);
      const wrong = await rework(run, lanes, end, mayLand);
      if (wrong?.isHeld === true) return "held";
      if (wrong !== null) return await stop({ why: `${end.why} ${wrong.why}` });
    }
  } catch (error) {
    return await stop({ why: describeError(error) });
  }
}

async function tryToLand(
  run: Run,
  lanes: TaskLanes,
  ended: readonly TaskLane[],
  mayLand: () => boolean,
): Promise<"held" | Collision | Held | null> {
  const { engine, store } = lanes;
  await engine.settleLanding(store);
  const known = await engine.listLanes(store);
  const open = ended.map(({ lane }) => known.find(({ name }) => name === lane.name));
  const looked = engine.takeTree(store);
  const recorded = open.map(async (lane) => lane && engine.recordLane(store, lane));
  // None is left at work where another fails.
  await Promise.allSettled([looked, ...recorded]);
  let ours = await looked;
  const tasks: LandingLane[] = [];
  for (const [index, each] of ended.entries()) {
    const [lane, commit] = [open[index], await recorded[index]];
    const isThere = lane !== undefined && existsSync(lane.folder);
    if (lane === undefined || commit === undefined || (commit === lane.base && !isThere))
      return { why: `${each.lane.name} is gone, with what was done in it.`, next: ANEW };
    if (!isThere) run.notes.push(`${lane.name} is gone: of it lands what was taken down before`);
    tasks.push({ ...each, lane, commit, apart: (await engine.beforeRework(store, lane)) ?? commit });
  }
  tasks.sort((one, other) => one.task.number - other.task.number);
  const landing: Landing = { ...lanes, run, tasks };
  let inTheWay = "";
  for (let left = MAX_TRIES; left > 0; left -= 1) {
    const merged = await engine.mergeLanes(store, ours, tasks);
    if (merged.kind === "conflict") return inText(landing, ours, merged);
    const paths = (await engine.changesOf(store, ours, merged.tree)).map(({ path }) => path);
    const unsettled = await engine.unsettled(store, paths);
    if (unsettled !== null)
      return { why: `${unsettled} is in a conflict that the user has not settled yet.`, next: SETTLE };
    const own = paths.find((path) => isProtectedPath(`/${path}`));
    if (own !== undefined) return { why: `only the user changes ${own}.` };
    const red = await failsTogether(landing, ours, merged.tree);
    if (red !== null) return inChecks(landing, ours, { ...merged, ...red, paths });
    if (!mayLand()) return "held";
    const path = await bringIn(landing, ours, merged.tree, paths);
    if (path === null) return settle(landing);
    inTheWay = path;
    await engine.settleLanding(store);
    ours = await engine.takeTree(store);
  }
  return {
    why: `${inTheWay} is being changed by the user, or what begins on the way to it is no folder of their tree.`,
  };
}

/** As a call of the root's, so that the changes are known for GAIA's. @returns null where they stand; else what is in the way */
async function bringIn(
  { run, engine, store }: Landing,
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

async function settle({ run, engine, store, tasks }: Landing): Promise<null> {
  // The one who put two together may have left something out, of either.
  const fate = tasks.some(({ apart, commit }) => apart !== commit) ? "put together" : "landed";
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
      const bundle = await engine.removeLane(store, lane, fate);
      if (bundle !== null) run.notes.push(`${lane.name} as it was is kept in ${bundle}`);
    } catch (error) {
      run.notes.push(`${lane.name} has landed, and its worktree stays: ${describeError(error)}`);
    }
  }
  run.notes.push(`landed from worktrees: ${tasks.map(({ lane }) => lane.name).join(", ")}`);
  return null;
}

/** Files of a task's plan that stand in its worktree and did not land: no bundle would hold them. */
function standsAlone({ conversation }: Run, { task, workplace }: TaskLane): string[] {
  const isFile = (project: string, path: string): boolean =>
    existsSync(join(project, path)) && lstatSync(join(project, path)).isFile();
  return (task.files ?? []).filter(
    (path) => isFile(workplace.place.project, path) && !isFile(conversation.tree.place.project, path),
  );
}

/** Nothing lands; every worktree is what its own worker made of it. */
function blocked(run: Run, all: readonly TaskLane[], lanes: readonly Lane[], { why, next }: Held): Halt {
  for (const { task } of all) {
    const end = run.ends.get(task.number);
    if (end !== undefined)
      run.ends.set(task.number, { ...end, state: "held", problem: "It stays in its worktree." });
  }
  const places = lanes.flatMap(({ name, folder, base }) =>
    existsSync(folder) ? [`${name} in ${folder} (git diff ${base.slice(0, 12)})`] : [],
  );
  const stay = places.length === 0 ? "" : `; the worktrees stay: ${places.join("; ")}`;
  return {
    status: "user",
    why: `BLOCKED: ${why.replace(/(?<![.!?])$/u, ".")} Nothing landed${stay}`,
    next:
      next ??
      `Tell the user: they change one, or take it away (npx opencode-gaia lanes remove ${all.at(-1)?.lane.name}), and run goes on.`,
  };
}

import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { relative } from "node:path";
import { lanesOf } from "../../config/lanes.ts";
import type { Workplace } from "../../conversation/worktrees/worktrees.ts";
import type { ChildWorktree } from "../../delegation/child-session.ts";
import { describeError } from "../../lib/error.ts";
import { claim } from "../../project/find-lane.ts";
import { alone } from "../../project/lanes.ts";
import { isSensitivePath } from "../../policy/sensitive-path.ts";
import type { PlanTask } from "../../plan/task.ts";
import type { Brought, Engine, Lane, LaneStore } from "../../snapshot/lanes/engine.ts";
import { decidePlacement, type PlacedWork } from "./decide-placement.ts";
import { setUp } from "./run-here.ts";
import type { Run } from "./run.ts";

/** A task with its worktree. */
export interface TaskLane {
  /** The wave that it belongs to. */
  readonly wave: string;
  readonly task: PlanTask;
  readonly lane: Lane;
  readonly workplace: Workplace;
}

/** Where the tasks of a run may work beside the user's tree. */
export interface Lanes {
  /** Loaded for those who use it: most runs have no worktrees. */
  readonly engine: Engine;
  readonly store: LaneStore;
  readonly brought: Brought;
}

/** The worktrees for work that gets any; where it could not, that is noted once. */
export async function findLanes(run: Run, work: PlacedWork): Promise<Lanes | null> {
  const { runtime, conversation } = run;
  const { host, agents } = runtime;
  const ruled = [...agents.specialists.values()].find(
    ({ name, mutates }) => mutates && agents.ruledByPath.has(name),
  );
  const placement = decidePlacement(work, {
    mode: lanesOf(runtime.config).mode,
    isStepwise: conversation.state.knobs.checkinCadence === "step",
    ruled: ruled?.name ?? null,
  });
  if (placement !== "apart") return noLanes(run, placement.why);
  const { engine } = await import("../../snapshot/lanes/engine.ts");
  const opened = await engine.openStore(host.project, process.env).catch(describeError);
  if (typeof opened === "string") return noLanes(run, opened);
  // Where a unit has a tree of its own, its lanes begin and land there.
  const { unit } = conversation.tree.place;
  const store = unit === null ? opened : engine.atUnitTree(opened, unit);
  await alone(store, host.logger, async () => engine.settleLanding(store));
  return { engine, store, brought: await broughtTo(store, runtime) };
}

/** Says once of a run why its tasks get no worktrees. @param why null where none were wanted */
export function noLanes({ notes }: Pick<Run, "notes">, why: string | null): null {
  const note = `no worktrees: ${why}`;
  if (why !== null && !notes.includes(note)) notes.push(note);
  return null;
}

/** What of the user's ignored files comes along into a worktree, as `lanes.copy` names it from the project's folder. */
export async function broughtTo(
  { from }: Pick<LaneStore, "from">,
  { host, config }: Pick<Run["runtime"], "host" | "config">,
): Promise<Brought> {
  const { allowSensitive } = config.policy;
  return {
    globs: lanesOf(config).copy,
    below: relative(from, await realpath(host.project)),
    isPrivate: (path) => isSensitivePath(path, allowSensitive),
  };
}

/** The worktrees of tasks, and why others have none: those cannot begin. */
export interface OpenLanes {
  readonly open: readonly TaskLane[];
  readonly unready: ReadonlyMap<PlanTask, string>;
}

/**
 * Makes the worktrees of tasks that are about to begin, ready for work, or takes up those that they had.
 * @returns why there are none, where none was begun and none can be made
 */
export async function openTaskLanes(
  run: Run,
  lanes: Lanes,
  wave: string,
  editing: readonly PlanTask[],
): Promise<OpenLanes | string> {
  const { engine, store, brought } = lanes;
  const { runtime, conversation, unit } = run;
  const one = async <T>(work: () => Promise<T>): Promise<T> => alone(store, runtime.host.logger, work);
  const fresh: TaskLane[] = [];
  const names = editing.map(({ number }) => `${unit}/${number}`);
  const takeUp = async (before: readonly Lane[], ours: ReadonlySet<string>): Promise<TaskLane[]> => {
    const snapshot = await engine.takeSnapshot(store);
    const kept: TaskLane[] = [];
    for (const task of editing) {
      const name = `${unit}/${task.number}`;
      const old = before.find((lane) => lane.name === name);
      const isBegun = conversation.parts.runs.entry(unit, task) !== undefined;
      const isKept = old !== undefined && ours.has(name) && isBegun && existsSync(old.folder);
      if (old !== undefined && !isKept) {
        conversation.parts.worktrees.close(name);
        const bundle = await engine.removeLane(store, old, "left");
        if (bundle !== null) run.notes.push(`an earlier worktree is kept in ${bundle}`);
      }
      let lane = isKept ? old : await engine.makeLane(store, name, snapshot, brought);
      // One that was cut off before anyone judged what came of it.
      if (isKept && (await engine.isUnjudged(store, lane))) lane = await engine.takeBack(store, lane);
      await claim(conversation.rootId, engine.ownerOf(store, name));
      const workplace = conversation.parts.worktrees.open(name, store.from, lane.folder);
      (isKept ? kept : fresh).push({ wave, task, lane, workplace });
    }
    return kept;
  };
  const known = await one(async () => {
    const before = await engine.listLanes(store);
    const ours = new Set<string>();
    for (const name of names) {
      const yields = (other: string): boolean =>
        runtime.conversations.peek(other)?.parts.worktrees.yield(name) ?? true;
      if (await claim(conversation.rootId, engine.ownerOf(store, name), yields)) ours.add(name);
    }
    return takeUp(before, ours).catch(async (error: unknown) => {
      // What someone has begun in one is not done once more in the user's tree.
      if (before.some(({ name }) => names.includes(name))) throw error;
      for (const name of names) {
        conversation.parts.worktrees.close(name);
        await engine.removeLane(store, engine.laneAt(store, name, ""), "landed");
      }
      return describeError(error);
    });
  });
  if (typeof known === "string") return known;
  const unready = new Map<PlanTask, string>();
  // As long as it takes, and beside each other: nobody else waits for it.
  await Promise.all(
    fresh.map(async ({ task, workplace }) => {
      const end = await setUp(run, workplace);
      if (end.kind !== "fine") unready.set(task, `lanes.setup ${end.kind}: ${end.said}`);
    }),
  );
  const begun = await one(async () => {
    const ready: TaskLane[] = [];
    for (const each of fresh) {
      if (!unready.has(each.task)) ready.push({ ...each, lane: await engine.beginHere(store, each.lane) });
      else {
        conversation.parts.worktrees.close(each.lane.name);
        await engine.removeLane(store, each.lane, "landed");
      }
    }
    return ready;
  });
  const open = [...known, ...begun];
  return { open: editing.flatMap((task) => open.find((each) => each.task === task) ?? []), unready };
}

/** What a delegation needs to work in a lane. */
export function worktreeOf({ conversation }: Run, { lane }: TaskLane): ChildWorktree {
  return {
    folder: lane.folder,
    enter: (sessionId) => conversation.parts.worktrees.enter(sessionId, lane.name),
  };
}

import { existsSync } from "node:fs";
import type { Workplace } from "../../conversation/worktrees/worktrees.ts";
import type { ChildWorktree } from "../../delegation/child-session.ts";
import { describeError } from "../../lib/error.ts";
import { claim } from "../../project/find-lane.ts";
import { alone } from "../../project/lanes.ts";
import type { PlanTask } from "../../plan/task.ts";
import type { Brought, Engine, Lane, LaneStore } from "../../snapshot/lanes/engine.ts";
import { broughtTo } from "./brought.ts";
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

/**
 * Whether the tasks of this run get worktrees; where they could not, that is noted once.
 * @param isPicked the user looks at what is done before it lands, so that it need not be looked at step by step
 */
export async function findLanes(run: Run, isPicked = false): Promise<Lanes | null> {
  const { runtime, conversation } = run;
  const { host, agents } = runtime;
  const isStepwise = conversation.state.knobs.checkinCadence === "step" && !isPicked;
  let why = isStepwise ? "each step is looked at" : "";
  const ruled = [...agents.specialists.values()].find(
    ({ name, mutates }) => mutates && agents.ruledByPath.has(name),
  );
  if (ruled !== undefined) why = `permissions of ${ruled.name} name paths`;
  const { engine } = await import("../../snapshot/lanes/engine.ts");
  const opened = why === "" ? await engine.openStore(host.project, process.env).catch(describeError) : why;
  const store = typeof opened === "string" ? opened : atTree(engine, opened, conversation.tree.place.unit);
  if (typeof store !== "string") {
    await alone(store, runtime.host.logger, async () => engine.settleLanding(store));
    return { engine, store, brought: await broughtTo(store, runtime) };
  }
  return noLanes(run, store);
}

/** Says once of a run why its tasks get no worktrees. */
export function noLanes({ notes }: Pick<Run, "notes">, why: string): null {
  const note = `no worktrees: ${why}`;
  if (!notes.includes(note)) notes.push(note);
  return null;
}

/** Where a unit has a tree of its own, its lanes begin and land there. */
function atTree(engine: Engine, store: LaneStore, unit: string | null): LaneStore {
  return unit === null ? store : engine.atUnitTree(store, unit);
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
      const owner = engine.ownerOf(store, name);
      const wasOurs = ours.has(name);
      const old = before.find((lane) => lane.name === name);
      const isThere = old !== undefined && existsSync(old.folder);
      const isTheirs = wasOurs && isThere && conversation.parts.runs.entry(unit, task) !== undefined;
      if (old !== undefined && !isTheirs) {
        conversation.parts.worktrees.close(name);
        const bundle = await engine.removeLane(store, old, "left");
        if (bundle !== null) run.notes.push(`an earlier worktree is kept in ${bundle}`);
      }
      const isKept = old !== undefined && isTheirs;
      // One that was cut off before anyone judged what came of it.
      const own = isKept && (await engine.isUnjudged(store, old)) ? await engine.takeBack(store, old) : old;
      const lane = isKept && own !== undefined ? own : await engine.makeLane(store, name, snapshot, brought);
      await claim(conversation.rootId, owner);
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

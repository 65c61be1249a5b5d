import { readFile, writeFile } from "node:fs/promises";
import { lanesOf } from "../../config/lanes.ts";
import type { OpenWorkplace } from "../../conversation/worktrees/workplace.ts";
import type { ChildWorktree } from "../../delegation/child-session.ts";
import { createError, describeError } from "../../lib/error.ts";
import { alone } from "../../project/lanes.ts";
import { isSensitivePath } from "../../policy/sensitive-path.ts";
import type { PlanTask } from "../../workspace/documents/plan-tasks.ts";
import { isProcessAlive } from "../../workspace/store/process-identity.ts";
import type { Engine, Lane, LaneStore } from "../../worktrees/engine.ts";
import type { Run } from "./run.ts";

/** What is never copied: what lies elsewhere, and what others than the project keep. */
const OUT_OF_REACH = /^[\\/]|(?:^|[\\/])\.(?:\.|git|gaia)(?:[\\/]|$)/u;

/** A task with its worktree. */
export interface TaskLane {
  /** The wave that it belongs to. */
  readonly wave: string;
  readonly task: PlanTask;
  readonly lane: Lane;
  readonly workplace: ReturnType<OpenWorkplace>;
  /** Sessions that work in it. */
  readonly sessions: Set<string>;
}

/** Where the tasks of a run may work beside the user's tree. */
export interface Lanes {
  /** Loaded for whoever uses it: most runs have no worktrees. */
  readonly engine: Engine;
  readonly store: LaneStore;
  readonly copy: readonly string[];
}

/** Whether the tasks of this run get worktrees; where they could not, that is noted once. */
export async function findLanes(run: Run): Promise<Lanes | null> {
  const { runtime, conversation } = run;
  const { copy } = lanesOf(runtime.config);
  const { host, agents } = runtime;
  let why = conversation.state.knobs.checkinCadence === "step" ? "each step is looked at" : "";
  const ruled = [...agents.specialists.values()].find(
    ({ name, mutates }) => mutates && agents.ruledByPath.has(name),
  );
  if (ruled !== undefined) why = `permissions of ${ruled.name} name paths`;
  const { engine } = await import("../../worktrees/engine.ts");
  const store = why === "" ? await engine.openStore(host.project, process.env).catch(describeError) : why;
  if (typeof store !== "string") {
    await alone(store, runtime.host.logger, async () => engine.settleLanding(store));
    return {
      engine,
      store,
      copy: copy.filter((path) => !OUT_OF_REACH.test(path) && !isSensitivePath(path)),
    };
  }
  const note = `no worktrees: ${store}`;
  if (!run.notes.includes(note)) run.notes.push(note);
  return null;
}

/** Makes the worktrees of tasks that are about to begin, or takes up those that they had. */
export async function openTaskLanes(
  run: Run,
  { engine, store, copy }: Lanes,
  wave: string,
  editing: readonly PlanTask[],
): Promise<TaskLane[]> {
  const { runtime, conversation, unit } = run;
  return alone(store, runtime.host.logger, async () => {
    const known = await engine.listLanes(store);
    const snapshot = await engine.takeSnapshot(store);
    const lanes: TaskLane[] = [];
    for (const task of editing) {
      const name = `${unit}/${task.number}`;
      const before = known.find((lane) => lane.name === name);
      const owner = engine.ownerOf(store, name);
      await claim(conversation.rootId, owner);
      const isTheirs = conversation.parts.runs.entry(unit, task) !== undefined;
      if (before !== undefined && !isTheirs) {
        const bundle = await engine.removeLane(store, before, "left");
        if (bundle !== null) run.notes.push(`an earlier worktree is kept in ${bundle}`);
      }
      const isKept = before !== undefined && isTheirs;
      // One that was cut off before anyone judged what came of it.
      const own =
        isKept && (await engine.isUnjudged(store, before)) ? await engine.takeBack(store, before) : before;
      const lane = isKept && own !== undefined ? own : await engine.makeLane(store, name, snapshot, copy);
      await claim(conversation.rootId, owner);
      const workplace = runtime.openWorkplace(store.top, lane.folder);
      lanes.push({ wave, task, lane, workplace, sessions: new Set() });
    }
    return lanes;
  });
}

/** A worktree belongs to the conversation that works in it, as long as its process lives. @throws GaiaError for another's */
async function claim(rootId: string, path: string): Promise<void> {
  const [owner = rootId, pid] = (await readFile(path, "utf8").catch(() => "")).split(" ").filter(Boolean);
  if (owner !== rootId && isProcessAlive(Number(pid)))
    throw createError("worktrees", `Another conversation works here: ${path}`);
  await writeFile(path, `${rootId} ${process.pid}`);
}

/** What a delegation needs to work in a lane. */
export function worktreeOf({ conversation }: Run, { lane, workplace, sessions }: TaskLane): ChildWorktree {
  return {
    folder: lane.folder,
    enter(sessionId) {
      sessions.add(sessionId);
      conversation.parts.worktrees.enter(sessionId, workplace);
    },
  };
}

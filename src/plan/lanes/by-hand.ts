import type { Conversation } from "../../conversation/conversation.ts";
import type { ChildWorktree } from "../../delegation/child-session.ts";
import type { DelegationResult } from "../../delegation/result.ts";
import type { ToolCall } from "../../host/port.ts";
import { describeError } from "../../lib/error.ts";
import { isRefusal, refuse, type Refusal } from "../../lib/refusal.ts";
import type { Runtime } from "../../runtime.ts";
import type { PlanTask } from "../task.ts";
import type { Order } from "../delegate/give-task.ts";
import { endOf } from "../run/give.ts";
import { elsewhere, type Run } from "../run/run.ts";
import { landLanes } from "./land.ts";
import { findLanes, type TaskLanes, openTaskLanes, type TaskLane, worktreeOf } from "./place.ts";
import { newRun } from "../run/begin.ts";

/** What is no task of a plan is numbered by itself, below the unit. */
const FOLDER = "by-hand";
/** Of work outside of a unit: no unit is called so. */
const NO_UNIT = "none";

/** A delegation by hand that works in a worktree, or was to. */
export interface ByHand {
  /** Undefined for a session that has one already, and where there can be none. */
  readonly worktree: ChildWorktree | undefined;
  /** It goes on in the background: the user's stop of GAIA is none of it. */
  rest(): void;
  /** Brings what was done into the user's tree. */
  land(result: DelegationResult | Refusal): Promise<LandedByHand>;
}

interface LandedByHand {
  /** What is told of it with the result; empty for nothing. */
  readonly told: string;
  /** Whether it stands in the user's tree. */
  readonly isThere: boolean;
}

/** By process, for several of one answer begin at once. */
let last = 0;

/**
 * Has a delegation work in a worktree of its own, by the rules for tasks of a plan, and lands it at its end; one that is resumed
 * goes on in its own.
 * @param isWanted whether it is to have one
 * @returns null for one that works in the project's own tree, as ever
 */
export async function openByHand(
  runtime: Runtime,
  conversation: Conversation,
  order: Order,
  call: ToolCall,
  isWanted: boolean,
): Promise<ByHand | Refusal | null> {
  const { specialist, resume, workUnit } = order;
  const { worktrees } = conversation.parts;
  const unit = `${workUnit ?? NO_UNIT}/${FOLDER}`;
  const control = new AbortController();
  const stop = (): void => control.abort();
  const rest = (): void => call.abort.removeEventListener("abort", stop);
  if (call.abort.aborted) stop();
  else if (!order.background) call.abort.addEventListener("abort", stop, { once: true });
  const run = newRun({ runtime, conversation, call }, unit, control);
  const without = (why: string): ByHand => ({
    worktree: undefined,
    rest,
    land: async () => ({ told: `no worktrees: ${why}`, isThere: true }),
  });
  elsewhere(run);
  // What is wrong with it is told by the delegation itself.
  if (resume !== null && (await worktrees.settle(resume)) !== null) return null;
  const known = resume === null ? null : worktrees.of(resume);
  const { name: agent, mutates } = specialist;
  const resumes = resume === null ? null : known === null ? "project" : "worktree";
  const lanes = await findLanes(run, {
    editing: mutates ? 1 : 0,
    hand: { agent, isAsked: isWanted, resumes },
  });
  if (lanes === null) {
    const why = run.notes.join("; ").replace(/^no worktrees: /u, "");
    return why === "" ? null : without(why);
  }
  const { engine, store } = lanes;
  const listed = await engine.listLanes(store);
  const lane = known === null ? undefined : listed.find(({ folder }) => folder === known.to);
  // A task of a plan lands with its run.
  if (known !== null && lane?.name.includes(`/${FOLDER}/`) !== true) return null;
  const numberIn = (name: string): number => Number(/\/by-hand\/(\d+)$/u.exec(name)?.[1] ?? 0);
  last = Math.max(last, ...listed.map(({ name }) => numberIn(name))) + 1;
  const task = taskOf(order, lane === undefined ? last : numberIn(lane.name));
  if (known !== null && lane !== undefined)
    return landing(run, lanes, { wave: "", task, lane, workplace: known }, order, { isFresh: false, rest });
  const opened = await openTaskLanes(run, lanes, "", [task]).catch((error: unknown) => ({
    open: [],
    unready: new Map([[task, describeError(error)]]),
  }));
  if (typeof opened === "string") return without(opened);
  const { open, unready } = opened;
  const [own] = open;
  return own === undefined
    ? refuse(unready.get(task) ?? "", "")
    : landing(run, lanes, own, order, { isFresh: true, rest });
}

function taskOf({ title = "", prompt, specialist }: Order, number: number): PlanTask {
  const text = title || prompt;
  return { number, text, done: false, agent: specialist.name, needs: [], skills: [], details: "" };
}

function landing(
  run: Run,
  lanes: TaskLanes,
  own: TaskLane,
  { specialist }: Order,
  { isFresh, rest }: { readonly isFresh: boolean; readonly rest: () => void },
): ByHand {
  const { conversation, call } = run;
  const { parts } = conversation;
  const { name, folder } = own.lane;
  const mayLand = (): boolean => {
    const { pause, knobs } = conversation.state;
    // What a check-in looks at stands in the project's tree, as it does without a worktree.
    const isStopped = pause?.reason === "abort" || pause?.reason === "blocked";
    return !call.abort.aborted && !isStopped && knobs.mode !== "locked" && elsewhere(run) === null;
  };
  const stays = (why: string): LandedByHand => {
    const told = `${why} Resume the session, and it lands at its end; the user can take it away: npx opencode-gaia lanes remove ${name}`;
    return { told, isThere: false };
  };
  return {
    worktree: isFresh ? worktreeOf(run, own) : undefined,
    rest,
    async land(result) {
      if (isRefusal(result)) {
        if (!isFresh) return { told: "", isThere: false };
        parts.worktrees.close(name);
        await lanes.one(async () => lanes.engine.removeLane(lanes.store, own.lane, "left"));
        return { told: "", isThere: false };
      }
      const end = endOf(specialist, result);
      run.ends.set(own.task.number, end);
      const { halt } = await landLanes(run, lanes, [own], mayLand);
      const why = elsewhere(run)?.why ?? "Nothing may be changed now";
      if (halt === "held") return stays(`${why.replace(/\.$/u, "")}: it stays in ${folder}.`);
      if (halt !== null) return stays(halt.why);
      if (end.state !== "done" && end.state !== "failed")
        return stays(`It has not ended: it stays in ${folder}.`);
      return { told: run.notes.join("; "), isThere: true };
    },
  };
}

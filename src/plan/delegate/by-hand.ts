import { lanesOf } from "../../config/lanes.ts";
import type { LaneName } from "../../conversation/lanes/lane.ts";
import { HEARD } from "../../conversation/turns/turns.ts";
import type { ChildWorktree } from "../../delegation/child-session.ts";
import type { DelegationResult } from "../../delegation/result.ts";
import { describeError, isRefusal, refuse, type Refusal } from "../../lib/error.ts";
import { landLanes } from "../lanes/land.ts";
import { findLanes, isAtHome, openHome, openTaskLanes, type TaskLane, worktreeOf } from "../lanes/place.ts";
import { askToSpend, type PlanCall } from "../operations/ask.ts";
import { endOf } from "../run/give.ts";
import { elsewhere, HELD, newRun } from "../run/run.ts";
import type { PlanTask } from "../task.ts";
import { giveTask, type GivenTask, type GivingCall, type Order } from "./give-task.ts";

/** What is no task of a plan is numbered by itself, below the unit. */
const FOLDER = "by-hand";
/** Of work outside of a unit: no unit is called so. */
const NO_UNIT = "none";

interface ByHand {
  readonly lane: LaneName | undefined;
  readonly verify: string | undefined;
  readonly isApart: boolean;
}

/** A delegation by hand that works in a worktree, or was to. */
interface Apart {
  readonly worktree: ChildWorktree | undefined;
  /** It goes on in the background: the user's stop of GAIA is none of it. */
  rest(): void;
  drop(): Promise<void>;
  /** Brings what was done into the user's tree. @returns what is told of it */
  land(this: void, result: DelegationResult): Promise<string>;
}

/** Delegates by hand, by the rules for tasks of a plan (SPEC 5). */
export async function delegateByHand(
  { runtime, conversation, call }: GivingCall,
  order: Order,
  { lane, verify, isApart }: ByHand,
): Promise<GivenTask & { readonly said: object }> {
  if (conversation === null) return { ...(await giveTask({ runtime, conversation, call }, order)), said: {} };
  const scene: PlanCall = { runtime, conversation, call };
  const { callId } = call;
  const { lanes, turns, questions } = conversation.parts;
  let apart: Apart | null = null;
  let told: object = {};
  const { isBegun, result } = await giveTask(scene, order, async (review) => {
    const home = await homeOf(scene, order);
    if (home !== undefined && "reason" in home) return home;
    const found = await openApart(scene, order, isApart);
    if (found !== null && typeof found === "object" && "reason" in found) return found;
    const opened = typeof found === "string" ? null : found;
    apart = opened;
    await lanes.begin(order.specialist, { said: lane, call: callId, verify });
    told = home === undefined ? {} : { stands_in: home.folder };
    // What is counted at its end is waited for; where nobody can be asked OpenCode ends with its turn.
    const mayRest = !order.background && review === 0 && (await conversation.canAsk()) !== false;
    return {
      worktree: opened?.worktree ?? home,
      // It goes on in the background once the user writes, and is no part of GAIA's call any more.
      waited: mayRest
        ? (letGo) =>
            turns.waitFor(() => {
              opened?.rest();
              letGo();
            })
        : undefined,
      // What was done in a worktree lands before anyone is told of its end.
      ends: typeof found === "string" ? async () => found : found?.land,
    };
  });
  if (!isBegun) return { isBegun, result, said: {} };
  const isRunning = !isRefusal(result) && result.status === "running";
  if (isRefusal(result)) {
    await (apart as Apart | null)?.drop();
    lanes.forget(callId);
  }
  // What it has used up is asked for while there is a call that can ask.
  if (!order.background) await askToSpend(scene);
  const proof = isRefusal(result) || isRunning ? null : await lanes.settled(result.session_id);
  const next = isRunning && !order.background ? { next: HEARD } : {};
  const said = { ...told, ...next, ...(proof === null ? {} : { proof }) };
  return { isBegun, result: await questions.withResult(result), said };
}

/** Where a unit has a branch of its own, who works for it works there. */
async function homeOf(
  scene: PlanCall,
  { specialist: { mutates, role }, workUnit: unit, resume }: Order,
): Promise<ChildWorktree | Refusal | undefined> {
  const { runtime, conversation } = scene;
  const { state, tree, parts } = conversation;
  if (unit === null || role === "historian") return undefined;
  if (!isAtHome(lanesOf(runtime.config), tree.place.unit !== null, mutates)) return undefined;
  if (unit !== state.workUnit)
    return refuse(
      `This conversation is at ${state.workUnit ?? "no unit"}, whose work stands in one place.`,
      `set_active ${unit} first.`,
    );
  // One of a worktree of its own goes on there.
  const isKnown = resume !== null && (await parts.worktrees.settle(resume)) === null;
  const own = isKnown ? parts.worktrees.of(resume) : null;
  if (own !== null && own.to !== tree.place.worktree) return undefined;
  return openHome({ ...scene, unit, notes: [] });
}

/** By process, for several of one answer begin at once. */
let last = 0;

/** A worktree for one that wants it or goes on in one, which lands at its end; null for the project's own tree, a text that says why. */
async function openApart(
  scene: PlanCall,
  order: Order,
  isAsked: boolean,
): Promise<Apart | Refusal | string | null> {
  const { runtime, conversation, call } = scene;
  const { specialist, resume, workUnit } = order;
  const { worktrees } = conversation.parts;
  if (lanesOf(runtime.config).mode === "off" || (!isAsked && resume === null)) return null;
  if (resume !== null && (await worktrees.settle(resume)) !== null) return null;
  const known = resume === null ? null : worktrees.of(resume);
  if (resume !== null && known === null)
    return isAsked ? "no worktrees: a session stays where it was begun" : null;
  if (!specialist.mutates) return `no worktrees: ${specialist.name} changes nothing`;
  let isResting = order.background;
  const run = newRun(scene, `${workUnit ?? NO_UNIT}/${FOLDER}`);
  elsewhere(run);
  const lanes = await findLanes(run, "asked");
  if (lanes === null) return run.notes.join("; ") || null;
  const { engine, store, one } = lanes;
  const listed = await engine.listLanes(store);
  const before = known === null ? undefined : listed.find(({ folder }) => folder === known.to);
  // A task of a plan lands with its run.
  if (known !== null && before?.name.includes(`/${FOLDER}/`) !== true) return null;
  const numberIn = (name: string): number => Number(/\/by-hand\/(\d+)$/u.exec(name)?.[1] ?? 0);
  last = Math.max(last, ...listed.map(({ name }) => numberIn(name))) + 1;
  const task = taskOf(order, before === undefined ? last : numberIn(before.name));
  let own: TaskLane | undefined;
  if (known !== null && before !== undefined) own = { task, lane: before, workplace: known };
  else {
    const opened = await openTaskLanes(run, lanes, [task]).catch((error: unknown) =>
      refuse(describeError(error)),
    );
    if (typeof opened === "string") return `no worktrees: ${opened}`;
    if ("reason" in opened) return opened;
    [own] = opened.open;
    if (own === undefined) return refuse(opened.unready.get(task) ?? "");
  }
  const mine = own;
  const { name, folder } = mine.lane;
  const mayLand = (): boolean => {
    const { pause, knobs } = conversation.state;
    // What a check-in looks at stands in the project's tree, as it does without a worktree.
    const isStopped = pause?.reason === "abort" || pause?.reason === "blocked";
    const isOver = !isResting && call.abort.aborted;
    return !isOver && !isStopped && knobs.mode !== "locked" && elsewhere(run) === null;
  };
  const stays = (why: string): string =>
    `${why} Resume the session, and it lands at its end; the user can take it away: npx opencode-gaia lanes remove ${name}`;
  return {
    worktree: known === null ? worktreeOf(run, mine) : undefined,
    rest() {
      isResting = true;
    },
    async drop() {
      if (known !== null) return;
      worktrees.close(name);
      await one(async () => engine.removeLane(store, mine.lane, "left"));
    },
    async land(result) {
      const end = endOf(specialist, result);
      run.ends.set(task.number, end);
      const { halt } = await landLanes(run, lanes, [mine], mayLand);
      const why = elsewhere(run)?.reason ?? HELD.reason;
      if (halt === HELD) return stays(`${why.replace(/\.$/u, "")}: it stays in ${folder}.`);
      if (halt !== null) return stays(halt.reason);
      if (end.state !== "done" && end.state !== "failed")
        return stays(`It has not ended: it stays in ${folder}.`);
      return run.notes.join("; ");
    },
  };
}

function taskOf({ title = "", prompt, specialist }: Order, number: number): PlanTask {
  const text = title || prompt;
  return { number, text, done: false, agent: specialist.name, needs: [], skills: [], details: "" };
}

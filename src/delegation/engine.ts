import { type Host, type HostEvent, type ModelId, sessionOf } from "../host/port.ts";
import { type Clock, deferred } from "../lib/async.ts";
import { describeError, isRefusal, refuse, type Refusal } from "../lib/error.ts";
import { excerpt } from "../lib/text.ts";
import { resolveCandidates, type Candidates } from "./candidates.ts";
import { chainOf } from "./capability.ts";
import { openChild, type Child, type Delegation } from "./child-session.ts";
import { createCooldowns } from "./failure.ts";
import { addDeed, type Deed, NO_DEEDS, weigh } from "./deeds.ts";
import { createProgressRows } from "./progress-rows.ts";
import { createQueue, type QueueLimits } from "./queue.ts";
import type { Specialist } from "./specialist.ts";
import { createTaskStore } from "./task-store.ts";
import { renderResult, type DelegationResult } from "./result.ts";
import { runTask, type Stop } from "./run-task.ts";
import { createSupervisor, type RunningTask, type WatchdogLimits } from "./supervisor.ts";
import { createTask, ended, reduceTask, type Task, type TaskOutcome, type Attempt } from "./task.ts";
import type { ResolvedConfig } from "../config/schema.ts";

const MAX_TITLE = 100;
const CLOSING = "OpenCode is closing.";
const HELD_UP = "A check-in was due before it was done. Resume this session once the user has answered.";

export interface EngineSettings {
  readonly queue: QueueLimits;
  readonly watchdog: WatchdogLimits;
}

/** Runs delegations: owns the tasks, their queue, watchdogs and aborts. */
export type DelegationEngine = ReturnType<typeof createDelegationEngine>;

export function createDelegationEngine(host: Host, clock: Clock, settings: EngineSettings) {
  const tasks = createTaskStore();
  const running = new Map<string, RunningTask>();
  const rows = createProgressRows(host, clock, tasks);
  const queue = createQueue(settings.queue, clock);
  const notices = createDelegationNotices(host, clock);
  const cooldowns = createCooldowns(clock);
  let isDisposed = false;

  /** @param onPlaced called once its place in the queue is known, or it has ended without one */
  const run = async (delegation: Delegation, child: Child, onPlaced: () => void): Promise<void> => {
    const { taskId } = child;
    const state: RunningTask = {
      attempt: null,
      ticket: null,
      // Its session may have been on the way when everything ended.
      stopped: isDisposed ? { status: "cancelled", reason: CLOSING } : null,
      hasNextModel: true,
      overflows: 0,
      isHeldUp: false,
      deeds: NO_DEEDS,
      isOrphaned: false,
      spent: new Map(),
      stopGrace: () => undefined,
    };
    running.set(taskId, state);
    const stopWatching = supervisor.watch(taskId, delegation.limits);
    try {
      const { specialist, sessionModel } = delegation;
      const catalog = await host.models();
      const chain = chainOf(specialist, catalog, sessionModel);
      const candidates = resolveCandidates(chain, catalog, sessionModel, cooldowns.isCooling);
      notices.inherited(specialist.name, candidates);
      const outcome = await runTask({
        host,
        clock,
        queue,
        cooldowns,
        candidates,
        specialist,
        prompt: delegation.prompt,
        beginning: delegation.resume === null ? beginningOf(specialist) : "",
        vcs: delegation.vcs,
        current: () => current(taskId),
        dispatch(event) {
          tasks.dispatch(taskId, event);
        },
        onAttempt(attempt, ticket) {
          state.stopGrace();
          state.attempt = attempt;
          state.ticket = ticket;
          onPlaced();
          state.overflows = 0;
          state.hasNextModel = current(taskId).attempts.length + 1 < candidates.models.length;
          if (state.stopped !== null)
            attempt?.interrupt({ failure: "aborted", message: state.stopped.reason });
        },
        stopped: () => state.stopped,
      });
      end(taskId, await settled(delegation, current(taskId), held(state, outcome, specialist)));
    } catch (error) {
      host.logger.log("error", "delegation", describeError(error), { taskId });
      end(taskId, ended("failed", `The delegation broke inside the plugin: ${describeError(error)}`));
    } finally {
      stopWatching();
      running.delete(taskId);
      if (state.isOrphaned) tasks.remove(taskId);
      onPlaced();
    }
  };

  /** What it says of itself, held against what it did. */
  const held = (state: RunningTask, outcome: TaskOutcome, specialist: Specialist): TaskOutcome =>
    outcome.status === "completed" && state.isHeldUp
      ? { ...outcome, status: "partial", message: HELD_UP }
      : weigh(outcome, state.deeds, specialist);

  const settled = async ({ ends }: Delegation, task: Task, outcome: TaskOutcome): Promise<TaskOutcome> => {
    if (ends === undefined) return outcome;
    const over = reduceTask(task, { type: "ended", at: clock.now(), outcome });
    return { ...outcome, worktree: await ends(renderResult(over, clock.now(), null)).catch(describeError) };
  };

  const end = (taskId: string, outcome: TaskOutcome): void => {
    tasks.dispatch(taskId, { type: "ended", at: clock.now(), outcome });
    notices.fellBack(current(taskId));
  };

  const current = (taskId: string): Task => {
    const task = tasks.get(taskId);
    if (task === undefined) throw new Error(`Task ${taskId} is not registered.`);
    return task;
  };

  const stop = (taskId: string, how: Stop): void => {
    const state = running.get(taskId);
    if (state === undefined) return;
    // The one who cancels it wants nothing of it any more.
    if (state.stopped?.status !== "cancelled") state.stopped = how;
    state.attempt?.interrupt({ failure: "aborted", message: how.reason });
    if (state.attempt === null) state.ticket?.release();
  };

  const engine = {
    tasks,
    /** Runs a delegation; a background one is answered as soon as its place in the queue is known, one that is let go at once. Never rejects. */
    async delegate(delegation: Delegation): Promise<DelegationResult | Refusal> {
      try {
        const child = await openChild(host, tasks, delegation);
        if (isRefusal(child)) return child;
        const { specialist, parentId, callId, background, workUnit, waveId } = delegation;
        const title = excerpt(delegation.title, MAX_TITLE);
        const identity = { id: child.taskId, sessionId: child.session.id, agent: specialist.name };
        tasks.add(
          createTask({ ...identity, title, parentId, callId, background, workUnit, waveId }, clock.now()),
        );
        let finished = Promise.resolve();
        await new Promise<void>((resolve) => {
          finished = run(delegation, child, resolve);
        });
        if (background) return engine.result(child.taskId) ?? refuse("The task ended before it began.");
        const cancel = (): void => {
          engine.cancel(child.taskId, "It was stopped with GAIA.");
        };
        delegation.abort.addEventListener("abort", cancel, { once: true });
        if (delegation.abort.aborted) cancel();
        const { promise: resting, resolve: letGo } = deferred();
        const endWait = delegation.waited?.(letGo);
        await Promise.race([finished, resting]);
        endWait?.();
        tasks.dispatch(child.taskId, { type: "let-go", at: clock.now() });
        await rows.settle(child.taskId);
        delegation.abort.removeEventListener("abort", cancel);
        return engine.result(child.taskId) ?? refuse("The task's result is gone; collect it by its session.");
      } catch (error) {
        return refuse(`No child session could be opened: ${describeError(error)}`, "Try again.");
      }
    },
    result(taskId: string): DelegationResult | null {
      const task = tasks.get(taskId);
      return task === undefined ? null : renderResult(task, clock.now(), running.get(taskId)?.ticket ?? null);
    },
    /** Notes whether a child was refused its last change because a check-in is due: what it then calls finished is not. */
    holdUp(sessionId: string, isHeldUp: boolean): void {
      const state = running.get(tasks.openIn(sessionId)?.id ?? "");
      if (state !== undefined) state.isHeldUp = isHeldUp;
    },
    note(sessionId: string, deed: Deed): void {
      const state = running.get(tasks.openIn(sessionId)?.id ?? "");
      if (state !== undefined) state.deeds = addDeed(state.deeds, deed);
    },
    cancel(taskId: string, reason: string): void {
      stop(taskId, { status: "cancelled", reason });
    },
    /** Ends a task that reached a bound: it aborts the child, and what that has is the result. */
    cut(taskId: string, reason: string): void {
      stop(taskId, { status: "partial", reason });
    },
    /** Takes every event of OpenCode. Must be quick: it is called for sessions of other agents as well. */
    observe(event: HostEvent): void {
      const sessionId = sessionOf(event);
      if (sessionId === null) return;
      if (event.type === "session.deleted") endSession(sessionId);
      const task = tasks.openIn(sessionId);
      if (task !== undefined) supervisor.observe(task.id, event);
    },
    dispose(): void {
      isDisposed = true;
      rows.dispose();
      for (const taskId of running.keys()) engine.cancel(taskId, CLOSING);
    },
  };

  const endSession = (sessionId: string): void => {
    const own = tasks.openIn(sessionId);
    if (own !== undefined) engine.cancel(own.id, "Its session was deleted. Delegate it again in a new one.");
    for (const { id } of tasks.ofParent(sessionId)) {
      const state = running.get(id);
      // Its result is still read by the call that waits for it.
      if (state === undefined) tasks.remove(id);
      else state.isOrphaned = true;
      engine.cancel(id, "The session that delegated it was deleted.");
    }
  };

  const supervisor = createSupervisor({
    host,
    clock,
    tasks,
    running,
    limits: settings.watchdog,
    cut: engine.cut,
  });
  return engine;
}

/** What specialists have in common of what they send first: the tools, and the system prompt up to the role. */
const beginningOf = ({ mutates }: Specialist): string => (mutates ? "edits" : "reads");

/** A running tool may be silent this many times longer than a thinking model. */
const TOOL_PATIENCE = 5;

/** The engine's bounds in its own units, from the user's configuration. */
export function engineSettings(
  config: Pick<ResolvedConfig, "delegation" | "autopilotSafeguards">,
): EngineSettings {
  const { stallSeconds, maxTaskMinutes, maxConcurrent } = config.delegation;
  return {
    queue: { background: config.autopilotSafeguards.maxBackgroundTasks, ...maxConcurrent },
    watchdog: {
      stallMs: stallSeconds * 1000,
      toolStallMs: stallSeconds * 1000 * TOOL_PATIENCE,
      totalMs: maxTaskMinutes * 60_000,
    },
  };
}

/** A failing model is told of once in this time, in milliseconds, however many specialists meet it. */
const QUIET_MS = 120_000;

/** Tells the user of models that could not be used, so that a change of model is never silent (SPEC 6). */
function createDelegationNotices(host: Host, clock: Clock) {
  let told = false;
  const models = new Map<ModelId | null, number>();
  const isNew = ({ model, failure }: Attempt): boolean =>
    failure !== null && failure !== "aborted" && clock.now() - (models.get(model) ?? -Infinity) >= QUIET_MS;

  return {
    /** An agent runs on another model because none of its own is available; told once, for all. */
    inherited(agent: string, { inherited, models: [model] }: Candidates): void {
      if (!inherited || told) return;
      told = true;
      const runsOn = model === null ? "OpenCode's default model" : model;
      const others = "So does every specialist in that case; opencode-gaia doctor lists them.";
      void host.toast("warning", `${agent} runs on ${runsOn}: none of its models is available. ${others}`);
    },
    /** A task went on after attempts that failed; one that did not says so in its own last line. */
    fellBack(task: Task): void {
      const news = task.attempts.filter(isNew);
      const answered = task.attempts.findLast(({ failure }) => failure === null);
      if (news.length === 0 || answered === undefined) return;
      for (const { model } of news) models.set(model, clock.now());
      const failed = news.map(({ model, failure }) => `${model ?? "the default model"} (${failure})`);
      const then = answered.model ?? "the default model";
      void host.toast("warning", `${task.agent}: ${failed.join(", ")} failed; went on with ${then}.`);
    },
  };
}

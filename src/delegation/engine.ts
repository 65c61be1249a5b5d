import { type Host, type HostEvent, type ModelId, sessionOf } from "../host/port.ts";
import type { ResolvedConfig } from "../config/schema.ts";
import { type Clock, deferred } from "../lib/async.ts";
import { describeError, isRefusal, refuse, type Refusal } from "../lib/error.ts";
import { excerpt } from "../lib/text.ts";
import type { Candidates } from "./models.ts";
import { openChild, type Child, type Delegation } from "./child-session.ts";
import type { Deed } from "./deeds.ts";
import { createCooldowns } from "./failure.ts";
import { createProgressRows } from "./progress-rows.ts";
import { createQueue, type QueueLimits } from "./queue.ts";
import { renderResult, type DelegationResult } from "./result.ts";
import { runTask, type RunningTask, type TaskGround, type WatchdogLimits } from "./run-task.ts";
import { createTaskStore } from "./task-store.ts";
import { createTask, type Task, type Attempt } from "./task.ts";

const MAX_TITLE = 100;
const CLOSING = "OpenCode is closing.";

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
  const notices = createDelegationNotices(host, clock);
  const ground: TaskGround = {
    host,
    clock,
    tasks,
    queue: createQueue(settings.queue, clock),
    cooldowns: createCooldowns(clock),
    limits: settings.watchdog,
    resolved: notices.inherited,
  };
  let isDisposed = false;

  const begin = ({ taskId, session }: Child, delegation: Delegation): RunningTask => {
    const { specialist, parentId, callId, background, workUnit, waveId } = delegation;
    const title = excerpt(delegation.title, MAX_TITLE);
    const identity = { id: taskId, sessionId: session.id, agent: specialist.name };
    tasks.add(
      createTask({ ...identity, title, parentId, callId, background, workUnit, waveId }, clock.now()),
    );
    const task = runTask(ground, taskId, delegation);
    running.set(taskId, task);
    const forget = (): void => {
      running.delete(taskId);
      const over = tasks.get(taskId);
      if (over !== undefined) notices.fellBack(over);
    };
    void task.over.then(forget);
    // Its session may have been on the way when everything ended.
    if (isDisposed) engine.cancel(taskId, CLOSING);
    return task;
  };

  const engine = {
    tasks,
    /** Runs a delegation; a background one is answered as soon as its place in the queue is known, one that is let go at once. Never rejects. */
    async delegate(delegation: Delegation): Promise<DelegationResult | Refusal> {
      try {
        const child = await openChild(host, tasks, delegation);
        if (isRefusal(child)) return child;
        const { taskId } = child;
        const task = begin(child, delegation);
        await task.placed;
        if (delegation.background) return engine.result(taskId) ?? refuse("The task ended before it began.");
        const cancel = (): void => {
          engine.cancel(taskId, "It was stopped with GAIA.");
        };
        delegation.abort.addEventListener("abort", cancel, { once: true });
        if (delegation.abort.aborted) cancel();
        const { promise: resting, resolve: letGo } = deferred();
        const endWait = delegation.waited?.(letGo);
        await Promise.race([task.over, resting]);
        endWait?.();
        tasks.dispatch(taskId, { type: "let-go", at: clock.now() });
        await rows.settle(taskId);
        delegation.abort.removeEventListener("abort", cancel);
        return engine.result(taskId) ?? refuse("The task's result is gone; collect it by its session.");
      } catch (error) {
        return refuse(`No child session could be opened: ${describeError(error)}`, "Try again.");
      }
    },
    result(taskId: string): DelegationResult | null {
      const task = tasks.get(taskId);
      return task === undefined ? null : renderResult(task, clock.now(), running.get(taskId)?.position());
    },
    /** Notes what became of a call of a child. */
    note(sessionId: string, deed: Deed): void {
      running.get(tasks.openIn(sessionId)?.id ?? "")?.note(deed);
    },
    cancel(taskId: string, reason: string): void {
      running.get(taskId)?.stop({ status: "cancelled", reason });
    },
    /** Ends a task that reached a bound: it aborts the child, and what that has is the result. */
    cut(taskId: string, reason: string): void {
      running.get(taskId)?.stop({ status: "partial", reason });
    },
    /** Takes every event of OpenCode. Must be quick: it is called for sessions of other agents as well. */
    observe(event: HostEvent): void {
      const sessionId = sessionOf(event);
      if (sessionId === null) return;
      if (event.type === "session.deleted") endSession(sessionId);
      running.get(tasks.openIn(sessionId)?.id ?? "")?.observe(event);
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
      engine.cancel(id, "The session that delegated it was deleted.");
      void (running.get(id)?.over ?? Promise.resolve()).then(() => tasks.remove(id));
    }
  };
  return engine;
}

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

import type { Host, HostEvent, HostTurn } from "../host/port.ts";
import type { Clock } from "../lib/async.ts";
import { describeError } from "../lib/error.ts";
import type { RunningAttempt } from "./attempt.ts";
import type { Deeds } from "./deeds.ts";
import { classifyFailure } from "./failure.ts";
import type { Ticket } from "./queue.ts";
import type { Stop } from "./run-task.ts";
import type { TaskStore } from "./task-store.ts";
import { isEnded, type Task, type TaskEvent } from "./task.ts";

/** How long an error event may be ahead of the prompt's own answer before the attempt is ended, in milliseconds. */
const ERROR_GRACE_MS = 2_000;

/** After this many overflows in one attempt OpenCode's own compaction has proved useless: it would go on for ever. */
const MAX_OVERFLOWS = 2;

export interface RunningTask {
  attempt: RunningAttempt | null;
  ticket: Ticket | null;
  stopped: Stop | null;
  hasNextModel: boolean;
  overflows: number;
  isHeldUp: boolean;
  deeds: Deeds;
  /** Whether the session that delegated it is gone, and nobody will ask for it. */
  isOrphaned: boolean;
  /** Of each message of its session, which tells of its end more than once. */
  readonly spent: Map<string, Pick<Task, "tokens" | "cost">>;
  /** Stops the wait for an answer that an error event has announced. */
  stopGrace: () => void;
}

export interface SupervisorInput {
  readonly host: Host;
  readonly clock: Clock;
  readonly tasks: TaskStore;
  readonly running: ReadonlyMap<string, RunningTask>;
  readonly limits: WatchdogLimits;
  cut(taskId: string, reason: string): void;
}

/** Decides from events and from silence when a running attempt is to be ended (SPEC 2.5, 6). */
export function createSupervisor(input: SupervisorInput) {
  const { clock, tasks, running, limits } = input;

  const onError = (state: RunningTask, { failure }: Extract<HostEvent, { type: "session.error" }>): void => {
    const reason = { failure: classifyFailure(failure), message: failure.message };
    if (reason.failure === "aborted") return; // The prompt itself answers as soon as the loop has ended.
    const { attempt } = state;
    if (reason.failure !== "context-overflow") {
      state.stopGrace();
      state.stopGrace = clock.after(ERROR_GRACE_MS, () => attempt?.interrupt(reason));
      return;
    }
    state.overflows += 1;
    if (state.overflows >= MAX_OVERFLOWS) attempt?.interrupt(reason);
  };

  return {
    observe(taskId: string, event: HostEvent): void {
      const taskEvent = readTaskEvent(event, clock.now());
      if (taskEvent !== null) tasks.dispatch(taskId, taskEvent);
      const state = running.get(taskId);
      if (state === undefined) return;
      if (isAnswering(event)) state.ticket?.answering();
      if (event.type === "message.finished") {
        state.spent.set(event.messageId, event);
        tasks.dispatch(taskId, { type: "spent", at: clock.now(), ...sumOf([...state.spent.values()]) });
      }
      if (event.type === "session.error") onError(state, event);
      if (event.type !== "session.retry") return;
      const { message, nextAt: until } = event;
      if (isWorthTakingOver(until - clock.now(), state.hasNextModel, limits.stallMs))
        state.attempt?.interrupt({ failure: "overload", message, until });
    },
    /**
     * Looks at a task again and again until it is stopped; one timer per task, none per event. A child that waits for a person is
     * never stalled (SPEC 2.5), but what it asked may be gone by now.
     */
    watch(taskId: string, own: Partial<WatchdogLimits> = {}): () => void {
      const { stallMs, toolStallMs, totalMs } = { ...limits, ...own };
      const period = Math.max(10, Math.min(stallMs, totalMs) / 4);
      let waitedMs = 0;
      let isLooking = false;
      const look = (): void => {
        const task = tasks.get(taskId);
        if (task === undefined) return;
        cancel = clock.after(period, look);
        if (isEnded(task) || task.startedAt === null) return;
        const isWaiting = task.status === "waiting-for-human";
        if (isWaiting) waitedMs += period;
        else if (clock.now() - task.startedAt - waitedMs >= totalMs) {
          const bound =
            own.totalMs === undefined ? "a task may take (delegation.maxTaskMinutes)" : "this may take";
          input.cut(taskId, `it took longer than ${bound}`);
          return;
        }
        const allowed = task.openTools.length > 0 && !isWaiting ? toolStallMs : stallMs;
        const attempt = running.get(taskId)?.attempt ?? null;
        if (clock.now() - task.heardAt < allowed || isLooking || attempt === null) return;
        isLooking = true;
        void lookAtSilence(input, taskId, attempt).finally(() => {
          isLooking = false;
        });
      };
      let cancel = clock.after(period, look);
      return () => cancel();
    },
  };
}

/**
 * A silent child is looked at before it is given up: an event may have been missed. It may wait for the user, or its
 * loop may be over; in all other cases it is stalled, unless it is known to wait for the user and that cannot be checked.
 */
async function lookAtSilence(
  { host, clock, tasks }: SupervisorInput,
  taskId: string,
  attempt: RunningAttempt,
): Promise<void> {
  const sessionId = tasks.get(taskId)?.sessionId ?? "";
  try {
    const seen = await host.sessions.look(sessionId);
    const asked = seen.requests ?? tasks.get(taskId)?.openRequests ?? [];
    if (noteRequests(tasks, taskId, asked, clock.now())) return;
    const turn = seen.busy ? null : await lastTurn(host, sessionId);
    if (turn !== null) {
      attempt.finish(turn);
      return;
    }
  } catch (error) {
    host.logger.log("warn", "supervisor", `A silent child could not be looked at: ${describeError(error)}`);
    if (tasks.get(taskId)?.status === "waiting-for-human") return;
  }
  attempt.interrupt({ failure: "stalled", message: "Nothing was heard of it for too long" });
}

/** @returns whether the task's silence is explained: a user is asked, or has just been found to have answered */
function noteRequests(tasks: TaskStore, taskId: string, requests: readonly string[], at: number): boolean {
  for (const requestId of requests) {
    tasks.dispatch(taskId, { type: "human-needed", at, requestId, what: "waits for an answer" });
  }
  const gone = (tasks.get(taskId)?.openRequests ?? []).filter((id) => !requests.includes(id));
  for (const requestId of gone) tasks.dispatch(taskId, { type: "human-answered", at, requestId });
  return requests.length > 0 || gone.length > 0;
}

async function lastTurn(host: Host, sessionId: string): Promise<HostTurn | null> {
  const last = (await host.sessions.messages(sessionId)).at(-1);
  return last?.role === "assistant" && last.completed ? last.turn : null;
}

export interface WatchdogLimits {
  /** Silence after which a child is looked at, in milliseconds. */
  readonly stallMs: number;
  /** The same while one of its tools runs: a build may be silent for long. */
  readonly toolStallMs: number;
  /** The whole task from its start, the time it waited for a human not counted. */
  readonly totalMs: number;
}

/** What an OpenCode event of a child session means for its task; null when it means nothing. Pure. */
function readTaskEvent(event: HostEvent, at: number): TaskEvent | null {
  switch (event.type) {
    case "tool.activity":
      return {
        type: "activity",
        at,
        label: event.title === "" ? event.tool : `${event.tool}: ${event.title}`,
        callId: event.callId,
        running: event.status === "running",
      };
    case "text.activity":
    case "text.finished":
    case "message.finished":
      return { type: "activity", at, label: "" };
    case "session.retry": // Silence counts from the end of the wait that OpenCode announced.
      return { type: "retries", at: Math.max(at, event.nextAt), message: event.message };
    case "permission.asked":
      return {
        type: "human-needed",
        at,
        requestId: event.requestId,
        what: `waits for permission: ${event.permission}`,
      };
    case "question.asked":
      return { type: "human-needed", at, requestId: event.requestId, what: "waits for an answer" };
    case "permission.replied":
    case "question.answered":
      return { type: "human-answered", at, requestId: event.requestId };
    default:
      return null;
  }
}

function sumOf(all: readonly Pick<Task, "tokens" | "cost">[]): Pick<Task, "tokens" | "cost"> {
  const total = (of: (each: Pick<Task, "tokens" | "cost">) => number): number =>
    all.reduce((sum, each) => sum + of(each), 0);
  return {
    tokens: {
      input: total(({ tokens }) => tokens.input),
      output: total(({ tokens }) => tokens.output),
      cached: total(({ tokens }) => tokens.cached),
    },
    cost: total(({ cost }) => cost),
  };
}

/** Whether a session's model has begun to answer: what a prompt leaves of itself in the session does not count. */
function isAnswering(event: HostEvent): boolean {
  const { type } = event;
  return (
    type === "tool.activity" ||
    type === "message.finished" ||
    (type === "text.activity" && event.isStreamed === true)
  );
}

/** Aborting a child and prompting it again takes less than this, in milliseconds. */
const SWITCHING_MS = 1_000;

/**
 * OpenCode retries a failing provider by itself, with growing waits. The engine takes over when switching to the next
 * model is quicker, and when the wait is longer than a silent child may last (SPEC 6).
 * @param wait until OpenCode's next try, in milliseconds
 */
export function isWorthTakingOver(wait: number, hasNextModel: boolean, stallMs: number): boolean {
  return wait >= (hasNextModel ? SWITCHING_MS : stallMs);
}

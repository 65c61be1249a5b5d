import type { Answer } from "../contracts/contract.ts";
import type { HostEvent, ModelId, TokenUse } from "../host/port.ts";
import type { FailureClass } from "./failure.ts";

export type TaskStatus =
  | "queued"
  | "running"
  | "retrying"
  | "repairing"
  | "waiting-for-human"
  | "completed"
  | "partial"
  | "failed"
  | "cancelled";

/** One model's try at a task. `failure` is null for the one that answered. */
export interface Attempt {
  readonly model: ModelId | null;
  readonly failure: FailureClass | null;
  readonly message: string;
  readonly duration_ms: number;
  /** When its provider says that it answers again, in milliseconds since the epoch; absent where it did not say. */
  readonly until?: number;
}

export interface TaskOutcome {
  readonly status: "completed" | "partial" | "failed" | "cancelled";
  /** One sentence for a human or a model: why, and what to do next. Empty when completed. */
  readonly message: string;
  /** Its contract, as it was filled in. */
  readonly envelope: Answer | null;
  readonly parseError: string | null;
  /** The specialist's own words, where the envelope does not hold them. */
  readonly text: string | null;
  readonly worktree?: string;
  /** What it was not allowed to do, in words; absent for nothing. */
  readonly denied?: string;
  /** Nothing was done behind the last thing that it was not allowed to do. */
  readonly isShort?: true;
}

/** An outcome of which there is no more to tell. */
export function ended(status: TaskOutcome["status"], message: string): TaskOutcome {
  return { status, message, envelope: null, parseError: null, text: null };
}

/** One delegation, from the call to its end. Times are milliseconds of the injected clock. */
export interface Task {
  readonly id: string;
  readonly agent: string;
  readonly parentId: string;
  /** The parent's tool call that waits for this task; its row shows the progress. */
  readonly callId: string;
  readonly sessionId: string;
  readonly background: boolean;
  readonly title?: string;
  readonly workUnit: string | null;
  readonly waveId: string | null;
  readonly status: TaskStatus;
  readonly cause: string;
  readonly queuedAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  readonly model: ModelId | null;
  readonly attempts: readonly Attempt[];
  /** What the specialist did last, and when anything was last heard of it. */
  readonly activity: string;
  readonly heardAt: number;
  readonly openTools: readonly string[];
  /** Permission and question requests of the child that wait for the user. */
  readonly openRequests: readonly string[];
  readonly tokens: TokenUse;
  readonly cost: number;
  readonly isRepaired: boolean;
  readonly outcome: TaskOutcome | null;
}

export type TaskEvent =
  | { type: "started"; at: number; model: ModelId | null }
  | { type: "attempt-failed"; at: number; attempt: Attempt }
  | { type: "answered"; at: number; attempt: Attempt }
  | { type: "repairing"; at: number }
  /** OpenCode tries its provider again by itself. */
  | { type: "retries"; at: number; message: string }
  | { type: "activity"; at: number; label: string; callId?: string; running?: boolean }
  | { type: "spent"; at: number; tokens: TokenUse; cost: number }
  | { type: "human-needed"; at: number; requestId: string; what: string }
  | { type: "human-answered"; at: number; requestId: string }
  /** Nobody waits for its end any more. */
  | { type: "let-go"; at: number }
  | { type: "ended"; at: number; outcome: TaskOutcome };

export type NewTask = Pick<
  Task,
  "id" | "agent" | "parentId" | "callId" | "sessionId" | "background" | "title" | "workUnit" | "waveId"
>;

export function createTask(input: NewTask, at: number): Task {
  return {
    ...input,
    status: "queued",
    cause: "delegated",
    queuedAt: at,
    startedAt: null,
    endedAt: null,
    model: null,
    attempts: [],
    activity: "",
    heardAt: at,
    openTools: [],
    openRequests: [],
    tokens: { input: 0, output: 0, cached: 0 },
    cost: 0,
    isRepaired: false,
    outcome: null,
  };
}

export function isEnded(task: Task): boolean {
  return task.outcome !== null;
}

/** When the first of the models that failed answers again, by what their providers say; null where none says it. */
export function limitedUntil(attempts: readonly Pick<Attempt, "failure" | "until">[]): number | null {
  const told = attempts.flatMap(({ failure, until }) => (failure === null ? [] : (until ?? [])));
  return told.length === 0 ? null : Math.min(...told);
}

/** Until when OpenCode waits before it tries the task's provider again; null where it does not wait. */
export function waitsUntil({ status, cause, heardAt }: Task): number | null {
  return status === "retrying" && cause.startsWith(RETRIES) ? heardAt : null;
}

/**
 * The one place in which a task changes. An ended task never changes again: late events return it as it is.
 * Waiting for a human is derived from the open requests, so that two requests at once are not forgotten.
 */
export function reduceTask(task: Task, event: TaskEvent): Task {
  return isEnded(task) ? task : { ...task, ...changeOf(task, event) };
}

const RETRIES = "retries: ";
const NOTHING_OPEN = { openTools: [], openRequests: [] };

function changeOf(task: Task, event: TaskEvent): Partial<Task> {
  const heardAt = event.at;
  switch (event.type) {
    case "started": {
      const { model } = event;
      const startedAt = task.startedAt ?? event.at;
      const failed = task.attempts.at(-1);
      if (failed === undefined) return { status: "running", cause: "started", model, startedAt, heardAt };
      // What corrects its answer is asked by the same model.
      if (failed.failure === null) return { model, startedAt, heardAt };
      const cause = `fell back after ${failed.failure}`;
      return { status: "retrying", cause, model, startedAt, heardAt };
    }
    case "attempt-failed": {
      const attempts = [...task.attempts, event.attempt];
      return { status: "retrying", cause: event.attempt.message, attempts, ...NOTHING_OPEN };
    }
    case "answered":
      return { status: "running", attempts: [...task.attempts, event.attempt], heardAt, ...NOTHING_OPEN };
    case "repairing":
      return {
        status: "repairing",
        cause: "the result did not fit the contract",
        isRepaired: true,
        heardAt,
      };
    case "retries":
      return { status: "retrying", cause: `${RETRIES}${event.message}`, heardAt };
    case "activity": {
      const goesOn = task.status === "retrying" ? ({ status: "running", cause: "went on" } as const) : {};
      return {
        ...goesOn,
        activity: event.label || task.activity,
        heardAt,
        openTools: openTools(task, event),
      };
    }
    case "spent":
      return { tokens: event.tokens, cost: event.cost };
    case "human-needed": {
      const others = task.openRequests.filter((id) => id !== event.requestId);
      const openRequests = [...others, event.requestId];
      return { status: "waiting-for-human", cause: event.what, heardAt, openRequests };
    }
    case "human-answered": {
      const openRequests = task.openRequests.filter((id) => id !== event.requestId);
      if (openRequests.length > 0 || task.status !== "waiting-for-human") return { openRequests };
      return { status: "running", cause: "answered", heardAt, openRequests };
    }
    case "let-go":
      return { background: true };
    case "ended": {
      const { outcome, at: endedAt } = event;
      const cause = outcome.message || outcome.status;
      return { status: outcome.status, cause, endedAt, outcome, ...NOTHING_OPEN };
    }
  }
}

function openTools(task: Task, event: Extract<TaskEvent, { type: "activity" }>): readonly string[] {
  if (event.callId === undefined) return task.openTools;
  const others = task.openTools.filter((id) => id !== event.callId);
  return event.running === true ? [...others, event.callId] : others;
}

/** What an OpenCode event of a child session means for its task; null when it means nothing. Pure. */
export function readTaskEvent(event: HostEvent, at: number): TaskEvent | null {
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
    case "permission.asked": {
      const what = `waits for permission: ${event.permission}`;
      return { type: "human-needed", at, requestId: event.requestId, what };
    }
    case "question.asked":
      return { type: "human-needed", at, requestId: event.requestId, what: "waits for an answer" };
    case "permission.replied":
    case "question.answered":
      return { type: "human-answered", at, requestId: event.requestId };
    default:
      return null;
  }
}

const MARK = "::";

/** Names one of several delegations that a single tool call makes, so that each stands by itself in ledgers. */
export function partOfCall(callId: string, part: string): string {
  return `${callId}${MARK}${part}`;
}

/** The tool call that a delegation belongs to: what OpenCode knows, and what shows the progress. */
export function callOf(delegationCall: string): string {
  return delegationCall.split(MARK)[0] ?? delegationCall;
}

/** A task id holds its session, so that a result can be found again after a restart: `task_<session>_<n>`. */
export function taskIdOf(sessionId: string, number: number): string {
  return `task_${sessionId.replace(/^ses_/, "")}_${number}`;
}

/** The session behind a task id, and which of its tasks it was; null when it is no task id. */
export function parseTaskId(taskId: string): { sessionId: string; number: number } | null {
  const match = /^task_([A-Za-z0-9]+)_([0-9]{1,6})$/.exec(taskId);
  return match === null ? null : { sessionId: `ses_${match[1] ?? ""}`, number: Number(match[2]) };
}

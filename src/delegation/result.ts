import { isRecord } from "../lib/json.ts";
import { isEnded, type Attempt, type Task } from "./task.ts";

/** What is known of a delegation; the orchestrator is given it by {@link renderGiven}. */
export interface DelegationResult {
  task_id: string;
  session_id: string;
  agent: string;
  status: "running" | "completed" | "partial" | "failed";
  model_used: string | null;
  parsed_json: unknown;
  raw_text: string | null;
  parse_error: string | null;
  worktree?: string;
  message?: string;
  /** Only while running: what it does, and its place when it waits for a free slot. */
  progress?: { state: string; last: string; queue_position?: number };
  attempts: readonly Attempt[];
  duration_ms: number;
  tokens: Task["tokens"];
  cost: number;
}

const QUEUED =
  "Queued behind another that begins alike, or by autopilotSafeguards.maxBackgroundTasks or delegation.maxConcurrent. It starts by itself.";

/**
 * A task as the orchestrator sees it. `raw_text` is null when the envelope holds the content already.
 * @param queuePosition its place in the queue; 0 when it waits for none
 */
export function renderResult(task: Task, now: number, queuePosition = 0): DelegationResult {
  const { outcome } = task;
  const queued = queuePosition > 0 ? { queue_position: queuePosition } : {};
  const message = outcome?.message ?? (queuePosition > 0 ? QUEUED : "");
  return {
    task_id: task.id,
    session_id: task.sessionId,
    agent: task.agent,
    status: outcome === null ? "running" : outcome.status === "cancelled" ? "failed" : outcome.status,
    model_used: task.model,
    parsed_json: outcome?.envelope ?? null,
    raw_text: outcome?.text ?? null,
    parse_error: outcome?.parseError ?? null,
    ...(message === "" ? {} : { message }),
    ...(outcome?.worktree ? { worktree: outcome.worktree } : {}),
    ...(isEnded(task) ? {} : { progress: { state: task.status, last: task.activity, ...queued } }),
    attempts: task.attempts,
    duration_ms: (task.endedAt ?? now) - (task.startedAt ?? task.queuedAt),
    tokens: task.tokens,
    cost: task.cost,
  };
}

/**
 * A result as the orchestrator pays for it, again with each of its turns: the contract, and around it at most 250 bytes beside
 * words that say what is wrong. What it took is for the user (`meteringOf`).
 */
export function renderGiven(result: object): object {
  const entries = Object.entries(result).flatMap(([key, value]: [string, unknown]) => {
    if (value === null || METERING.has(key)) return [];
    return [[key, key === "parsed_json" && isRecord(value) ? contractOf(value) : value]];
  });
  return Object.fromEntries(entries) as object;
}

export function meteringOf(result: object): object {
  return Object.fromEntries(Object.entries(result).filter(([key]) => METERING.has(key)));
}

const METERING: ReadonlySet<string> = new Set([
  "model_used",
  "attempts",
  "duration_ms",
  "tokens",
  "cost",
] satisfies (keyof DelegationResult)[]);

/** What lies outside of the task is for the user, not for the orchestrator. */
function contractOf(envelope: Readonly<Record<string, unknown>>): object {
  const isSaid = ([key, value]: [string, unknown]): boolean =>
    key !== "outside" && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(envelope).filter(isSaid));
}

/** OpenCode cuts a tool's output at 50 KB; what one answer or message carries stays below, in bytes. */
const MAX_BYTES = 45_000;

/** How many of these results, from the first, go into one answer; at least one. */
export function countFitting(results: readonly object[]): number {
  let bytes = 0;
  const over = results.findIndex((result) => {
    bytes += Buffer.byteLength(JSON.stringify(result)) + 1;
    return bytes > MAX_BYTES;
  });
  return over < 0 ? results.length : Math.max(1, over);
}

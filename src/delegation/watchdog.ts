import type { Clock } from "../lib/clock.ts";
import { isEnded, type Task } from "./task.ts";

export interface WatchdogLimits {
  /** Silence after which a child is looked at, in milliseconds. */
  readonly stallMs: number;
  /** The same while one of its tools runs: a build may be silent for long. */
  readonly toolStallMs: number;
  /** The whole task from its start, the time it waited for a human not counted. */
  readonly totalMs: number;
}

/** What the silence of a task means. */
export type Silence = "quiet" | "stalled" | "unanswered" | "out-of-time";

/**
 * Says what the silence of a task means now. A child that waits for a permission or an answer is never stalled (SPEC 2.5): `unanswered`
 * only says that the request may be gone by now.
 * @param waitedMs how long it has waited for a human altogether
 */
export function classifySilence(task: Task, now: number, waitedMs: number, limits: WatchdogLimits): Silence {
  if (isEnded(task) || task.startedAt === null) return "quiet";
  if (task.status === "waiting-for-human")
    return now - task.heardAt >= limits.stallMs ? "unanswered" : "quiet";
  if (now - task.startedAt - waitedMs >= limits.totalMs) return "out-of-time";
  const allowed = task.openTools.length > 0 ? limits.toolStallMs : limits.stallMs;
  return now - task.heardAt >= allowed ? "stalled" : "quiet";
}

/**
 * Looks at a task again and again until it is stopped; one timer per task, none per event.
 * @param onSilence called with each answer but `quiet`, possibly more than once
 */
export function startWatchdog(
  clock: Clock,
  limits: WatchdogLimits,
  current: () => Task | undefined,
  onSilence: (silence: Exclude<Silence, "quiet">) => void,
): () => void {
  const period = Math.max(10, Math.min(limits.stallMs, limits.totalMs) / 4);
  let waitedMs = 0;
  let cancel: () => void = () => undefined;
  const look = (): void => {
    const task = current();
    if (task === undefined) return;
    if (task.status === "waiting-for-human") waitedMs += period;
    const silence = classifySilence(task, clock.now(), waitedMs, limits);
    cancel = clock.after(period, look);
    if (silence !== "quiet") onSilence(silence);
  };
  cancel = clock.after(period, look);
  return () => {
    cancel();
  };
}

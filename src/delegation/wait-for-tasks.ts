import type { Clock } from "../lib/clock.ts";
import type { DelegationEngine } from "./engine.ts";
import { isEnded, type Task } from "./task.ts";

/** The longest that one call waits, in milliseconds; after that "still running" is the answer. */
export const MAX_WAIT_MS = 600_000;

export interface WaitRequest {
  readonly taskIds: readonly string[];
  /** The conversation that asks. */
  readonly parentId: string;
  /** 0 answers at once. Bounded by {@link MAX_WAIT_MS}. */
  readonly waitMs: number;
  readonly until: "any" | "all";
  readonly abort: AbortSignal;
}

/**
 * Waits until one (or each) of the tasks has ended, the time is over, or the user stops; on events, never by asking a
 * model. Tasks that this process does not know count as ended, and so do those of another conversation.
 */
export async function waitForTasks(
  engine: DelegationEngine,
  clock: Clock,
  request: WaitRequest,
): Promise<void> {
  const ended = (): boolean => {
    const states = request.taskIds.map((id) => isOver(engine.tasks.get(id), request.parentId));
    return request.until === "all" ? states.every(Boolean) : states.some(Boolean);
  };
  if (ended() || request.waitMs <= 0 || request.abort.aborted) return;
  await new Promise<void>((resolve) => {
    const stop = (): void => {
      cancelTimer();
      unsubscribe();
      request.abort.removeEventListener("abort", stop);
      resolve();
    };
    const cancelTimer = clock.after(Math.min(request.waitMs, MAX_WAIT_MS), stop);
    const unsubscribe = engine.tasks.subscribe(() => {
      if (ended()) stop();
    });
    request.abort.addEventListener("abort", stop, { once: true });
  });
}

function isOver(task: Task | undefined, parentId: string): boolean {
  return task === undefined || task.parentId !== parentId || isEnded(task);
}

import type { Task } from "../../delegation/task.ts";
import type { Clock } from "../../lib/clock.ts";

/** So long a historian may be silent once a run waits for nothing else, in milliseconds. */
const SILENT_MS = 60_000;
/** So long it is waited for in all, what the user has to answer not counted. */
const WAIT_MS = 240_000;
const LOOK_MS = 5_000;

/** The historian's task, as long as it runs. */
export interface RecordTask {
  readonly clock: Clock;
  task(): Pick<Task, "id" | "status" | "heardAt" | "startedAt"> | undefined;
  /** Ends it with what it has. */
  cut(taskId: string, reason: string): void;
}

/**
 * Waits for a historian, and ends one of whom nothing is heard: what was done stands in the record without her, and a run's
 * report does not wait for her stalls.
 */
export async function awaitRecord<T>(work: Promise<T>, { clock, task, cut }: RecordTask): Promise<T> {
  let waited = 0;
  let cancel: () => void = () => undefined;
  const look = (): void => {
    cancel = clock.after(LOOK_MS, look);
    const now = task();
    if (now === undefined || now.status === "waiting-for-human") return;
    waited += LOOK_MS;
    const silent = now.startedAt === null ? 0 : clock.now() - now.heardAt;
    if (silent >= SILENT_MS) cut(now.id, "nothing was heard of it, and all else was done");
    else if (waited >= WAIT_MS) cut(now.id, "it was still at work long after all else was done");
  };
  cancel = clock.after(LOOK_MS, look);
  try {
    return await work;
  } finally {
    cancel();
  }
}

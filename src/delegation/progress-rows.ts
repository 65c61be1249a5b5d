import type { Host } from "../host/port.ts";
import type { Clock } from "../lib/clock.ts";
import { renderRowTitle } from "./observe.ts";
import type { TaskStore } from "./task-store.ts";
import { isEnded, type Task } from "./task.ts";

/** A row is written at most this often, and again after this long without news, in milliseconds. */
const PERIOD_MS = 1_000;
const SILENT_PERIOD_MS = 10_000;

/** Shows on the tool row of each running delegation who works, on what, and for how long. */
export function createProgressRows(host: Host, clock: Clock, tasks: TaskStore) {
  const timers = new Map<string, { quick: boolean; cancel: () => void }>();
  const writing = new Map<string, Promise<void>>();
  const shown = new Set<string>();

  const schedule = (taskId: string, quick: boolean): void => {
    const current = timers.get(taskId);
    if (current !== undefined && (current.quick || !quick)) return;
    current?.cancel();
    const cancel = clock.after(quick ? PERIOD_MS : SILENT_PERIOD_MS, () => {
      timers.delete(taskId);
      write(taskId);
    });
    timers.set(taskId, { quick, cancel });
  };

  const write = (taskId: string): void => {
    const task = tasks.get(taskId);
    if (task === undefined || isEnded(task) || writing.has(taskId)) return;
    shown.add(taskId);
    const done = host.showProgress(task.callId, renderRowTitle(task, clock.now())).finally(() => {
      writing.delete(taskId);
      if (tasks.get(taskId)?.outcome === null) schedule(taskId, false);
    });
    writing.set(taskId, done);
  };

  const stop = (taskId: string): void => {
    timers.get(taskId)?.cancel();
    timers.delete(taskId);
  };

  const unsubscribe = tasks.subscribe((task: Task) => {
    if (task.background) return;
    if (isEnded(task)) stop(task.id);
    else schedule(task.id, true);
  });

  return {
    /** Ends a row's updates, waits for the one under way, and takes progress off the row: both must precede its end. */
    async settle(taskId: string): Promise<void> {
      await writing.get(taskId);
      stop(taskId);
      const task = tasks.get(taskId);
      if (shown.delete(taskId) && task !== undefined) await host.showProgress(task.callId, null);
    },
    dispose(): void {
      unsubscribe();
      for (const taskId of timers.keys()) stop(taskId);
    },
  };
}

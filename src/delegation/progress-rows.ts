import type { Host } from "../host/port.ts";
import type { Clock } from "../lib/async.ts";
import { excerpt } from "../lib/text.ts";
import { callOf, isEnded, type Task } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

/** Rows are written once in this time while anything is at work, in milliseconds. */
const PERIOD_MS = 2_000;

/** Shows on the tool row of each running delegation who works, on what, and for how long; several of one call share its row. */
export function createProgressRows(host: Host, clock: Clock, tasks: TaskStore) {
  const writing = new Map<string, Promise<void>>();
  const shown = new Set<string>();
  let cancel: (() => void) | null = null;

  const openTasks = (): Task[] => tasks.all().filter((task) => !task.background && !isEnded(task));
  const openIn = (row: string): Task[] => openTasks().filter(({ callId }) => callOf(callId) === row);
  const schedule = (): void => {
    cancel ??= clock.after(PERIOD_MS, () => {
      cancel = null;
      for (const row of new Set(openTasks().map(({ callId }) => callOf(callId)))) write(row);
      if (openTasks().length > 0) schedule();
    });
  };
  const write = (row: string): void => {
    if (writing.has(row)) return;
    shown.add(row);
    const title = openIn(row).map((task) => renderRowTitle(task, clock.now()));
    const done = host.showProgress(row, title.join(" | ")).finally(() => writing.delete(row));
    writing.set(row, done);
  };
  const unsubscribe = tasks.subscribe((task: Task) => {
    if (!task.background && !isEnded(task)) schedule();
    if (openTasks().length > 0) return;
    cancel?.();
    cancel = null;
  });

  return {
    /** Waits for a row's last update once nothing of it is at work, and takes progress off it: both must precede its end. */
    async settle(taskId: string): Promise<void> {
      const row = callOf(tasks.get(taskId)?.callId ?? "");
      await writing.get(row);
      if (openIn(row).length === 0 && shown.delete(row)) await host.showProgress(row, null);
    },
    dispose(): void {
      unsubscribe();
      cancel?.();
    },
  };
}

const MAX_ROW = 140;

function renderRowTitle(task: Task, now: number): string {
  const seconds = Math.round((now - (task.startedAt ?? task.queuedAt)) / 1000);
  const why = task.cause?.replace(/^retries: /, "") ?? "";
  const what = task.status === "running" ? task.activity : `${task.status}${why === "" ? "" : ` (${why})`}`;
  return [task.agent, excerpt(what, MAX_ROW), `${seconds}s`].filter(Boolean).join(" · ");
}

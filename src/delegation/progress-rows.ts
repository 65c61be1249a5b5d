import type { Host } from "../host/port.ts";
import type { Clock } from "../lib/clock.ts";
import { excerpt } from "../lib/excerpt.ts";
import { callOf, isEnded, type Task } from "./task.ts";
import type { TaskStore } from "./task-store.ts";

/** A row is written at most this often, and again after this long without news, in milliseconds. */
const PERIOD_MS = 1_000;
const SILENT_PERIOD_MS = 10_000;

/** Shows on the tool row of each running delegation who works, on what, and for how long; several of one call share its row. */
export function createProgressRows(host: Host, clock: Clock, tasks: TaskStore) {
  const timers = new Map<string, { quick: boolean; cancel: () => void }>();
  const writing = new Map<string, Promise<void>>();
  const shown = new Set<string>();

  const openIn = (row: string): Task[] =>
    tasks.all().filter((task) => !task.background && !isEnded(task) && callOf(task.callId) === row);

  const schedule = (row: string, quick: boolean): void => {
    const current = timers.get(row);
    if (current !== undefined && (current.quick || !quick)) return;
    current?.cancel();
    const cancel = clock.after(quick ? PERIOD_MS : SILENT_PERIOD_MS, () => {
      timers.delete(row);
      write(row);
    });
    timers.set(row, { quick, cancel });
  };

  const write = (row: string): void => {
    const open = openIn(row);
    if (open.length === 0 || writing.has(row)) return;
    shown.add(row);
    const title = open.map((task) => renderRowTitle(task, clock.now())).join(" | ");
    const done = host.showProgress(row, title).finally(() => {
      writing.delete(row);
      if (openIn(row).length > 0) schedule(row, false);
    });
    writing.set(row, done);
  };

  const stop = (row: string): void => {
    timers.get(row)?.cancel();
    timers.delete(row);
  };

  const unsubscribe = tasks.subscribe((task: Task) => {
    if (task.background) return;
    const row = callOf(task.callId);
    if (isEnded(task) && openIn(row).length === 0) stop(row);
    else schedule(row, true);
  });

  return {
    /**
     * Ends a row's updates once nothing of it is at work, waits for the one under way, and takes progress off the row: both must
     * precede its end.
     */
    async settle(taskId: string): Promise<void> {
      const row = callOf(tasks.get(taskId)?.callId ?? "");
      await writing.get(row);
      if (openIn(row).length > 0) return;
      stop(row);
      if (shown.delete(row)) await host.showProgress(row, null);
    },
    dispose(): void {
      unsubscribe();
      for (const row of timers.keys()) stop(row);
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

import { isEnded, reduceTask, type Task, type TaskEvent } from "./task.ts";

/** Ended tasks beyond this many are forgotten, oldest first; their results can be rebuilt from their sessions. */
const MAX_ENDED = 500;

/** All tasks that this process knows, and who waits for them. */
export type TaskStore = ReturnType<typeof createTaskStore>;

export function createTaskStore() {
  const tasks = new Map<string, Task>();
  const claimed = new Set<string>();
  const listeners = new Set<(task: Task) => void>();
  const forgetOldest = (): void => {
    const ended = [...tasks.values()].filter(isEnded);
    for (const task of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) tasks.delete(task.id);
  };
  return {
    add(task: Task): void {
      tasks.set(task.id, task);
      forgetOldest();
      for (const listener of listeners) listener(task);
    },
    get: (taskId: string): Task | undefined => tasks.get(taskId),
    /** The task that is at work in a session. */
    openIn: (sessionId: string): Task | undefined =>
      [...tasks.values()].findLast((task) => task.sessionId === sessionId && !isEnded(task)),
    /** Keeps a child session for a task that is about to be added. @returns whether nobody else had it */
    claim(sessionId: string): boolean {
      const isFree = !claimed.has(sessionId);
      claimed.add(sessionId);
      return isFree;
    },
    unclaim(sessionId: string): void {
      claimed.delete(sessionId);
    },
    ofParent: (parentId: string): Task[] => [...tasks.values()].filter((task) => task.parentId === parentId),
    all: (): Task[] => [...tasks.values()],
    remove(taskId: string): void {
      tasks.delete(taskId);
    },
    dispatch(taskId: string, event: TaskEvent): void {
      const before = tasks.get(taskId);
      if (before === undefined) return;
      const after = reduceTask(before, event);
      if (after === before) return;
      tasks.set(taskId, after);
      for (const listener of listeners) listener(after);
    },
    /** Calls back for each new task and after each change of any; returns the way to stop. */
    subscribe(listener: (task: Task) => void): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

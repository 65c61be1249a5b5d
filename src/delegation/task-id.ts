/** A task id holds its session, so that a result can be found again after a restart: `task_<session>_<n>`. */
export function taskIdOf(sessionId: string, number: number): string {
  return `task_${sessionId.replace(/^ses_/, "")}_${number}`;
}

/** The session behind a task id, and which of its tasks it was; null when it is no task id. */
export function parseTaskId(taskId: string): { sessionId: string; number: number } | null {
  const match = /^task_([A-Za-z0-9]+)_([0-9]{1,6})$/.exec(taskId);
  return match === null ? null : { sessionId: `ses_${match[1] ?? ""}`, number: Number(match[2]) };
}

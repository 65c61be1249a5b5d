import type { HostEvent } from "../host/port.ts";
import { excerpt } from "../lib/excerpt.ts";
import type { Task, TaskEvent } from "./task.ts";

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
    case "message.answered":
    case "message.finished":
      return { type: "activity", at, label: "" };
    case "session.retry": // Silence counts from the end of the wait that OpenCode announced.
      return { type: "retries", at: Math.max(at, event.nextAt), message: event.message };
    case "permission.asked":
      return {
        type: "human-needed",
        at,
        requestId: event.requestId,
        what: `waits for permission: ${event.permission}`,
      };
    case "question.asked":
      return { type: "human-needed", at, requestId: event.requestId, what: "waits for an answer" };
    case "permission.replied":
    case "question.answered":
      return { type: "human-answered", at, requestId: event.requestId };
    default:
      return null;
  }
}

/** Whether a session's model has begun to answer: what a prompt leaves of itself in the session does not count. */
export function isAnswering(event: HostEvent): boolean {
  const { type } = event;
  return (
    type === "tool.activity" ||
    type === "message.answered" ||
    (type === "text.activity" && event.isStreamed === true)
  );
}

/** Aborting a child and prompting it again takes less than this, in milliseconds. */
const SWITCHING_MS = 1_000;

/**
 * OpenCode retries a failing provider by itself, with growing waits. The engine takes over when switching to the next
 * model is quicker, and when the wait is longer than a silent child may last (SPEC 6).
 * @param wait until OpenCode's next try, in milliseconds
 */
export function isWorthTakingOver(wait: number, hasNextModel: boolean, stallMs: number): boolean {
  return wait >= (hasNextModel ? SWITCHING_MS : stallMs);
}

/** Characters of what someone does, in a tool row. */
const MAX_ROW = 140;

/** One line for the tool row of a running delegation: who, what it does, how long. */
export function renderRowTitle(task: Task, now: number): string {
  const seconds = Math.round((now - (task.startedAt ?? task.queuedAt)) / 1000);
  const why = task.cause?.replace(/^retries: /, "") ?? "";
  const what = task.status === "running" ? task.activity : `${task.status}${why === "" ? "" : ` (${why})`}`;
  return [task.agent, excerpt(what, MAX_ROW), `${seconds}s`].filter(Boolean).join(" · ");
}

import { createHash } from "node:crypto";
import type { Event } from "@opencode-ai/sdk/v2/types";
import { canonicalJson, isRecord } from "../../lib/json.ts";
import type { HostEvent, PermissionKind } from "../port.ts";
import { type Calls, createCalls } from "./calls.ts";
import { readFailure, readSession, readTokens, errorWords } from "./read.ts";
import { readToolCall, PERMISSION_NAMES } from "./tool-call.ts";

type Properties<Type extends Event["type"]> = Extract<Event, { type: Type }>["properties"];
type Readers = { [Type in Event["type"]]?: (properties: Properties<Type>, calls: Calls) => HostEvent | null };

const KINDS: Readonly<Record<string, PermissionKind>> = {
  [PERMISSION_NAMES.command]: "command",
  [PERMISSION_NAMES.repetition]: "repetition",
};

/** One reader per OpenCode event that the plugin needs. */
const READERS: Readers = {
  "session.created": ({ info }) => ({ type: "session.created", session: readSession(info) }),
  "session.updated": ({ info }) => ({ type: "session.updated", session: readSession(info) }),
  "session.deleted": ({ info }, calls) => {
    calls.forget(info.id);
    return { type: "session.deleted", sessionId: info.id };
  },
  "session.status": readStatus,
  "session.error": ({ sessionID, error }) =>
    sessionID === undefined
      ? null
      : { type: "session.error", sessionId: sessionID, failure: readFailure(error, true) },
  "session.compacted": ({ sessionID }) => ({ type: "session.compacted", sessionId: sessionID }),
  "todo.updated": ({ sessionID, todos }) => {
    const open = todos.filter(({ status }) => status !== "completed" && status !== "cancelled");
    return { type: "todos.updated", sessionId: sessionID, open: open.length };
  },
  "message.updated": readMessage,
  "message.part.updated": readPart,
  "message.part.delta": ({ sessionID }) => ({
    type: "text.activity",
    sessionId: sessionID,
    isStreamed: true,
  }),
  "permission.asked": ({ sessionID, id, permission, patterns, always, metadata, tool }, calls) => ({
    type: "permission.asked",
    sessionId: sessionID,
    requestId: id,
    permission,
    kind: KINDS[permission] ?? "other",
    patterns,
    always: always ?? [],
    metadata,
    callId: tool === undefined ? null : calls.of({ sessionID, ...tool }).key,
  }),
  "permission.replied": ({ sessionID, requestID, reply }) => ({
    type: "permission.replied",
    sessionId: sessionID,
    requestId: requestID,
    reply,
  }),
  "question.asked": ({ sessionID, id }) => ({ type: "question.asked", sessionId: sessionID, requestId: id }),
  "question.replied": readQuestionEnd,
  "question.rejected": (end) => ({ ...readQuestionEnd(end), isRejected: true }),
};

/** An OpenCode event in our words, or null when nobody here needs it. Unknown and odd shapes are null, not errors. */
export function readEvent(raw: unknown, calls: Calls = createCalls()): HostEvent | null {
  if (!isRecord(raw)) return null;
  const read = READERS[raw["type"] as Event["type"]];
  try {
    return read?.(raw["properties"] as never, calls) ?? null;
  } catch {
    return null; // Another release's shape: nothing can be made of it here.
  }
}

function readStatus({ sessionID: sessionId, status }: Properties<"session.status">): HostEvent {
  if (status.type !== "retry") return { type: "session.status", sessionId, status: status.type };
  const { attempt, message, next: nextAt } = status;
  return { type: "session.retry", sessionId, attempt, message: errorWords(message), nextAt };
}

function readPart({ part }: Properties<"message.part.updated">, calls: Calls): HostEvent {
  const { sessionID: sessionId, messageID: messageId, id: partId } = part;
  if (part.type === "text" && part.time?.end !== undefined && part.ignored !== true) {
    return { type: "text.finished", sessionId, messageId, partId, text: part.text };
  }
  if (part.type !== "tool") return { type: "text.activity", sessionId };
  const { tool, state } = part;
  calls.messageBegan(sessionId, messageId);
  const call = calls.of(part);
  const { kind } = readToolCall(tool, null);
  const isOver = state.status === "completed" || state.status === "error";
  if (isOver) call.isOver = true;
  return {
    type: "tool.activity",
    sessionId,
    messageId,
    partId,
    callId: call.key,
    tool,
    kind,
    status: state.status,
    title: "title" in state ? (state.title ?? "") : "",
    error: state.status === "error" ? state.error : "",
    ...(isOver
      ? { trace: traceOf(tool, state.input, state.status === "error" ? state.error : state.output) }
      : {}),
  };
}

/** How a model's turn ends when the loop goes on after it. */
const GOES_ON = new Set(["tool-calls", "unknown"]);

function readMessage({ info }: Properties<"message.updated">, calls: Calls): HostEvent | null {
  if (info.role !== "assistant") return null;
  calls.messageBegan(info.sessionID, info.id);
  const { finish } = info;
  const isClean = info.error === undefined && info.summary !== true;
  const message = {
    sessionId: info.sessionID,
    messageId: info.id,
    tokens: readTokens(info.tokens),
    cost: info.cost,
  };
  if (info.time.completed === undefined) {
    const { sessionId, messageId } = message;
    return info.summary === true ? null : { type: "message.started", sessionId, messageId };
  }
  return {
    type: "message.finished",
    ...message,
    isAnswer: isClean && finish !== undefined && !GOES_ON.has(finish),
    ...(info.error === undefined ? {} : { isFailed: true }),
  };
}

function readQuestionEnd({ sessionID, requestID }: Properties<"question.rejected">) {
  return { type: "question.answered", sessionId: sessionID, requestId: requestID } as const;
}

/** How long something took, when it ran and where it lay is different each time, although nothing else is. */
const PASSING =
  /\b\d+(?:\.\d+)?\s?(?:ms|µs|s|seconds?)\b|\bduration_ms:? \d+(?:\.\d+)?|\b\d{4}-\d{2}-\d{2}T[\d:.]+Z?|\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b|\b0x[0-9a-f]{6,}\b|\bpid[ :=]+\d+/gi;

/** What was called and what came back, as a short text that is the same only where both are the same. */
export function traceOf(tool: string, input: unknown, result: unknown): string {
  const text = typeof result === "string" ? result.replaceAll(PASSING, "") : JSON.stringify(result);
  // Models give the same arguments in any order.
  const called = canonicalJson([tool, meant(input)]);
  return createHash("sha256").update(`${called}\n${text}`).digest("base64").slice(0, 16);
}

/** What a call does: a command is the same one whatever it is said to be for, how long it may take and how it is spaced. */
function meant(input: unknown): unknown {
  if (!isRecord(input)) return input;
  const { description: _said, timeout: _longest, command, ...rest } = input;
  if (typeof command !== "string") return input;
  return { ...rest, command: command.trim().replaceAll(/[^\S\n]+/g, " ") };
}

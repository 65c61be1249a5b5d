import { isRecord, numberOf, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import type { HostEvent } from "../port.ts";
import { readToolCall } from "./tool-call.ts";
import { readFailure, readSession, readTokens } from "./read.ts";

type Reader = (properties: JsonRecord, sessionId: string) => HostEvent | null;

/** One reader per OpenCode event that the plugin needs; the shapes are those of OPENCODE.md "Events". */
const READERS: Record<string, Reader> = {
  "session.created": (properties) => ({ type: "session.created", session: readSession(properties["info"]) }),
  "session.updated": (properties) => ({ type: "session.updated", session: readSession(properties["info"]) }),
  "session.deleted": (properties, sessionId) => ({
    type: "session.deleted",
    sessionId: textOf(recordOf(properties["info"])["id"]) ?? sessionId,
  }),
  "session.status": readStatus,
  "session.error": (properties, sessionId) =>
    sessionId ? { type: "session.error", sessionId, failure: readFailure(properties["error"], true) } : null,
  "session.compacted": (_properties, sessionId) => ({ type: "session.compacted", sessionId }),
  "todo.updated": readTodos,
  "message.updated": readMessage,
  "message.part.updated": readPart,
  "message.part.delta": (_properties, sessionId) => (sessionId ? { type: "text.activity", sessionId } : null),
  "permission.asked": readPermission,
  "permission.replied": (properties, sessionId) => ({
    type: "permission.replied",
    sessionId,
    requestId: textOf(properties["requestID"]) ?? "",
    reply: textOf(properties["reply"]) ?? "",
  }),
  "question.asked": (properties, sessionId) => ({
    type: "question.asked",
    sessionId,
    requestId: textOf(properties["id"]) ?? "",
  }),
  "question.replied": readQuestionEnd,
  "question.rejected": readQuestionEnd,
  "server.instance.disposed": () => ({ type: "instance.disposed" }),
};

/** An OpenCode event in our words, or null when nobody here needs it. Unknown and odd shapes are null, not errors. */
export function readEvent(raw: unknown): HostEvent | null {
  if (!isRecord(raw) || typeof raw["type"] !== "string") return null;
  const properties = recordOf(raw["properties"]);
  return READERS[raw["type"]]?.(properties, textOf(properties["sessionID"]) ?? "") ?? null;
}

function readStatus(properties: JsonRecord, sessionId: string): HostEvent | null {
  const status = recordOf(properties["status"]);
  if (status["type"] === "busy" || status["type"] === "idle") {
    return { type: "session.status", sessionId, status: status["type"] };
  }
  if (status["type"] !== "retry") return null;
  return {
    type: "session.retry",
    sessionId,
    attempt: numberOf(status["attempt"]) ?? 1,
    message: textOf(status["message"]) ?? "",
    nextAt: numberOf(status["next"]) ?? 0,
  };
}

function readPart(properties: JsonRecord): HostEvent | null {
  const part = recordOf(properties["part"]);
  const sessionId = textOf(part["sessionID"]);
  if (sessionId === undefined) return null;
  const messageId = textOf(part["messageID"]) ?? "";
  const partId = textOf(part["id"]) ?? "";
  if (part["type"] === "text" && recordOf(part["time"])["end"] !== undefined && part["ignored"] !== true) {
    return { type: "text.finished", sessionId, messageId, partId, text: textOf(part["text"]) ?? "" };
  }
  if (part["type"] !== "tool") return { type: "text.activity", sessionId };
  const state = recordOf(part["state"]);
  const tool = textOf(part["tool"]) ?? "";
  return {
    type: "tool.activity",
    sessionId,
    messageId,
    partId,
    callId: textOf(part["callID"]) ?? "",
    tool,
    kind: readToolCall(tool, null).kind,
    status: textOf(state["status"]) ?? "",
    title: textOf(state["title"]) ?? "",
    error: textOf(state["error"]) ?? "",
  };
}

function readTodos(properties: JsonRecord, sessionId: string): HostEvent {
  const todos = Array.isArray(properties["todos"]) ? properties["todos"].map(recordOf) : [];
  const open = todos.filter(({ status }) => status !== "completed" && status !== "cancelled");
  return { type: "todos.updated", sessionId, open: open.length, total: todos.length };
}

/** How a model's turn ends when the loop goes on after it. */
const GOES_ON = new Set(["tool-calls", "unknown"]);

function readMessage(properties: JsonRecord): HostEvent | null {
  const info = recordOf(properties["info"]);
  if (info["role"] !== "assistant") return null;
  const finish = textOf(info["finish"]);
  const isClean = info["error"] === undefined && info["summary"] !== true;
  const message = {
    sessionId: textOf(info["sessionID"]) ?? "",
    messageId: textOf(info["id"]) ?? "",
    tokens: readTokens(info["tokens"]),
    cost: numberOf(info["cost"]) ?? 0,
  };
  if (recordOf(info["time"])["completed"] === undefined) {
    return isClean && finish === "stop" ? { type: "message.answered", ...message } : null;
  }
  return {
    type: "message.finished",
    ...message,
    isAnswer: isClean && finish !== undefined && !GOES_ON.has(finish),
    ...(info["structured"] === undefined ? {} : { structured: info["structured"] }),
  };
}

function readPermission(properties: JsonRecord, sessionId: string): HostEvent {
  const patterns = Array.isArray(properties["patterns"]) ? properties["patterns"] : [];
  return {
    type: "permission.asked",
    sessionId,
    requestId: textOf(properties["id"]) ?? "",
    permission: textOf(properties["permission"]) ?? "",
    patterns: patterns.filter((pattern) => typeof pattern === "string"),
    metadata: recordOf(properties["metadata"]),
    callId: textOf(recordOf(properties["tool"])["callID"]) ?? null,
  };
}

function readQuestionEnd(properties: JsonRecord, sessionId: string): HostEvent {
  return { type: "question.answered", sessionId, requestId: textOf(properties["requestID"]) ?? "" };
}

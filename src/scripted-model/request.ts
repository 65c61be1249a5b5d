import { isRecord, parseJson, recordOf, textOf, type JsonRecord } from "../lib/json.ts";

export interface RecordedRequest {
  readonly agent: string;
  readonly sessionId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: string;
  readonly body: JsonRecord;
  /** Milliseconds since the epoch. */
  readonly at: number;
  aborted: boolean;
  /** When the answer was over; null while it is not. */
  endedAt: number | null;
}

/** OpenCode's own side requests, known by how their system prompts begin. */
const TITLE = "You are a title generator";
const INTRODUCTION = /^You are ([A-Z]{3,})\b/;
const LATER_INTRODUCTION = new RegExp(INTRODUCTION, "gm");

/** OpenCode sends no agent name, but our agents introduce themselves in capitals ("You are GAIA, …"); else `native`. */
export function agentOf(body: JsonRecord): string {
  const system = messagesOf(body).filter((message) => message["role"] === "system");
  const text = system.map((message) => contentText(message["content"])).join("\n");
  if (text.startsWith(TITLE)) return "title";
  const name = INTRODUCTION.exec(text) ?? [...text.matchAll(LATER_INTRODUCTION)].at(-1);
  return name?.[1]?.toLowerCase() ?? "native";
}

export function messagesOf(body: JsonRecord): JsonRecord[] {
  return Array.isArray(body["messages"]) ? body["messages"].filter(isRecord) : [];
}

/** The results of the newest tool calls, parsed where they are JSON, in the order of the calls. @internal */
export function toolResults(request: RecordedRequest): unknown[] {
  const messages = messagesOf(request.body);
  const lastOther = messages.findLastIndex((message) => message["role"] !== "tool");
  return messages.slice(lastOther + 1).map((message) => {
    const text = contentText(message["content"]);
    const value = parseJson(text);
    return value === undefined ? text : value; // A native tool's output is plain text.
  });
}

export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => textOf(recordOf(part)["text"]) ?? "").join("\n");
}

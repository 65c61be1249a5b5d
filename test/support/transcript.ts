import { recordOf, textOf, type JsonRecord } from "../../src/lib/json.ts";

export interface ToolRow {
  readonly tool: string;
  readonly status: string;
  readonly input: JsonRecord;
  readonly output: string;
  readonly error: string;
  readonly title: string;
  /** What the user can see of it beside the output. */
  readonly metadata: JsonRecord;
}

/** What one prompt led to, as the transcript has it. */
export interface Outcome {
  readonly sessionId: string;
  /** The text of the last answer. */
  readonly text: string;
  /** OpenCode's error of the last answer, null for none. */
  readonly error: JsonRecord | null;
  /** Every tool call of the session so far. */
  readonly tools: readonly ToolRow[];
}

/** @param messages as `GET /session/:id/message` gives them */
export function readOutcome(sessionId: string, messages: readonly JsonRecord[]): Outcome {
  const last = messages.findLast((message) => recordOf(message["info"])["role"] === "assistant");
  const texts = partsOf(last).filter((part) => part["type"] === "text");
  const error = recordOf(last?.["info"])["error"];
  return {
    sessionId,
    text: texts.map((part) => textOf(part["text"]) ?? "").join("\n"),
    error: error === undefined ? null : recordOf(error),
    tools: messages
      .flatMap(partsOf)
      .filter((part) => part["type"] === "tool")
      .map(readTool),
  };
}

function partsOf(message: JsonRecord | undefined): JsonRecord[] {
  return Array.isArray(message?.["parts"]) ? message["parts"].map(recordOf) : [];
}

function readTool(part: JsonRecord): ToolRow {
  const state = recordOf(part["state"]);
  return {
    tool: textOf(part["tool"]) ?? "",
    status: textOf(state["status"]) ?? "",
    input: recordOf(state["input"]),
    output: textOf(state["output"]) ?? "",
    error: textOf(state["error"]) ?? "",
    title: textOf(state["title"]) ?? "",
    metadata: recordOf(state["metadata"]),
  };
}

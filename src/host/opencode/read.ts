import { isRecord, numberOf, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import type { HostFailure, HostMessage, HostSession, HostTurn, ModelId, TokenUse } from "../port.ts";

/** OpenCode's session record in our words. */
export function readSession(raw: unknown): HostSession {
  const session = recordOf(raw);
  return {
    id: textOf(session["id"]) ?? "",
    parentId: textOf(session["parentID"]) ?? null,
    title: textOf(session["title"]) ?? "",
    metadata: recordOf(session["metadata"]),
    canAsk: !deniesQuestions(session["permission"]),
    tokens: readTokens(session["tokens"]),
    cost: numberOf(session["cost"]) ?? 0,
  };
}

/** The last matching rule wins. */
function deniesQuestions(rules: unknown): boolean {
  const own = (Array.isArray(rules) ? rules.map(recordOf) : []).filter(
    ({ permission }) => permission === "question" || permission === "*",
  );
  return own.at(-1)?.["action"] === "deny";
}

/** `{info, parts}` of a message in our words. */
export function readMessage(raw: unknown): HostMessage {
  const message = recordOf(raw);
  const info = recordOf(message["info"]);
  return {
    role: info["role"] === "user" ? "user" : "assistant",
    agent: textOf(info["agent"]) ?? textOf(info["mode"]) ?? "",
    model: readModel(isRecord(info["model"]) ? info["model"] : info),
    turn: readTurn(message),
    completed: info["role"] === "user" || numberOf(recordOf(info["time"])["completed"]) !== undefined,
  };
}

/** The answer of one prompt, or of one stored assistant message. */
export function readTurn(raw: unknown): HostTurn {
  const message = recordOf(raw);
  const info = recordOf(message["info"]);
  const parts = Array.isArray(message["parts"]) ? message["parts"].map(recordOf) : [];
  const texts = parts.filter((part) => part["type"] === "text" && part["ignored"] !== true);
  return {
    text: texts.map((part) => textOf(part["text"]) ?? "").join("\n"),
    ...(info["structured"] === undefined ? {} : { structured: info["structured"] }),
    failure: info["error"] === undefined ? null : readFailure(info["error"], true),
  };
}

/** OpenCode's `{name, data}` errors; `data.message` is what a person can read. */
export function readFailure(raw: unknown, promptSaved: boolean): HostFailure {
  const error = recordOf(raw);
  const data = recordOf(error["data"]);
  const statusCode = numberOf(data["statusCode"]);
  return {
    name: textOf(error["name"]) ?? "UnknownError",
    message: textOf(data["message"]) ?? textOf(error["message"]) ?? "no message",
    promptSaved,
    ...(statusCode === undefined ? {} : { statusCode }),
  };
}

/** A session's or a message's use of tokens; reasoning counts as output. */
export function readTokens(raw: unknown): TokenUse {
  const tokens = recordOf(raw);
  const cache = recordOf(tokens["cache"]);
  return {
    input: numberOf(tokens["input"]) ?? 0,
    output: (numberOf(tokens["output"]) ?? 0) + (numberOf(tokens["reasoning"]) ?? 0),
    cached: numberOf(cache["read"]) ?? 0,
  };
}

function readModel(raw: JsonRecord): ModelId | null {
  const provider = textOf(raw["providerID"]);
  const model = textOf(raw["modelID"]) ?? textOf(raw["id"]);
  return provider === undefined || model === undefined ? null : `${provider}/${model}`;
}

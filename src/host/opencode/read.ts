import type { AssistantMessage, Message, Part, Session } from "@opencode-ai/sdk/v2/types";
import { numberOf, recordOf, textOf } from "../../lib/json.ts";
import type { FailureReason, HostFailure, HostMessage, HostSession, HostTurn, TokenUse } from "../port.ts";
import { errorWords } from "./error-words.ts";
import { joinModel } from "./models.ts";

/** OpenCode's session record in our words. */
export function readSession(session: Session): HostSession {
  const { permission = [] } = session;
  const rule = permission.findLast((each) => each.permission === "question" || each.permission === "*");
  return {
    id: session.id,
    parentId: session.parentID ?? null,
    title: session.title,
    metadata: session.metadata ?? {},
    canAsk: rule?.action !== "deny",
    tokens: readTokens(session.tokens),
    cost: session.cost ?? 0,
    takenBackTo: session.revert?.messageID ?? null,
  };
}

/** A stored message in our words. */
export function readMessage({ info, parts }: { info: Message; parts: Part[] }): HostMessage {
  const isUser = info.role === "user";
  return {
    role: info.role,
    agent: info.agent,
    model: joinModel(isUser ? info.model : info),
    turn: readTurn({ info, parts }),
    completed: isUser || info.time.completed !== undefined,
    ...(!isUser && info.finish === "tool-calls" ? { goesOn: true } : {}),
  };
}

/** The answer of one prompt, or of one stored message. OpenCode may answer a prompt that was ended with an empty body. */
export function readTurn({ info, parts = [] }: { info?: Message; parts?: Part[] }): HostTurn {
  const texts = parts.flatMap((part) => (part.type === "text" && part.ignored !== true ? [part.text] : []));
  const { error }: Partial<AssistantMessage> = info?.role === "assistant" ? info : {};
  return {
    text: texts.join("\n"),
    failure: error === undefined ? null : readFailure(error, true),
  };
}

/** OpenCode's errors that say what happened. */
const REASONS: Readonly<Record<string, FailureReason>> = {
  ProviderAuthError: "auth",
  ProviderModelNotFoundError: "not-found",
  ModelNotFoundError: "not-found",
  ProviderInitError: "server",
  ContextOverflowError: "context-overflow",
  MessageAbortedError: "aborted",
  MessageOutputLengthError: "content",
};

/** Why it failed, by the name of OpenCode's error. */
export function readReason(name: unknown): FailureReason {
  return REASONS[textOf(name) ?? ""] ?? "other";
}

/** OpenCode's `{name, data}` errors; `data.message` is what a person can read, or quotes what can be. */
export function readFailure(raw: unknown, promptSaved: boolean): HostFailure {
  const error = recordOf(raw);
  const data = recordOf(error["data"]);
  const statusCode = numberOf(data["statusCode"]);
  const told = textOf(data["message"]) ?? textOf(error["message"]) ?? "no message";
  return {
    reason: readReason(error["name"]),
    message: errorWords(told),
    promptSaved,
    ...(statusCode === undefined ? {} : { statusCode }),
  };
}

/** A session's or a message's use of tokens; reasoning counts as output. */
export function readTokens(tokens: Session["tokens"]): TokenUse {
  if (tokens === undefined) return { input: 0, output: 0, cached: 0 };
  return { input: tokens.input, output: tokens.output + tokens.reasoning, cached: tokens.cache.read };
}

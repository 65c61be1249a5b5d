import type { AssistantMessage, Message, Part, Session, Model } from "@opencode-ai/sdk/v2/types";
import { numberOf, recordOf, textOf, isRecord, parseJson } from "../../lib/json.ts";
import type {
  FailureReason,
  HostFailure,
  HostMessage,
  HostSession,
  HostTurn,
  TokenUse,
  ModelFacts,
  ModelId,
} from "../port.ts";
import { excerpt } from "../../lib/text.ts";

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

/** Characters of what a provider says of its failure. */
const MAX_WORDS = 400;
/** Where providers put what is for a person, the best first. */
const NAMES = ["message", "error", "detail", "msg"];

/** What a provider's failure says, for a person: the words before the body, and the message in a body of JSON. Pure. */
export function errorWords(message: string): string {
  const begin = message.search(/\[?\s*\{\s*["}]|<[!a-z]/i);
  if (begin < 0) return message;
  const before = message.slice(0, begin).replace(/[\s:]+$/, "");
  const said = wordsIn(parseJson(message.slice(begin)));
  const isSaid = before !== "" && said.toLowerCase().startsWith(before.toLowerCase());
  return excerpt([isSaid ? "" : before, said].filter(Boolean).join(": ") || "no message", MAX_WORDS);
}

/** The first text under one of the names, however deep; empty for none. */
function wordsIn(body: unknown): string {
  for (let level = [body]; level.length > 0;) {
    const records = level.filter(isRecord);
    const said = NAMES.flatMap((name) => records.map((each) => textOf(each[name])?.trim() ?? ""));
    const first = said.find((text) => text !== "");
    if (first !== undefined) return first;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return "";
}

/** `provider/model` as OpenCode's API wants it; only the first slash separates. */
export function splitModel(model: ModelId): { providerID: string; modelID: string } {
  const slash = model.indexOf("/");
  return { providerID: model.slice(0, slash), modelID: model.slice(slash + 1) };
}

export function joinModel(model: { providerID: string; modelID: string }): ModelId {
  return `${model.providerID}/${model.modelID}`;
}

/** What OpenCode knows of a model; null for one that cannot do an agent's work. Older OpenCodes say less. */
export function factsOf(model: ModelId, about: Partial<Model>): ModelFacts | null {
  const { capabilities: can, cost, limit, release_date: date = "", status } = about;
  const isAble = can === undefined || (can.toolcall && can.input.text && can.output.text);
  if (!isAble || status === "deprecated" || status === "alpha") return null;
  const [reasoning, price, context] = [can?.reasoning ?? false, cost?.output ?? 0, limit?.context ?? 0];
  return { model, reasoning, price, context, released: Date.parse(date) || 0 };
}

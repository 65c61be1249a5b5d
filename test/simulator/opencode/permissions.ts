import type { JsonRecord } from "../../../src/lib/json.ts";
import { evaluate, rulesOf } from "./rules.ts";
import { publish, type Request, type RequestAnswer, type Session, type World } from "./world.ts";

/** A person has said no; without words, the loop ends with it. */
export class Rejected extends Error {
  readonly feedback: string | undefined;
  constructor(words: string | null) {
    const text = "The user rejected permission to use this specific tool call";
    super(words === null ? `${text}.` : `${text} with the following feedback: ${words}`);
    this.name = words === null ? "PermissionRejectedError" : "PermissionCorrectedError";
    this.feedback = words ?? undefined;
  }
}

/** Who asks, for which call. */
export interface Asking {
  readonly session: Session;
  readonly agent: string;
  readonly callId: string;
  readonly messageId: string;
  /** What its provider calls it: the same in every message. */
  readonly providerId: string;
}

/** Asks for a permission as OpenCode does. @throws when it is denied */
export async function askPermission(
  world: World,
  { session, agent, callId, messageId, providerId }: Asking,
  wanted: { permission: string; patterns: readonly string[]; metadata: JsonRecord },
): Promise<void> {
  const rules = [...rulesOf(world.config, agent), ...world.always];
  const { permission, patterns, metadata } = wanted;
  const actions = patterns.map((pattern) => evaluate(rules, permission, pattern)?.action ?? "allow");
  if (actions.includes("deny")) throw new Error("The user has specified a rule which prevents this call.");
  if (actions.every((action) => action === "allow")) return;
  const shown = {
    sessionID: session.id,
    permission,
    patterns: [...patterns],
    metadata,
    always: [...patterns],
  };
  const answer = await ask(world, session, "permission", callId, {
    ...shown,
    tool: { messageID: messageId, callID: providerId },
  });
  if (answer.kind === "reject") throw new Rejected(answer.words);
}

/** Asks the user questions. @returns their answers @throws when they do not want to be asked */
export async function askQuestions(world: World, asking: Asking, questions: unknown): Promise<string[][]> {
  const { session, callId, messageId, providerId } = asking;
  const shown = { sessionID: session.id, questions, tool: { messageID: messageId, callID: providerId } };
  const answer = await ask(world, session, "question", callId, shown);
  if (answer.kind === "answers") return answer.answers;
  throw Object.assign(new Rejected(null), { message: "The user dismissed this question" });
}

async function ask(
  world: World,
  session: Session,
  kind: Request["kind"],
  callId: string,
  shown: JsonRecord,
): Promise<RequestAnswer> {
  const id = world.id(kind === "permission" ? "per" : "que");
  return new Promise((resolve) => {
    const settle = (answer: RequestAnswer): void => {
      world.requests.delete(id);
      session.loop?.stops.delete(stop);
      resolve(answer);
    };
    // What is aborted leaves without a word.
    const stop = (): void => {
      settle({ kind: "reject", words: null });
    };
    session.loop?.stops.add(stop);
    const request: Request = { id, sessionId: session.id, callId, kind, shown, settle };
    world.requests.set(id, request);
    publish(world, `${kind}.asked`, { ...shown, id });
    if (world.requests.has(id)) world.players.asked(request);
  });
}

/** Answers a request. @returns false for one that is not open */
export function reply(world: World, id: string, answer: RequestAnswer): boolean {
  const request = world.requests.get(id);
  if (request === undefined) return false;
  const told = { sessionID: request.sessionId, requestID: id };
  world.requests.delete(id);
  if (request.kind === "question") {
    const isRejected = answer.kind !== "answers";
    publish(
      world,
      isRejected ? "question.rejected" : "question.replied",
      isRejected ? told : { ...told, answers: answer.answers },
    );
    request.settle(answer);
    return true;
  }
  const given = answer.kind === "answers" ? { kind: "once" as const } : answer;
  publish(world, "permission.replied", { ...told, reply: given.kind });
  if (given.kind === "always") {
    const { permission, always } = request.shown as { permission: string; always: string[] };
    world.always.push(...always.map((pattern) => ({ permission, pattern, action: "allow" })));
  }
  request.settle(given);
  if (given.kind === "reject") {
    for (const other of world.requests.values()) {
      if (other.sessionId === request.sessionId && other.kind === "permission")
        reply(world, other.id, { kind: "reject", words: null });
    }
  }
  return true;
}

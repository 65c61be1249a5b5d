import { numberOf, recordOf, type JsonRecord } from "../../../src/lib/json.ts";
import { abortLoop } from "./loop.ts";
import { callHook, infoOf, never, publish, type Message, type Session, type World } from "./world.ts";

const MODEL = { providerID: "openai", modelID: "gpt-5.3-codex" };

export function createSession(
  world: World,
  given: Pick<Session, "parentId" | "agent" | "title" | "metadata">,
): Session {
  const id = world.id("ses");
  const fresh = { messages: [], loop: null, status: { type: "idle" }, takenBackTo: null, requests: 0 };
  const session: Session = { ...given, id, ...fresh };
  world.sessions.set(id, session);
  publish(world, "session.created", { info: infoOf(session) });
  return session;
}

/** Removes a session with all that began in it. */
export function deleteSession(world: World, id: string): boolean {
  const session = world.sessions.get(id);
  if (session === undefined) return false;
  for (const other of world.sessions.values()) if (other.parentId === id) deleteSession(world, other.id);
  abortLoop(session);
  world.sessions.delete(id);
  world.oracle.books.deleted(session);
  publish(world, "session.deleted", { info: infoOf(session) });
  return true;
}

/** Takes messages back from one on; with null all are there again. They go for good with the next one. */
export function takeBack(world: World, session: Session, messageId: string | null): void {
  session.takenBackTo = messageId;
  publish(world, "session.updated", { info: infoOf(session) });
}

const createdAt = ({ info }: Message): number => numberOf(recordOf(info["time"])["created"]) ?? 0;

/** Keeps a user's message, of no matter who wrote it. */
export async function sendMessage(
  world: World,
  session: Session,
  body: JsonRecord,
  by: "user" | "plugin",
): Promise<Message> {
  const { process } = world;
  const { takenBackTo } = session;
  if (takenBackTo !== null) {
    const from = session.messages.findIndex(({ info }) => info["id"] === takenBackTo);
    session.messages.splice(from === -1 ? session.messages.length : from);
    takeBack(world, session, null);
  }
  const id = world.id("msg");
  const agent = body["agent"] ?? "build";
  const model = body["model"] ?? MODEL;
  const info: JsonRecord = {
    id,
    sessionID: session.id,
    role: "user",
    agent,
    model,
    time: { created: Date.now() },
  };
  const given = body["parts"] as JsonRecord[];
  const parts = given.map((part) => ({ ...part, id: world.id("prt"), sessionID: session.id, messageID: id }));
  const message: Message = { info, parts };
  await callHook(
    world,
    "chat.message",
    { sessionID: session.id, agent, model, messageID: id },
    { message: info, parts },
  );
  const texts = parts.filter((part: JsonRecord) => part["ignored"] !== true);
  const text = parts.map((part: JsonRecord) => String(part["text"])).join("\n");
  world.oracle.sent(session, by, text, texts.length === 0);
  // No model reads a note, and yet a loop that is running answers it with a request, where it is not put before what was asked.
  const place = session.messages.findLastIndex((each) => createdAt(each) <= createdAt(message)) + 1;
  session.messages.splice(place, 0, message);
  publish(world, "message.updated", { info });
  // OpenCode may have ended with one of these events.
  await Promise.resolve();
  if (process !== world.process) await never();
  return message;
}

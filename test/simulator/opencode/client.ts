import { recordOf, textOf, type JsonRecord } from "../../../src/lib/json.ts";
import type { CallFault } from "../schedule.ts";
import { abortLoop, runLoop } from "./loop.ts";
import { reply } from "./permissions.ts";
import { createSession, deleteSession, sendMessage, takeBack } from "./sessions.ts";
import { copy, infoOf, never, publish, sleep, type Message, type Session, type World } from "./world.ts";

interface Call {
  readonly url: string;
  readonly path?: JsonRecord;
  readonly body?: JsonRecord;
}
type Handler = (world: World, call: { id: string; path: JsonRecord; body: JsonRecord }) => unknown;
/** Of a call about a session that is there. */
type SessionHandler = (
  session: Session,
  world: World,
  call: { path: JsonRecord; body: JsonRecord },
) => unknown;

const MODELS = { openai: "gpt-5.3-codex", "kimi-for-coding": "k2p5" };
/** From the post of a message to its place in the session, and from there to the loop that answers it, in milliseconds. */
const POST_MS = 20;

const HANDLERS: Readonly<Record<string, Handler>> = {
  "get /config/providers": () => ({
    providers: Object.entries(MODELS).map(([id, model]) => ({ id, models: { [model]: {} } })),
    default: MODELS,
  }),
  "get /global/health": () => ({ healthy: true, version: "1.18.33" }),
  "get /permission": (world) => requestsOf(world, "permission"),
  "get /question": (world) => requestsOf(world, "question"),
  "get /session/status": (world) =>
    Object.fromEntries([...world.sessions.values()].map(({ id, status }) => [id, status])),
  "post /log": () => true,
  "post /tui/show-toast": (world, { body }) => {
    world.oracle.gates.toasted(textOf(body["message"]) ?? "");
    return true;
  },
  "post /tui/append-prompt": () => true,
  "post /tui/clear-prompt": () => true,
  "post /permission/{requestID}/reply": (world, { path, body }) => {
    const id = String(path["requestID"]);
    const words = textOf(body["message"]) ?? null;
    const callId = world.requests.get(id)?.callId;
    const isYes = body["reply"] !== "reject";
    if (callId !== undefined) world.oracle.answered(callId, isYes ? "once" : "reject", "plugin");
    // OpenCode has no such thing where nothing is given.
    return reply(world, id, isYes ? { kind: "once" } : { kind: "reject", words }) || undefined;
  },
  "post /session": (world, { body }) =>
    infoOf(
      createSession(world, {
        parentId: textOf(body["parentID"]) ?? null,
        agent: textOf(body["agent"]) ?? null,
        title: textOf(body["title"]) ?? "",
        metadata: recordOf(body["metadata"]),
      }),
    ),
  "delete /session/{sessionID}": (world, { id }) => deleteSession(world, id),
};

const messageAt = ({ messages }: Session, path: JsonRecord): Message | undefined =>
  messages.find(({ info }) => info["id"] === path["messageID"]);

const SESSION_HANDLERS: Readonly<Record<string, SessionHandler>> = {
  "get /session/{sessionID}": infoOf,
  "get /session/{sessionID}/children": ({ id }, { sessions }) =>
    [...sessions.values()].filter(({ parentId }) => parentId === id).map(infoOf),
  "get /session/{sessionID}/message": ({ messages }) => messages,
  "get /session/{sessionID}/message/{messageID}": (session, _world, { path }) => messageAt(session, path),
  "patch /session/{sessionID}/message/{messageID}/part/{partID}": (session, _world, { path, body }) => {
    const part = messageAt(session, path)?.parts.find((each) => each["id"] === path["partID"]);
    return part && Object.assign(part, body);
  },
  "patch /session/{sessionID}": (session, world, { body }) => {
    if (body["metadata"] !== undefined) session.metadata = copy(recordOf(body["metadata"]));
    publish(world, "session.updated", { info: infoOf(session) });
    return infoOf(session);
  },
  "post /session/{sessionID}/revert": (session, world, { body }) => {
    takeBack(world, session, textOf(body["messageID"]) ?? null);
    return infoOf(session);
  },
  "post /session/{sessionID}/unrevert": (session, world) => {
    takeBack(world, session, null);
    return infoOf(session);
  },
  "post /session/{sessionID}/abort": (session) => {
    abortLoop(session);
    return true;
  },
  "post /session/{sessionID}/message": async (session, world, { body }) => {
    const user = await post(world, session, body);
    return body["noReply"] === true ? user : ((await runLoop(world, session)) ?? {});
  },
  "post /session/{sessionID}/prompt_async": (session, world, { body }) => {
    const { process } = world;
    // It is answered before anything of it is done, as OpenCode does.
    void post(world, session, body)
      .then(async () => sleep(world, POST_MS, null))
      .then(async () => (process === world.process ? runLoop(world, session) : never()));
    return true;
  },
};

async function post(world: World, session: Session, body: JsonRecord): Promise<Message> {
  const { process } = world;
  await sleep(world, POST_MS, null);
  if (process !== world.process) await never();
  return sendMessage(world, session, body, "plugin");
}

function requestsOf(world: World, kind: string): JsonRecord[] {
  const open = [...world.requests.values()].filter((request) => request.kind === kind);
  return open.map(({ id, shown }) => ({ ...shown, id }));
}

/** The client that OpenCode hands to a plugin, of this process; with what chance does to its calls. */
export function createClient(world: World, faults: ReadonlyMap<number, CallFault>): unknown {
  const { process } = world;
  const call = (method: string) => async (given: Call) => {
    if (process !== world.process) return never();
    const name = `${method} ${given.url}`;
    const answer = async (): Promise<unknown> => {
      const path = recordOf(given.path);
      const body = copy(recordOf(given.body));
      const id = String(path["sessionID"]);
      const about = world.sessions.get(id);
      const data = await (name in HANDLERS
        ? HANDLERS[name]?.(world, { id, path, body })
        : about && SESSION_HANDLERS[name]?.(about, world, { path, body }));
      if (process !== world.process) return never();
      if (data !== undefined) return { data: copy(data) };
      return { error: { name: "NotFoundError", data: { message: "not found" } }, response: { status: 404 } };
    };
    if (name === "post /log") return { data: true };
    const session = world.sessions.get(String(recordOf(given.path)["sessionID"]));
    if (session !== undefined && /\/(?:message|prompt_async)$/u.test(name) && method === "post")
      world.oracle.gates.writes(session);
    const count = (world.callCount += 1);
    const fault = faults.get(count);
    if (fault === undefined) return answer();
    world.trace(`  call ${count} ${name} ${fault.how}`);
    if (name.endsWith("prompt_async")) {
      world.oracle.books.doubt();
      if (session !== undefined && fault.how === "late") world.oracle.gates.delayed(session);
    }
    switch (fault.how) {
      case "fails":
        return { error: { name: "UnknownError", data: { message: "chance" } }, response: { status: 500 } };
      case "throws":
        throw new Error("fetch failed");
      case "hangs":
        return never();
      case "done but unanswered":
        void answer();
        return never();
      case "late":
        await sleep(world, fault.ms, null);
        return answer();
    }
  };
  return { _client: { get: call("get"), post: call("post"), patch: call("patch"), delete: call("delete") } };
}

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

const MODELS = { openai: "gpt-5.3-codex", "kimi-for-coding": "k2p5" };
/** From the post of a message to its place in the session, and from there to the loop that answers it, in milliseconds. */
const POST_MS = 20;
/** OpenCode has no such thing. */
const NOTHING = Symbol("nothing");

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
  "get /session/{sessionID}": (world, { id }) => {
    const session = world.sessions.get(id);
    return session === undefined ? NOTHING : infoOf(session);
  },
  "get /session/{sessionID}/children": (world, { id }) =>
    [...world.sessions.values()].filter(({ parentId }) => parentId === id).map(infoOf),
  "get /session/{sessionID}/message": (world, { id }) => world.sessions.get(id)?.messages ?? NOTHING,
  "get /session/{sessionID}/message/{messageID}": (world, { id, path }) =>
    world.sessions.get(id)?.messages.find(({ info }) => info["id"] === path["messageID"]) ?? NOTHING,
  "patch /session/{sessionID}/message/{messageID}/part/{partID}": (world, { id, path, body }) => {
    const message = world.sessions.get(id)?.messages.find(({ info }) => info["id"] === path["messageID"]);
    const part = message?.parts.find((each) => each["id"] === path["partID"]);
    if (part !== undefined) Object.assign(part, body);
    return part ?? NOTHING;
  },
  "patch /session/{sessionID}": (world, { id, body }) => {
    const session = world.sessions.get(id);
    if (session === undefined) return NOTHING;
    if (body["metadata"] !== undefined) session.metadata = copy(recordOf(body["metadata"]));
    publish(world, "session.updated", { info: infoOf(session) });
    return infoOf(session);
  },
  "post /log": () => true,
  "post /tui/show-toast": (world, { body }) => {
    world.oracle.toasted(textOf(body["message"]) ?? "");
    return true;
  },
  "post /tui/append-prompt": () => true,
  "post /tui/clear-prompt": () => true,
  "post /session/{sessionID}/revert": (world, { id, body }) => {
    const session = world.sessions.get(id);
    if (session === undefined) return NOTHING;
    takeBack(world, session, textOf(body["messageID"]) ?? null);
    return infoOf(session);
  },
  "post /session/{sessionID}/unrevert": (world, { id }) => {
    const session = world.sessions.get(id);
    if (session === undefined) return NOTHING;
    takeBack(world, session, null);
    return infoOf(session);
  },
  "post /permission/{requestID}/reply": (world, { path, body }) => {
    const id = String(path["requestID"]);
    const words = textOf(body["message"]) ?? null;
    const callId = world.requests.get(id)?.callId;
    const isYes = body["reply"] !== "reject";
    if (callId !== undefined) world.oracle.answered(callId, isYes ? "once" : "reject", "plugin");
    return reply(world, id, isYes ? { kind: "once" } : { kind: "reject", words }) ? true : NOTHING;
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
  "post /session/{sessionID}/abort": (world, { id }) => {
    const session = world.sessions.get(id);
    if (session === undefined) return NOTHING;
    abortLoop(session);
    return true;
  },
  "post /session/{sessionID}/message": async (world, { id, body }) => {
    const session = world.sessions.get(id);
    if (session === undefined) return NOTHING;
    const user = await post(world, session, body);
    if (body["noReply"] === true) return user;
    return (await runLoop(world, session)) ?? {};
  },
  "post /session/{sessionID}/prompt_async": (world, { id, body }) => {
    const { process } = world;
    const session = world.sessions.get(id);
    if (session === undefined) return NOTHING;
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
      const data = await HANDLERS[name]?.(world, { id: String(path["sessionID"]), path, body });
      if (process !== world.process) return never();
      if (data !== NOTHING && data !== undefined) return { data: copy(data) };
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
        await new Promise<void>((resolve) => {
          world.time.after("host", fault.ms, resolve);
        });
        return answer();
    }
  };
  return { _client: { get: call("get"), post: call("post"), patch: call("patch"), delete: call("delete") } };
}

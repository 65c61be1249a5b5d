import type { PluginInput } from "@opencode-ai/plugin";

type Json = Record<string, unknown>;
interface Request {
  readonly method: string;
  readonly path: string;
  readonly body: Json;
}

export type OpenCodeInMemory = ReturnType<typeof createOpenCodeInMemory>;

/**
 * An OpenCode in memory behind the client that plugins are given: sessions that are kept, and models that answer at once.
 * Whatever it does not know it answers with null.
 * @param nextId the id of the next session that the plugin creates
 */
export function createOpenCodeInMemory(directory: string, nextId: () => string) {
  const sessions = new Map<string, Json>();
  const requests: Request[] = [];

  const patchSession = (id: string, body: Json): Json => {
    const session = { ...sessions.get(id), ...body };
    if (sessions.has(id)) sessions.set(id, session);
    return session;
  };
  const handle = (request: Request): unknown => {
    requests.push(request);
    const { method, body } = request;
    const path = request.path.split("?")[0] ?? "";
    const [, id = "", rest = ""] = /^\/session\/([^/]+)(?:\/(.*))?$/.exec(path) ?? [];
    if (path === "/config/providers") {
      return { providers: [{ id: "a", models: { one: {} } }], default: { a: "one" } };
    }
    if (path === "/session" && method === "POST") {
      const session = { ...body, id: nextId(), time: { created: 0, updated: 0 } };
      sessions.set(session.id, session);
      return session;
    }
    if (path === "/session/status") return {};
    if (id === "" || id === "status") return path === "/permission" || path === "/question" ? [] : null;
    if (rest === "" && method === "PATCH") return patchSession(id, body);
    if (rest === "") return sessions.get(id) ?? null;
    if (rest === "children") return [...sessions.values()].filter(({ parentID }) => parentID === id);
    if (rest === "message" && method === "GET") return [];
    if (rest !== "message") return true;
    const info = { id: `${id}-answer`, role: "assistant", sessionID: id, time: { created: 0, completed: 1 } };
    return { info, parts: [{ type: "text", text: "```json\n{}\n```" }] };
  };

  const answering = async (given: globalThis.Request): Promise<Response> => {
    const { pathname, search } = new URL(given.url);
    const text = await given.text();
    const body = (text === "" ? {} : JSON.parse(text)) as Json;
    const data = handle({ method: given.method, path: `${pathname}${search}`, body });
    return data === null
      ? Response.json({ name: "NotFoundError", data: { message: pathname } }, { status: 404 })
      : Response.json(data);
  };
  const fetch = async (input: string | URL | globalThis.Request, init?: RequestInit): Promise<Response> =>
    answering(new Request(input, init));
  const call = (method: string) => async (given: { url: string; path?: Json; body?: Json }) => {
    const path = given.url.replaceAll(/\{(\w+)\}/g, (_all, name: string) => String(given.path?.[name]));
    const data = handle({ method, path, body: given.body ?? {} });
    const isPrompt = method === "POST" && path.endsWith("/message") && given.body?.["noReply"] !== true;
    if (openCode.isSilent && isPrompt) return new Promise(() => undefined);
    return data === null ? { error: { name: "NotFoundError" } } : { data };
  };
  const _client = {
    get: call("GET"),
    post: call("POST"),
    patch: call("PATCH"),
    getConfig: () => ({ baseUrl: "http://opencode.internal", fetch }),
  };
  const input = { client: { _client }, directory, worktree: directory } as unknown as PluginInput;
  /** Silent: no model says a word any more. */
  const openCode = { input, sessions, requests, isSilent: false };
  return openCode;
}

import { createError } from "../../lib/error.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import type { HostSession, HostSessions, Speaker } from "../port.ts";
import type { OpenCodeClient } from "./client.ts";
import { splitModel } from "./model-id.ts";
import { readMessage, readSession, readTurn } from "./read.ts";

/** Marks a message part as written by this plugin, so that none of its own hooks reacts to it. */
export const OWN_PART_KEY = "gaia";

/** Whether a message part, as OpenCode's hooks show it, was written by this plugin. */
export function isOwnPart(part: unknown): boolean {
  return recordOf(recordOf(part)["metadata"])[OWN_PART_KEY] === true;
}

/** Sessions over OpenCode's HTTP API. */
export function createSessions(client: OpenCodeClient): HostSessions {
  const get = async (sessionId: string): Promise<HostSession | null> => {
    const result = await client.request("get", { url: "/session/{id}", path: { id: sessionId } });
    return result.ok ? readSession(result.data) : null;
  };
  // Reading and writing back is two calls: two writers of one session would lose each other's keys.
  const writing = new Map<string, Promise<void>>();
  const writeMetadata = async (sessionId: string, values: Record<string, unknown>): Promise<void> => {
    const current = await get(sessionId);
    // Writing without having read would take the other keys away.
    if (current === null) throw createError("host", `OpenCode did not give session ${sessionId}.`);
    const metadata = { ...current.metadata, ...values };
    await client.call("patch", { url: "/session/{id}", path: { id: sessionId }, body: { metadata } });
  };
  return {
    get,
    async create({ parentId, title, agent, metadata }) {
      const body = { parentID: parentId, title, agent, ...(metadata ? { metadata } : {}) };
      return readSession(await client.call("post", { url: "/session", body }));
    },
    async prompt({ sessionId, speaker, text, schema }) {
      const format = schema === undefined ? {} : { format: { type: "json_schema", schema, retryCount: 0 } };
      const body = { ...speakerFields(speaker), ...format, parts: [ownPart(text)] };
      const result = await client.request("post", {
        url: "/session/{id}/message",
        path: { id: sessionId },
        body,
      });
      if (result.ok) return readTurn(result.data);
      const { name, message, status } = result.failure;
      return {
        text: "",
        failure: { name, message, promptSaved: false, ...(status === null ? {} : { statusCode: status }) },
      };
    },
    async abort(sessionId) {
      await client.call("post", { url: "/session/{id}/abort", path: { id: sessionId } });
    },
    async messages(sessionId) {
      const data = await client.call("get", { url: "/session/{id}/message", path: { id: sessionId } });
      return Array.isArray(data) ? data.map(readMessage) : [];
    },
    async look(sessionId) {
      // The lists can fail by themselves: OpenCode 1.18.33 answers 400 while a webfetch without time-out is asked for.
      const list = async (url: string): Promise<unknown> => client.call("get", { url }).catch(() => null);
      const [status, permissions, questions] = await Promise.all([
        client.call("get", { url: "/session/status" }),
        list("/permission"),
        list("/question"),
      ]);
      const open = [permissions, questions].flat().map(recordOf);
      const isComplete = Array.isArray(permissions) && Array.isArray(questions);
      const type = recordOf(recordOf(status)[sessionId])["type"];
      return {
        busy: type !== undefined && type !== "idle",
        requests: isComplete
          ? open
              .filter((request) => request["sessionID"] === sessionId)
              .map((request) => textOf(request["id"]) ?? "")
          : null,
      };
    },
    async setMetadata(sessionId, values) {
      const before = writing.get(sessionId) ?? Promise.resolve();
      const written = before.then(async () => writeMetadata(sessionId, values));
      const settled = written.catch(() => undefined);
      writing.set(sessionId, settled);
      await settled;
      if (writing.get(sessionId) === settled) writing.delete(sessionId);
      return written;
    },
    async note(sessionId, speaker, text) {
      const body = { ...speakerFields(speaker), noReply: true, parts: [{ ...ownPart(text), ignored: true }] };
      await client.call("post", { url: "/session/{id}/message", path: { id: sessionId }, body });
    },
    async wake(sessionId, speaker, text) {
      const body = { ...speakerFields(speaker), parts: [{ ...ownPart(text), synthetic: true }] };
      await client.call("post", { url: "/session/{id}/prompt_async", path: { id: sessionId }, body });
    },
  };
}

/** Both are always sent: a prompt without an agent runs as the default agent (OPENCODE.md trap 6). */
function speakerFields(speaker: Speaker): Record<string, unknown> {
  return { agent: speaker.agent, ...(speaker.model === null ? {} : { model: splitModel(speaker.model) }) };
}

function ownPart(text: string): Record<string, unknown> {
  return { type: "text", text, metadata: { [OWN_PART_KEY]: true } };
}

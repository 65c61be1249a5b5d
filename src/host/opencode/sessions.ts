import { isDeepStrictEqual } from "node:util";
import { type Clock, createLines } from "../../lib/async.ts";
import { createError } from "../../lib/error.ts";
import { terminalText } from "../../lib/text.ts";
import { type JsonRecord, recordOf } from "../../lib/json.ts";
import type { HostEvent, HostSession, HostSessions, Speaker } from "../port.ts";
import type { OpenCodeClient } from "./client.ts";
import { readMessage, readReason, readSession, readTurn, splitModel } from "./read.ts";
import { PERMISSION_NAMES } from "./tool-call.ts";

/** Marks a message part as written by this plugin, so that none of its own hooks reacts to it. */
export const OWN_PART_KEY = "gaia";

/** How often OpenCode is asked to stop a session. */
const ABORT_TRIES = 3;

/** Whether a message part, as OpenCode's hooks show it, was written by this plugin. */
export function isOwnPart(part: unknown): boolean {
  return recordOf(recordOf(part)["metadata"])[OWN_PART_KEY] === true;
}

/** Sessions over OpenCode's HTTP API. @param areNotesShown whether the host is to print notes like a model's words */
export function createSessions(
  client: OpenCodeClient,
  clock: Clock,
  areNotesShown = true,
): HostSessions & { observe(event: HostEvent): void } {
  const get = async (sessionId: string): Promise<HostSession | null> => {
    const session = await client.find("get /session/{sessionID}", at(sessionId));
    return session === null ? null : readSession(session);
  };
  // A question to OpenCode costs its one thread 10 ms, and sessions at work are written to several times a second.
  const kept = createKeptRecords(clock, {
    read: async (id) => (await get(id))?.metadata,
    write: async (id, metadata) =>
      client.call("patch /session/{sessionID}", { ...at(id), body: { metadata } }),
  });
  return {
    get,
    /** Feed every event in here. */
    observe(event) {
      if (event.type === "session.updated") kept.seen(event.session.id, event.session.metadata);
      if (event.type === "session.deleted") kept.seen(event.sessionId, null);
    },
    async create({ parentId, title, agent, metadata, opens, without = [] }) {
      const rules = [
        ...(opens === undefined
          ? []
          : [{ permission: PERMISSION_NAMES.outside, pattern: `${opens}/*`, action: "allow" as const }]),
        ...without.map((permission) => ({ permission, pattern: "*", action: "deny" as const })),
      ];
      const body = {
        ...(parentId === null ? {} : { parentID: parentId }),
        title: terminalText(title),
        agent,
        ...(metadata && { metadata }),
        ...(rules.length > 0 && { permission: rules }),
      };
      return readSession(await client.call("post /session", { body }));
    },
    async prompt({ sessionId, speaker, text }) {
      const body = { ...speakerFields(speaker), parts: [ownPart(text)] };
      const result = await client.request("post /session/{sessionID}/message", { ...at(sessionId), body });
      if (result.ok) return readTurn(result.data);
      const { name, message, status } = result.failure;
      const failure = { reason: readReason(name), message, promptSaved: false };
      return { text: "", failure: status === null ? failure : { ...failure, statusCode: status } };
    },
    async abort(sessionId) {
      // Nothing else ends a child that someone has given up: one answer that does not come must not leave it running.
      for (let left = ABORT_TRIES; left > 0; left -= 1) {
        try {
          await client.call("post /session/{sessionID}/abort", at(sessionId));
          return;
        } catch (error) {
          if (left === 1) throw error;
        }
      }
    },
    async children(sessionId) {
      return (await client.call("get /session/{sessionID}/children", at(sessionId))).map(readSession);
    },
    async messages(sessionId) {
      return (await client.call("get /session/{sessionID}/message", at(sessionId))).map(readMessage);
    },
    async spoken(sessionId) {
      const messages = await client.call("get /session/{sessionID}/message", at(sessionId));
      return messages.flatMap(({ info, parts }) => {
        if (info.role !== "user") return [];
        const theirs = parts.filter((part) => !isOwnPart(part));
        const texts = theirs.flatMap((part) =>
          part.type === "text" && part.synthetic !== true ? [part.text] : [],
        );
        return [{ id: info.id, words: theirs.length === 0 ? null : texts.join("\n") }];
      });
    },
    async takeBack(sessionId, messageID) {
      if (messageID === null) await client.call("post /session/{sessionID}/unrevert", at(sessionId));
      else await client.call("post /session/{sessionID}/revert", { ...at(sessionId), body: { messageID } });
    },
    async look(sessionId) {
      // The lists can fail by themselves: OpenCode 1.18.33 answers 400 while a webfetch without time-out is asked for.
      const [status, permissions, questions] = await Promise.all([
        client.call("get /session/status", {}),
        client.call("get /permission", {}).catch(() => null),
        client.call("get /question", {}).catch(() => null),
      ]);
      const open = permissions && questions ? [...permissions, ...questions] : null;
      return {
        busy: (status[sessionId]?.type ?? "idle") !== "idle",
        requests: open?.filter((request) => request.sessionID === sessionId).map(({ id }) => id) ?? null,
      };
    },
    setMetadata: kept.set,
    async note(sessionId, speaker, text, since) {
      const now = Date.now();
      // `opencode run` prints every text of its session that has an end.
      const time = areNotesShown ? { time: { start: now, end: now } } : {};
      const metadata = { [OWN_PART_KEY]: true, since };
      const part = { ...ownPart(terminalText(text)), metadata, ignored: true, ...time };
      const body = { ...speakerFields(speaker), noReply: true, parts: [part] };
      await client.call("post /session/{sessionID}/message", { ...at(sessionId), body });
    },
    async wake(sessionId, speaker, text) {
      const body = { ...speakerFields(speaker), parts: [{ ...ownPart(text), synthetic: true }] };
      await client.call("post /session/{sessionID}/prompt_async", { ...at(sessionId), body });
    },
  };
}

const at = (sessionID: string) => ({ path: { sessionID } });

/** Both are always sent: a prompt without an agent runs as the default agent (OPENCODE.md trap 6). */
function speakerFields(speaker: Speaker) {
  return { agent: speaker.agent, ...(speaker.model === null ? {} : { model: splitModel(speaker.model) }) };
}

function ownPart(text: string) {
  return { type: "text" as const, text, metadata: { [OWN_PART_KEY]: true } };
}

/** How long after it was read a record is taken for the one that is kept, in milliseconds: other processes may write it too. */
const KNOWN_MS = 2_000;

/** Where records are kept, whole. */
interface RecordKeeper {
  read(id: string): Promise<JsonRecord | undefined>;
  write(id: string, record: JsonRecord): Promise<unknown>;
}

/** Changes keys of records that are read and written whole, one change after the other, and reads none that it wrote a moment ago. */
function createKeptRecords(clock: Clock, { read, write }: RecordKeeper) {
  const inLine = createLines();
  const known = new Map<string, { readonly record: JsonRecord; readonly until: number }>();
  return {
    /** Replaces these keys; one whose value is undefined goes. */
    set: async (id: string, values: JsonRecord): Promise<void> =>
      inLine(id, async () => {
        for (const [each, { until }] of known) if (until <= clock.now()) known.delete(each);
        const { record: current = await read(id), until = clock.now() + KNOWN_MS } = known.get(id) ?? {};
        // Writing without knowing the other keys would take them away.
        if (current === undefined) throw createError("host", `There is no ${id} to write to.`);
        const record = recordOf(JSON.parse(JSON.stringify({ ...current, ...values })));
        known.set(id, { record, until });
        await write(id, record).catch((error: unknown) => {
          known.delete(id);
          throw error;
        });
      }),
    /** Somebody saw it so, or saw it go: it was changed by others, or what is told of a change came late. */
    seen(id: string, record: JsonRecord | null): void {
      if (!isDeepStrictEqual(known.get(id)?.record, record)) known.delete(id);
    },
  };
}

import type { Host, HostEvent, HostSession, ModelId } from "../host/port.ts";
import { recordOf, textOf } from "../lib/json.ts";
import { CHILD_METADATA_KEY } from "./child-session.ts";

/** The key of a root session's metadata that marks it as GAIA's. */
const ROOT_METADATA_KEY = "gaia";

/** What the metadata of a root session holds, so that a restarted OpenCode knows it as GAIA's. */
export const ROOT_MARK: Readonly<Record<string, unknown>> = { [ROOT_METADATA_KEY]: { root: true } };

/** A session in which the plugin's rules apply (SPEC 9). */
export interface GaiaSession {
  readonly rootId: string;
  /** The specialist that a child belongs to; null for the root. */
  readonly specialist: string | null;
  readonly workUnit: string | null;
  readonly waveId: string | null;
}

/** Knows which sessions are GAIA's: roots that a user spoke to GAIA in, and the children of her delegations. */
export interface GaiaSessions {
  /** A user message went to `agent` in this session. */
  spoke(sessionId: string, agent: string, model: ModelId | null): void;
  /** The agent and model of the newest user message; undefined before the first. */
  speaker(sessionId: string): { agent: string; model: ModelId | null } | undefined;
  /** Whether it was begun under our eyes and nothing was answered in it yet, so that it holds nothing to ask for. */
  isNew(sessionId: string): boolean;
  /** What this process has seen of a session; null for one that is not GAIA's, undefined for one that it has not met. */
  peek(sessionId: string): GaiaSession | null | undefined;
  /** Answers at once for sessions seen by this process, else asks OpenCode once. */
  find(sessionId: string): Promise<GaiaSession | null>;
  observe(event: HostEvent): void;
}

/** @param orchestrator the name of the agent whose sessions these are */
export function createGaiaSessions(host: Host, orchestrator: string): GaiaSessions {
  const known = new Map<string, GaiaSession | null>();
  const speakers = new Map<string, { agent: string; model: ModelId | null }>();
  const fresh = new Set<string>();

  return {
    spoke(sessionId, agent, model) {
      speakers.set(sessionId, { agent, model });
      if (agent !== orchestrator || known.get(sessionId)) return;
      known.set(sessionId, rootSession(sessionId));
    },
    speaker: (sessionId) => speakers.get(sessionId),
    isNew: (sessionId) => fresh.has(sessionId),
    peek: (sessionId) => known.get(sessionId),
    async find(sessionId) {
      const cached = known.get(sessionId);
      if (cached !== undefined) return cached;
      const session = await host.sessions.get(sessionId);
      const found = session === null ? null : readMark(session);
      if (!known.has(sessionId)) known.set(sessionId, found);
      return known.get(sessionId) ?? null;
    },
    observe(event) {
      if (event.type === "session.created") {
        const { id } = event.session;
        const found = readMark(event.session);
        // A new session without a mark is nobody's of ours, so that nothing has to be asked about it later.
        if (found !== null || !known.has(id)) known.set(id, found);
        if (Object.keys(event.session.metadata).length === 0) fresh.add(id);
      }
      // Answers come first of all in a fork: those that it was begun with.
      if (event.type === "message.finished") fresh.delete(event.sessionId);
      if (event.type !== "session.deleted") return;
      fresh.delete(event.sessionId);
      known.delete(event.sessionId);
      speakers.delete(event.sessionId);
    },
  };
}

function rootSession(sessionId: string): GaiaSession {
  return { rootId: sessionId, specialist: null, workUnit: null, waveId: null };
}

function readMark(session: HostSession): GaiaSession | null {
  const child = session.metadata[CHILD_METADATA_KEY];
  if (session.parentId !== null && child !== undefined) {
    const record = recordOf(child);
    return {
      rootId: session.parentId,
      specialist: textOf(record["agent"]) ?? null,
      workUnit: textOf(record["work_unit"]) ?? null,
      waveId: textOf(record["wave_id"]) ?? null,
    };
  }
  return session.metadata[ROOT_METADATA_KEY] === undefined ? null : rootSession(session.id);
}

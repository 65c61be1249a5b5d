import type { Host, HostEvent, HostSession, ModelId, Speaker } from "../host/port.ts";
import { readChildMark } from "./child-session.ts";

/** The key of a root session's metadata that marks it as GAIA's. */
const ROOT_METADATA_KEY = "gaia";

/** What the metadata of a root session holds, so that a restarted OpenCode knows it as GAIA's. */
export const ROOT_MARK: Readonly<Record<string, unknown>> = { [ROOT_METADATA_KEY]: { root: true } };

/** A session in which the plugin's rules apply (SPEC 9). */
export interface GaiaSession {
  readonly rootId: string;
  /** Who works in a child; null for the root. */
  readonly specialist: string | null;
  readonly workUnit: string | null;
  readonly waveId: string | null;
  /** One of our specialists whom the user called by name outside of GAIA's conversations: the session stands alone. */
  readonly isGuest: boolean;
  /** The user speaks with the specialist there themselves: whatever agent they have selected, that one answers. */
  readonly isTalk?: true;
}

/**
 * Knows which sessions are GAIA's: roots that a user spoke to GAIA in, everything that works below them, and wherever one of
 * our specialists speaks.
 */
export type GaiaSessions = ReturnType<typeof createGaiaSessions>;

export function createGaiaSessions(
  host: Pick<Host, "sessions">,
  orchestrator: string,
  isSpecialist: (agent: string) => boolean = () => false,
) {
  const known = new Map<string, GaiaSession | null>();
  const speakers = new Map<string, Speaker>();
  const fresh = new Set<string>();

  const classify = (session: HostSession, parent: GaiaSession | null): GaiaSession | null => {
    const agent = speakers.get(session.id)?.agent;
    const marked = readMark(session);
    if (marked !== null) return marked;
    // A native subtask below one of GAIA's conversations is under its rules, no matter which agent does it.
    if (parent !== null)
      return { ...rootSession(parent.rootId), specialist: agent ?? "subtask", isGuest: parent.isGuest };
    return agent === undefined ? null : unmarked(session.id, agent);
  };
  const unmarked = (sessionId: string, agent: string): GaiaSession | null => {
    if (agent === orchestrator) return rootSession(sessionId);
    return isSpecialist(agent) ? { ...rootSession(sessionId), specialist: agent, isGuest: true } : null;
  };
  const ask = async (sessionId: string): Promise<GaiaSession | null> => {
    const session = await host.sessions.get(sessionId);
    const agent = speakers.get(sessionId)?.agent;
    if (session === null) return agent === undefined ? null : unmarked(sessionId, agent);
    const parent = session.parentId === null ? null : await find(session.parentId);
    return classify(session, parent);
  };
  const find = async (sessionId: string): Promise<GaiaSession | null> => {
    const cached = known.get(sessionId);
    if (cached !== undefined) return cached;
    const found = await ask(sessionId);
    if (!known.has(sessionId)) known.set(sessionId, found);
    return known.get(sessionId) ?? null;
  };

  return {
    /** A user message went to `agent` in this session. */
    spoke(sessionId: string, agent: string, model: ModelId | null): void {
      speakers.set(sessionId, { agent, model });
      const before = known.get(sessionId);
      if (before?.specialist === "subtask") known.set(sessionId, { ...before, specialist: agent });
      // In a session that stands alone the user may turn to another agent, whose role it is that counts then.
      const isAlone = before?.isGuest === true && before.rootId === sessionId;
      if (isAlone && agent !== orchestrator) known.set(sessionId, unmarked(sessionId, agent));
      if (before !== undefined && before !== null) return;
      const found = unmarked(sessionId, agent);
      // What is asked of OpenCode may still show whose child it is.
      if (found !== null && (before === null || !found.isGuest)) known.set(sessionId, found);
    },
    /** The agent and model of the newest user message; undefined before the first. */
    speaker: (sessionId: string): Speaker | undefined => speakers.get(sessionId),
    /** Whether it was begun under our eyes and nothing was answered in it yet, so that it holds nothing to ask for. */
    isNew: (sessionId: string): boolean => fresh.has(sessionId),
    /** What this process has seen of a session; null for one that is not GAIA's, undefined for one that it has not met. */
    peek: (sessionId: string): GaiaSession | null | undefined => known.get(sessionId),
    /**
     * Answers at once for sessions seen by this process, else asks OpenCode. A failure is never remembered.
     * @throws GaiaError when OpenCode does not tell; guards then refuse (SPEC 2.4)
     */
    find,
    observe(event: HostEvent): void {
      if (event.type === "session.created") {
        const { id, parentId } = event.session;
        const parent = parentId === null ? null : known.get(parentId);
        // Where the parent is not known either, OpenCode is asked when it matters.
        if (parent !== undefined) {
          const found = classify(event.session, parent);
          // A new session without a mark is not a GAIA session, so that nothing has to be asked about it later.
          if (found !== null || !known.has(id)) known.set(id, found);
        }
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
  return { rootId: sessionId, specialist: null, workUnit: null, waveId: null, isGuest: false };
}

export function isMarkedRoot({ metadata }: HostSession): boolean {
  return metadata[ROOT_METADATA_KEY] !== undefined;
}

function readMark(session: HostSession): GaiaSession | null {
  const mark = readChildMark(session);
  const rootId = session.parentId ?? mark?.talkOf;
  if (mark === null || rootId === undefined) return isMarkedRoot(session) ? rootSession(session.id) : null;
  const { agent: specialist = null, workUnit, waveId } = mark;
  const talk = session.parentId === null ? ({ isTalk: true } as const) : {};
  return { ...rootSession(rootId), ...talk, specialist, workUnit, waveId };
}

import { isMarkedRoot, type GaiaSession } from "../delegation/gaia-sessions.ts";
import { type HostEvent, sessionOf } from "../host/port.ts";
import { logFailure } from "../lib/error.ts";
import { guestState, initialState, restoreState, type CollaborationState } from "./collaboration/state.ts";
import { type Conversation, createConversation, type CreateExtras } from "./conversation.ts";
import { PARTS_KEY, SNAPSHOT_KEY } from "./display/metadata-keys.ts";
import type { ConversationServices } from "./services.ts";

const LOCKED =
  "The settings of this conversation were not kept by this version of GAIA on this machine, so it is locked: /supervised or /autopilot opens it again.";

export interface Found {
  readonly conversation: Conversation;
  readonly session: GaiaSession;
}

export type Conversations = ReturnType<typeof createConversations>;

/** @param createExtras called once for each conversation */
export function createConversations(services: ConversationServices, createExtras: CreateExtras = () => ({})) {
  const { host, clock, sessions, defaults, engine } = services;
  const opening = new Map<string, Promise<Conversation>>();
  const open = new Map<string, Conversation>();
  const unsubscribe = engine.tasks.subscribe((task) => {
    open.get(task.parentId)?.each((part) => part.taskChanged?.(task));
  });

  /** Picks up where an earlier OpenCode, or the original of a fork, left off; approvals are not picked up. */
  const begin = async (
    rootId: string,
    isGuest: boolean,
  ): Promise<{ state: CollaborationState; kept?: unknown; saved?: unknown }> => {
    const now = clock.now();
    if (isGuest) return { state: guestState(rootId, defaults, now) };
    const session = sessions.isNew(rootId) ? null : await host.sessions.get(rootId);
    const snapshot = session?.metadata[SNAPSHOT_KEY];
    // Both are written at once: where only the mark is left, the snapshot was taken away.
    if (session === null || (snapshot === undefined && !isMarkedRoot(session)))
      return { state: initialState(rootId, defaults, now) };
    const kept = session.metadata[PARTS_KEY];
    const state = restoreState(snapshot, rootId, defaults, now, services.seal);
    if (state !== null) return { state, kept, saved: snapshot };
    // What was forbidden in it is not known any more.
    void host.toast("warning", LOCKED);
    const fresh = initialState(rootId, defaults, now);
    return { state: { ...fresh, knobs: { ...fresh.knobs, mode: "locked" } }, kept };
  };
  const create = async ({ rootId, isGuest }: GaiaSession): Promise<Conversation> => {
    const { state, ...earlier } = await begin(rootId, isGuest);
    return createConversation(state, services, createExtras, { ...earlier, isGuest });
  };

  const get = async (session: GaiaSession): Promise<Conversation> => {
    const { rootId } = session;
    const known = opening.get(rootId);
    if (known !== undefined) return known;
    const fresh = create(session).then((conversation) => {
      // It may have been deleted while OpenCode was asked.
      if (opening.get(rootId) === fresh) open.set(rootId, conversation);
      return conversation;
    });
    opening.set(rootId, fresh);
    fresh.catch(() => opening.delete(rootId)); // The next call tries again.
    return fresh;
  };

  /** The conversation that a session belongs to, opened where it is not; null for sessions that are not GAIA's. */
  const of = async (sessionId: string): Promise<Found | null> => {
    const session = await sessions.find(sessionId);
    return session === null ? null : { conversation: await get(session), session };
  };

  const forget = (sessionId: string): void => {
    for (const conversation of open.values()) conversation.dispatch({ type: "session-ended", sessionId });
    open.get(sessionId)?.dispose();
    open.delete(sessionId);
    opening.delete(sessionId);
  };

  /** A fork comes with the snapshot of its original: the panel shows nothing before it has one of its own. */
  const openFork = async (sessionId: string): Promise<void> => {
    await (await of(sessionId))?.conversation.parts.progress.refresh();
  };

  return {
    of,
    peek: (rootId: string): Conversation | undefined => open.get(rootId),
    observe(event: HostEvent): void {
      const sessionId = sessionOf(event);
      if (sessionId === null) return;
      if (event.type === "session.deleted") forget(sessionId);
      if (event.type === "session.created" && event.session.metadata[SNAPSHOT_KEY] !== undefined) {
        openFork(sessionId).catch(logFailure(host.logger, "debug", "conversations"));
      }
      const rootId = sessions.peek(sessionId)?.rootId ?? sessionId;
      open.get(rootId)?.each((part) => part.observe?.(event, rootId === sessionId));
    },
    async dispose(): Promise<void> {
      unsubscribe();
      // What GAIA was given of a historian counts once it is in the record; and nobody is woken meanwhile.
      for (const { parts } of open.values()) parts.delegations.dispose();
      const kept = [...open.values()].map(async ({ parts, mirrored }) => {
        await parts.workRecord.settled();
        await mirrored();
      });
      await Promise.all(kept);
      for (const conversation of open.values()) conversation.dispose();
      const ending: Promise<void>[] = [];
      for (const { each } of open.values())
        each((part) => {
          if (part.flush !== undefined) ending.push(part.flush());
        });
      await Promise.all(ending);
      // Parts may log while they end.
      await Promise.all([...open.values()].map(async ({ decisions }) => decisions.settled()));
    },
  };
}

import type { CollaborationDefaults } from "./collaboration/defaults.ts";
import { restoreState } from "./collaboration/snapshot.ts";
import { initialState } from "./collaboration/state.ts";
import type { GaiaSession, GaiaSessions } from "../delegation/gaia-sessions.ts";
import type { Task } from "../delegation/task.ts";
import type { Host, Speaker } from "../host/port.ts";
import type { Clock } from "../lib/clock.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { createDecisionLog } from "./record/decision-log.ts";
import { createOutbox } from "./display/outbox.ts";
import { PANEL_KEY, SNAPSHOT_KEY } from "./display/metadata-keys.ts";
import { restoreFacts } from "./display/panel-snapshot.ts";
import { createConversation, type Conversation, type ConversationEvent } from "./conversation.ts";
import { createUnitLog } from "./record/unit-log.ts";

/** All GAIA conversations of one instance. */
export interface Conversations {
  /** The conversation that a session belongs to; null for sessions that are not GAIA's. */
  of(sessionId: string): Promise<{ conversation: Conversation; session: GaiaSession } | null>;
  /** A conversation that is open already. */
  peek(rootId: string): Conversation | undefined;
  all(): readonly Conversation[];
  forget(rootId: string): void;
  dispose(): Promise<void>;
}

/** What conversations are made of. */
export interface ConversationsInput {
  readonly host: Host;
  readonly clock: Clock;
  readonly sessions: GaiaSessions;
  readonly workspace: Workspace;
  readonly defaults: CollaborationDefaults;
  /** Called after each event of a conversation. */
  heard?(conversation: Conversation, event: ConversationEvent): void;
  /** The orchestrator's name, in which notes are written when nobody has spoken yet. */
  readonly orchestrator: string;
  /** All delegations of a conversation. */
  tasksOf(rootId: string): readonly Task[];
}

export function createConversations(input: ConversationsInput): Conversations {
  const { host, clock, sessions, workspace, defaults, orchestrator } = input;
  const opening = new Map<string, Promise<Conversation>>();
  const open = new Map<string, Conversation>();
  const unitLog = createUnitLog(workspace, host.logger);

  /** Picks up where an earlier OpenCode, or the original of a fork, left off; approvals are not picked up. */
  const create = async (rootId: string): Promise<Conversation> => {
    const session = sessions.isNew(rootId) ? null : await host.sessions.get(rootId);
    const snapshot = session?.metadata[SNAPSHOT_KEY];
    const restored = snapshot === undefined ? null : restoreState(snapshot, rootId, defaults, clock.now());
    if (restored?.ok === false) {
      host.logger.log("warn", "conversations", `A snapshot could not be used: ${restored.reason}`, {
        rootId,
      });
    }
    const state = restored?.ok === true ? restored.state : initialState(rootId, defaults, clock.now());
    const speaker = (): Speaker => sessions.speaker(rootId) ?? { agent: orchestrator, model: null };
    const conversation = createConversation(state, {
      host,
      clock,
      defaults,
      outbox: createOutbox(host, clock, rootId, speaker),
      decisions: createDecisionLog(workspace, host.logger),
      facts: restoreFacts(restored?.ok && !restored.isFork ? session?.metadata[PANEL_KEY] : undefined),
      tasks: () => input.tasksOf(rootId),
      unitLog,
      heard: (heard, event) => input.heard?.(heard, event),
    });
    open.set(rootId, conversation);
    return conversation;
  };

  const get = async (rootId: string): Promise<Conversation> => {
    const known = opening.get(rootId);
    if (known !== undefined) return known;
    const fresh = create(rootId);
    opening.set(rootId, fresh);
    fresh.catch(() => opening.delete(rootId)); // The next call tries again.
    return fresh;
  };

  return {
    async of(sessionId) {
      const session = await sessions.find(sessionId);
      return session === null ? null : { conversation: await get(session.rootId), session };
    },
    peek: (rootId) => open.get(rootId),
    all: () => [...open.values()],
    forget(rootId) {
      open.get(rootId)?.dispose();
      open.delete(rootId);
      opening.delete(rootId);
    },
    async dispose() {
      for (const conversation of open.values()) conversation.dispose();
      await Promise.all([...open.values()].map(async (conversation) => conversation.decisions.settled()));
      await unitLog.settled();
    },
  };
}

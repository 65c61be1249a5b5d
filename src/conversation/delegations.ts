import { reportFromContract } from "./collaboration/contract-report.ts";
import type { GaiaSession } from "../delegation/gaia-sessions.ts";
import type { TaskStore } from "../delegation/task-store.ts";
import { isEnded, type Task } from "../delegation/task.ts";
import type { Place } from "./approvals/dialogs.ts";
import type { Conversation } from "./conversation.ts";
import type { Conversations } from "./conversations.ts";

/** Tells the conversations which specialists are at work, and where their work belongs. */
export interface Delegations {
  placeOf(sessionId: string, session: GaiaSession): Place;
  dispose(): void;
}

/** Who wants to know of them beside the conversation. */
export interface DelegationWatch {
  started(conversation: Conversation, task: Task): void;
  /** @param changed whether it changed the project */
  finished(conversation: Conversation, task: Task, changed: boolean): void;
}

export function followDelegations(
  tasks: TaskStore,
  conversations: Conversations,
  watch: DelegationWatch,
): Delegations {
  const started = new Set<string>();
  const places = new Map<string, Place>();

  const unsubscribe = tasks.subscribe((task) => {
    const conversation = conversations.peek(task.parentId);
    if (conversation === undefined) return;
    conversation.learn();
    if (isEnded(task)) {
      // One that never began, because it was cancelled in the queue, says nothing.
      if (!started.delete(task.id)) return;
      finish(task);
      return;
    }
    if (started.has(task.id) || task.startedAt === null) return;
    started.add(task.id);
    // A resumed session works for the wave that it is resumed for, not for that of its first task.
    places.set(task.sessionId, { workUnit: task.workUnit, waveId: task.waveId });
    conversation.dispatch({ type: "delegation-started", sessionId: task.sessionId, agent: task.agent });
    conversation.show({ kind: "delegation", agent: task.agent, phase: "started" });
    watch.started(conversation, task);
  });

  const finish = (task: Task): void => {
    const conversation = conversations.peek(task.parentId);
    if (conversation === undefined || task.outcome === null) return;
    const { status, envelope } = task.outcome;
    const report = envelope === null ? {} : { report: reportFromContract(envelope) };
    const ok = status !== "failed";
    const changed = conversation.state.delegations.some(
      (each) => each.sessionId === task.sessionId && each.changed,
    );
    conversation.dispatch({ type: "delegation-finished", sessionId: task.sessionId, ok, ...report });
    conversation.show({ kind: "delegation", agent: task.agent, phase: ok ? "finished" : "failed" });
    watch.finished(conversation, task, changed);
  };

  return {
    placeOf: (sessionId, { workUnit, waveId }) => places.get(sessionId) ?? { workUnit, waveId },
    dispose: unsubscribe,
  };
}

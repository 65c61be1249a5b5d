import { reportFromContract } from "../collaboration/contract-report.ts";
import type { GaiaSession } from "../delegation/gaia-sessions.ts";
import type { TaskRegistry } from "../delegation/registry.ts";
import { isEnded, type Task } from "../delegation/task.ts";
import type { Place } from "./dialogs.ts";
import type { Rooms } from "./rooms.ts";

/** Tells the rooms which specialists are at work, and where their work belongs. */
export interface Delegations {
  placeOf(sessionId: string, session: GaiaSession): Place;
  dispose(): void;
}

export function followDelegations(tasks: TaskRegistry, rooms: Rooms): Delegations {
  const started = new Set<string>();
  const places = new Map<string, Place>();

  const unsubscribe = tasks.subscribe((task) => {
    const room = rooms.peek(task.parentId);
    if (room === undefined) return;
    room.learn();
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
    room.dispatch({ type: "delegation-started", sessionId: task.sessionId, agent: task.agent });
    room.show({ kind: "delegation", agent: task.agent, phase: "started" });
  });

  const finish = (task: Task): void => {
    const room = rooms.peek(task.parentId);
    if (room === undefined || task.outcome === null) return;
    const { status, envelope } = task.outcome;
    const report = envelope === null ? {} : { report: reportFromContract(envelope) };
    const ok = status !== "failed";
    room.dispatch({ type: "delegation-finished", sessionId: task.sessionId, ok, ...report });
    room.show({ kind: "delegation", agent: task.agent, phase: ok ? "finished" : "failed" });
  };

  return {
    placeOf: (sessionId, { workUnit, waveId }) => places.get(sessionId) ?? { workUnit, waveId },
    dispose: unsubscribe,
  };
}

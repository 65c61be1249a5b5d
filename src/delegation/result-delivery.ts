import type { Host, HostEvent, Speaker } from "../host/port.ts";
import type { Clock } from "../lib/clock.ts";
import { describeError } from "../lib/error.ts";
import type { DelegationEngine } from "./engine.ts";
import { countFitting } from "./result.ts";
import { isEnded, type Task } from "./task.ts";

/** While siblings still run, results wait this long for theirs, in milliseconds; the last one is delivered at once. */
const GATHER_MS = 100;

export interface ResultDeliveryInput {
  readonly host: Host;
  readonly clock: Clock;
  readonly engine: DelegationEngine;
  /** Whom the newest user message of the parent went to; the wake-up is sent in that name. */
  speaker(parentId: string): Speaker | undefined;
  /** What the parent has to be told beside its results. */
  lines(parentId: string): readonly string[];
  /** Results were delivered. */
  delivered(parentId: string): void;
  /** Whether waking is welcome now; false while a check-in waits for the user. */
  mayWake(parentId: string): boolean;
}

/** The one way by which the plugin itself writes into a parent session. */
export interface ResultDelivery {
  observe(event: HostEvent): void;
  /** A message of the user arrived: an earlier stop no longer holds. */
  userSpoke(parentId: string): void;
  /** Sends the parent on with these words, if it is idle and nothing speaks against it. @returns whether it was sent */
  nudge(parentId: string, text: string): boolean;
  dispose(): void;
}

/**
 * Wakes an idle parent when its background tasks have ended, with all results that it has not been given, each once;
 * what is too much for one message follows when the parent is idle again.
 * A stop by the user is final until the user speaks again: nothing is delivered before.
 */
export function createResultDelivery({
  host,
  clock,
  engine,
  speaker,
  mayWake,
  ...input
}: ResultDeliveryInput): ResultDelivery {
  const idle = new Set<string>();
  const stopped = new Set<string>();
  const timers = new Map<string, () => void>();

  const undelivered = (parentId: string): Task[] => {
    const background = engine.tasks.ofParent(parentId).filter((task) => task.background && isEnded(task));
    return background.filter((task) => !engine.wasCollected(task.id));
  };

  /** Whom a message would go to; null when none is welcome. */
  const listener = (parentId: string): Speaker | null => {
    if (!idle.has(parentId) || stopped.has(parentId) || !mayWake(parentId)) return null;
    return speaker(parentId) ?? null;
  };

  const deliver = (parentId: string): void => {
    timers.get(parentId)?.();
    timers.delete(parentId);
    const ended = undelivered(parentId);
    const tasks = ended.slice(0, countFitting(ended.map((task) => engine.result(task.id) ?? {})));
    const to = listener(parentId);
    if (tasks.length === 0 || to === null) return;
    idle.delete(parentId);
    for (const task of tasks) engine.markCollected(task.id);
    input.delivered(parentId);
    const text = [renderWakeUp(tasks, engine), ...input.lines(parentId)].join("\n\n");
    host.sessions.wake(parentId, to, text).catch((error: unknown) => {
      for (const task of tasks) engine.unmarkCollected(task.id);
      host.logger.log("warn", "result-delivery", `Results could not be delivered: ${describeError(error)}`, {
        parentId,
      });
    });
  };

  const gather = (parentId: string): void => {
    if (undelivered(parentId).length === 0) return;
    if (!engine.tasks.ofParent(parentId).some((task) => task.background && !isEnded(task))) {
      deliver(parentId);
      return;
    }
    if (timers.has(parentId)) return;
    timers.set(
      parentId,
      clock.after(GATHER_MS, () => {
        deliver(parentId);
      }),
    );
  };

  const stop = (parentId: string): void => {
    stopped.add(parentId);
    const open = engine.tasks.ofParent(parentId).filter((task) => task.background && !isEnded(task));
    const to = speaker(parentId);
    if (open.length === 0 || to === undefined) return;
    const text = `Still running in the background: ${open.map((task) => `${task.agent} (${task.id})`).join(", ")}. Their results wait for your next message.`;
    host.sessions.note(parentId, to, text).catch((error: unknown) => {
      host.logger.log("debug", "result-delivery", describeError(error), { parentId });
    });
  };

  const unsubscribe = engine.tasks.subscribe((task) => {
    if (task.background && isEnded(task)) gather(task.parentId);
  });

  return {
    observe(event) {
      if (event.type === "session.status") {
        if (event.status === "busy") idle.delete(event.sessionId);
        else if (speaker(event.sessionId) !== undefined) {
          idle.add(event.sessionId);
          gather(event.sessionId);
        }
      }
      if (event.type === "session.error" && event.failure.name === "MessageAbortedError") {
        if (speaker(event.sessionId) !== undefined) stop(event.sessionId);
      }
      if (event.type === "session.deleted") {
        idle.delete(event.sessionId);
        stopped.delete(event.sessionId);
      }
    },
    userSpoke(parentId) {
      stopped.delete(parentId);
    },
    nudge(parentId, text) {
      const to = listener(parentId);
      if (to === null) return false;
      idle.delete(parentId);
      host.sessions
        .wake(parentId, to, [text, ...input.lines(parentId)].join("\n\n"))
        .catch((error: unknown) => {
          host.logger.log("warn", "result-delivery", describeError(error), { parentId });
        });
      return true;
    },
    dispose() {
      unsubscribe();
      for (const cancel of timers.values()) cancel();
      timers.clear();
    },
  };
}

function renderWakeUp(tasks: readonly Task[], engine: DelegationEngine): string {
  const results = tasks.map((task) => engine.result(task.id));
  return `Background tasks have ended; go on with what they were for.\n${JSON.stringify({ results })}`;
}

import { reportFromContract } from "../collaboration/batch.ts";
import type { ConversationCore } from "../core.ts";
import { redactDeep } from "../../lib/redaction.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { WorkRecord } from "../record/work-record.ts";
import type { Runs } from "../runs/runs.ts";
import type { Turns } from "../turns/turns.ts";
import { createResultDelivery } from "./result-delivery.ts";
import { renderEnd } from "./end-line.ts";
import { isEnded, type Task } from "../../delegation/task.ts";

/** Where a delegation's requests belong, as it was when it began. */
export interface DelegationPlace {
  readonly workUnit: string | null;
  readonly waveId: string | null;
}

export type Delegations = ReturnType<typeof createDelegations>;

export function createDelegations(
  conversation: ConversationCore,
  services: Pick<ConversationServices, "clock" | "redact" | "engine" | "bounds">,
  turns: Pick<Turns, "listener" | "goOn">,
  runs: Pick<Runs, "background" | "given">,
  lanes: Pick<Lanes, "looked" | "refuted">,
  workRecord: Pick<WorkRecord, "isWaiting">,
) {
  const { clock, redact, engine } = services;
  const delivery = createResultDelivery(conversation, services, turns, runs, workRecord);
  const started = new Set<string>();
  const places = new Map<string, DelegationPlace>();

  const start = (task: Task): void => {
    started.add(task.id);
    // A resumed session works for the wave that it is resumed for, not for that of its first task.
    places.set(task.sessionId, { workUnit: task.workUnit, waveId: task.waveId });
    conversation.dispatch({ type: "delegation-started", sessionId: task.sessionId });
    conversation.show({ kind: "begun", line: `${task.agent} started` });
    conversation.each((part) => part.delegationStarted?.(task));
  };

  const finish = (task: Task): void => {
    if (task.outcome === null) return;
    const { status, envelope } = task.outcome;
    const report = envelope === null ? {} : { report: reportFromContract(redactDeep(envelope, redact)) };
    const ok = status !== "failed";
    const changed = conversation.state.delegations.some(
      (each) => each.sessionId === task.sessionId && each.changed,
    );
    conversation.dispatch({ type: "delegation-finished", sessionId: task.sessionId, ok, ...report });
    conversation.each((part) => part.delegationFinished?.(task, changed));
  };

  /** Its one line, with the proof that failed; a task that never began has one as well. */
  const showEnd = (task: Task, refuted = ""): void => {
    const { mark, line, isStopped } = renderEnd(redactDeep(task, redact), clock.now(), refuted);
    const tone = mark === "✓" ? "info" : mark === "◐" ? "warning" : "error";
    conversation.show({ kind: "ended", line, tone, isLoud: !isStopped });
  };

  return {
    ...delivery,
    taskChanged(task) {
      conversation.touch();
      // One that never began, because it was cancelled in the queue, says nothing.
      if (isEnded(task)) {
        if (started.delete(task.id)) finish(task);
        const look = lanes.looked(task.sessionId);
        if (look === undefined) showEnd(task);
        else void look.then(() => showEnd(task, lanes.refuted()));
      } else if (task.startedAt !== null && !started.has(task.id)) start(task);
      // What a specialist did is known before its result is handed on.
      delivery.taskChanged(task);
    },
    heard(event) {
      if (event.type !== "taken-back") return;
      for (const task of conversation.tasks())
        if (!isEnded(task)) engine.cancel(task.id, "The user took back what it was for.");
    },
    /** The user speaks with a specialist in this session: what it does until it falls silent belongs to the work of now. */
    talks(sessionId: string): void {
      const { workUnit, wave } = conversation.state;
      places.set(sessionId, { workUnit, waveId: wave?.id ?? null });
      conversation.dispatch({ type: "delegation-started", sessionId });
    },
    placeOf: (sessionId: string, { workUnit, waveId }: DelegationPlace): DelegationPlace =>
      places.get(sessionId) ?? { workUnit, waveId },
  } satisfies Part & Record<string, unknown>;
}

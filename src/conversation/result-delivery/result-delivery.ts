import { countFitting, renderGiven } from "../../delegation/result.ts";
import { isEnded, type Task } from "../../delegation/task.ts";
import type { Speaker } from "../../host/port.ts";
import { describeError } from "../../lib/error.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import { decideHandover } from "./decide-handover.ts";
import type { ConversationServices } from "../services.ts";

/** The one way by which the plugin itself writes into a conversation. */
export interface ResultDelivery extends Part {
  /** Sends GAIA on with these words, if she is idle and nothing speaks against it. @returns whether it was sent */
  nudge(text: string): boolean;
  /** Whether a message that sends GAIA on is written, and the turn that it begins is not heard of yet. */
  isComing(): boolean;
  /** Whether GAIA has been given the end of this task. */
  wasCollected(taskId: string): boolean;
  /** A call of GAIA's returns the ends of these. What OpenCode throws away of it, because the user stopped her, is not given. */
  handOut(taskIds: readonly string[], callId: string): void;
  /** Something else is at work beside GAIA, whose report she is given like the result of a task. */
  begin(id: string): void;
  /** Nobody needs its report any more. */
  drop(id: string): void;
  end(id: string, report: object): void;
  /** Its report; undefined while it is at work, and for what is not known. */
  reportOf(id: string): object | undefined;
  /** What {@link begin} named and GAIA was not given yet. */
  open(): readonly string[];
}

/** From the user's message to the turn that answers it, at most, in milliseconds. */
const DUE_MS = 10_000;

/** What is at work beside the tasks of the engine. */
interface Errand {
  readonly endedAt: number | null;
  readonly report: object;
}

/** What has ended and is to be handed over. */
interface Parcel {
  readonly id: string;
  readonly endedAt: number;
  readonly result: () => object;
}

/** What the delivery needs of its conversation. */
type Recipient = Pick<
  ConversationCore,
  "rootId" | "state" | "busy" | "isTakenBack" | "outbox" | "speaker" | "tasks" | "takeLines" | "each"
>;

/**
 * Wakes an idle GAIA when her background tasks have ended, with all results that she has not been given, each once; what is
 * too much for one message follows when she is idle again. A stop by the user is final until the user speaks again:
 * nothing is delivered before, and nothing while a check-in waits for them.
 */
export function createResultDelivery(
  conversation: Recipient,
  { host, clock, engine, bounds }: Pick<ConversationServices, "host" | "clock" | "engine" | "bounds">,
): ResultDelivery {
  const { rootId, speaker } = conversation;
  const collected = new Set<string>();
  /** By call, what it returned, until OpenCode has stored its answer. */
  const handedOut = new Map<string, readonly string[]>();
  let isIdle = false;
  let isStopped = false;
  /** The user has written, and the turn that answers them has not begun: what else there is waits for its end. */
  let cancelDue: (() => void) | null = null;
  let isRetrying = false;
  let isComing = false;
  let cancelGathering: (() => void) | null = null;

  const background = (): Task[] => conversation.tasks().filter((task) => task.background);
  const errands = new Map<string, Errand>();
  const undelivered = (): Parcel[] => [
    ...background()
      .filter((task) => isEnded(task) && !collected.has(task.id))
      .map(({ id, endedAt }) => ({
        id,
        endedAt: endedAt ?? 0,
        result: () => renderGiven(engine.result(id) ?? {}),
      })),
    ...[...errands].flatMap(([id, { endedAt, report }]) =>
      endedAt === null || collected.has(id) ? [] : [{ id, endedAt, result: () => report }],
    ),
  ];

  /** Whom a message would go to; null when none is welcome. */
  const listener = (): Speaker | null => {
    if (!isIdle || cancelDue !== null || isStopped || conversation.state.pause !== null) return null;
    if (conversation.isTakenBack) return null;
    return speaker() ?? null;
  };

  const wake = (to: Speaker, text: string, onFailure: () => void, onSuccess?: () => void): void => {
    isIdle = false;
    isComing = true;
    const message = [text, ...conversation.takeLines()].join("\n\n");
    // A note would cost a second request if it came after this message.
    conversation.busy = true;
    const sent = conversation.outbox.written().then(async () => host.sessions.wake(rootId, to, message));
    sent.then(onSuccess, (error: unknown) => {
      conversation.busy = false;
      isComing = false;
      void conversation.outbox.flush();
      onFailure();
      host.logger.log("warn", "result-delivery", `GAIA was not sent on: ${describeError(error)}`, { rootId });
    });
  };

  const deliver = (): void => {
    cancelGathering?.();
    cancelGathering = null;
    const ended = undelivered();
    const tasks = ended.slice(0, countFitting(ended.map(({ result }) => result())));
    const to = listener();
    if (tasks.length === 0 || to === null || !bounds.beginTurn(rootId)) return;
    for (const task of tasks) collected.add(task.id);
    conversation.each((part) => part.resultsDelivered?.());
    wake(
      to,
      renderWakeUp(tasks),
      () => {
        for (const task of tasks) collected.delete(task.id);
      },
      () => {
        for (const task of tasks) conversation.each((part) => part.taskGiven?.(task.id));
      },
    );
  };

  const gather = (): void => {
    cancelGathering?.();
    cancelGathering = null;
    const ended = undelivered();
    // What comes while nobody may be woken is looked at again when that is over.
    if (ended.length === 0 || listener() === null) return;
    const open = background().filter((task) => !isEnded(task));
    const queued = open.filter(({ startedAt }) => startedAt === null).length;
    const errandsOpen = [...errands.values()].filter(({ endedAt }) => endedAt === null).length;
    const oldest = Math.min(...ended.map(({ endedAt }) => endedAt));
    const waitMs = decideHandover({
      ended: ended.length,
      running: open.length - queued + errandsOpen,
      queued,
      turns: bounds.turnsOf(rootId),
      waitedMs: clock.now() - oldest,
    });
    if (waitMs === 0) deliver();
    else cancelGathering = clock.after(waitMs, gather);
  };

  const endDue = (): void => {
    cancelDue?.();
    cancelDue = null;
  };

  const settle = (callId: string, status: string): void => {
    if (status !== "completed" && status !== "error") return;
    for (const id of handedOut.get(callId) ?? []) {
      if (status === "error") collected.delete(id);
      else conversation.each((part) => part.taskGiven?.(id));
    }
    handedOut.delete(callId);
  };

  const stop = (): void => {
    isStopped = true;
    const open = background().filter((task) => !isEnded(task));
    if (open.length === 0) return;
    const names = open.map((task) => `${task.agent} (${task.id})`).join(", ");
    conversation.outbox.note(
      `Still running in the background: ${names}. Their results wait for your next message.`,
    );
  };

  return {
    taskChanged(task) {
      if (task.background && isEnded(task)) gather();
    },
    observe(event, isRoot) {
      if (!isRoot) return;
      if (event.type === "tool.activity") settle(event.callId, event.status);
      const endsTurn = event.type === "session.status" && event.status === "idle";
      // Stopped while OpenCode waits for a busy provider, a turn ends without any error.
      if (isRetrying && endsTurn) stop();
      if (event.type === "session.retry") isRetrying = true;
      // What the plugin itself writes into the session meanwhile is no answer of the provider's.
      else if (event.type !== "message.finished" && event.type !== "session.updated") isRetrying = false;
      if (event.type === "session.error" && event.failure.name === "MessageAbortedError") stop();
      if (event.type === "session.error" || (event.type === "session.status" && !endsTurn)) endDue();
      if (event.type !== "session.status") return;
      isComing &&= endsTurn;
      isIdle = endsTurn;
      if (isIdle) gather();
    },
    userSpoke(how) {
      if (how === "message" || how === "command") isStopped = false;
      if (how !== "message" || !isIdle) return;
      endDue();
      cancelDue = clock.after(DUE_MS, () => {
        cancelDue = null;
        gather();
      });
    },
    isComing: () => isComing,
    nudge(text) {
      const to = listener();
      if (to === null || !bounds.beginTurn(rootId)) return false;
      wake(to, text, () => undefined);
      return true;
    },
    begin(id) {
      collected.delete(id);
      errands.set(id, { endedAt: null, report: {} });
    },
    drop: (id) => void errands.delete(id),
    end(id, report) {
      errands.set(id, { endedAt: clock.now(), report });
      gather();
    },
    reportOf(id) {
      const errand = errands.get(id);
      return errand === undefined || errand.endedAt === null ? undefined : errand.report;
    },
    open: () => [...errands.keys()].filter((id) => !collected.has(id)),
    wasCollected: (taskId) => collected.has(taskId),
    handOut(taskIds, callId) {
      for (const id of taskIds) collected.add(id);
      handedOut.set(callId, taskIds);
    },
    dispose() {
      cancelGathering?.();
      endDue();
    },
  };
}

function renderWakeUp(tasks: readonly Parcel[]): string {
  const results = tasks.map(({ result }) => result());
  return `Background tasks have ended; go on with what they were for.\n${JSON.stringify({ results })}`;
}

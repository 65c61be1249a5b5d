import { countFitting, renderGiven } from "../../delegation/result.ts";
import { callOf, isEnded, parseTaskId, type Task, taskIdOf } from "../../delegation/task.ts";
import type { ConversationCore } from "../core.ts";
import type { HostEvent } from "../../host/port.ts";
import type { WorkRecord } from "../record/work-record.ts";
import type { Runs } from "../runs/runs.ts";
import type { Turns } from "../turns/turns.ts";
import type { ConversationServices } from "../services.ts";

interface Parcel {
  readonly id: string;
  readonly endedAt: number;
  readonly result: () => object;
}

type Given = NonNullable<ReturnType<typeof parseTaskId>>;

/** Child sessions of which it is remembered what GAIA was given, those it was given last. */
const MAX_GIVEN = 180;

/**
 * Wakes a resting GAIA when its background tasks have ended, with all results that it has not been given, each once; what is
 * too much for one message follows when it rests again.
 */
export function createResultDelivery(
  conversation: Pick<ConversationCore, "rootId" | "tasks" | "remember">,
  { clock, engine, bounds }: Pick<ConversationServices, "clock" | "engine" | "bounds">,
  turns: Pick<Turns, "listener" | "goOn">,
  runs: Pick<Runs, "background" | "given">,
  workRecord: Pick<WorkRecord, "isWaiting">,
) {
  const { rootId } = conversation;
  const collected = new Set<string>();
  /** By child session, the number of the newest task whose end GAIA was given, the last ones last. Killed before it is kept, GAIA is told once more. */
  const given = conversation.remember<readonly Given[]>("delegations", [], (all) =>
    // Before it is in the record, it has to be found again.
    all.filter(({ sessionId, number }) => !workRecord.isWaiting(taskIdOf(sessionId, number))),
  );
  /** By call, what it returned, until OpenCode has stored its answer. */
  const handedOut = new Map<string, readonly string[]>();
  let cancelGathering: (() => void) | null = null;

  const isGiven = (taskId: string): boolean => {
    const { sessionId = "", number = 1 } = parseTaskId(taskId) ?? {};
    return (given.now.find((each) => each.sessionId === sessionId)?.number ?? 0) >= number;
  };
  const give = (id: string): void => {
    const task = parseTaskId(id);
    if (task === null) return runs.given(id);
    if (isGiven(id)) return;
    const others = given.now.filter(({ sessionId }) => sessionId !== task.sessionId);
    given.now = [...others, task].slice(-MAX_GIVEN);
  };
  /** The call that waited for these tasks is answered, or the user stopped it. */
  const giveAllOf = (call: string): void => {
    for (const { id, callId, background, outcome } of conversation.tasks())
      if (callOf(callId) === call && !background && outcome !== null) give(id);
  };

  const background = (): Task[] => conversation.tasks().filter((task) => task.background);
  const undelivered = (): Parcel[] => [
    ...background()
      .filter((task) => isEnded(task) && !collected.has(task.id))
      .map(({ id, endedAt }) => ({
        id,
        endedAt: endedAt ?? 0,
        result: () => renderGiven(engine.result(id) ?? {}),
      })),
    ...[...runs.background()].flatMap(([id, { ended }]) =>
      ended === null || collected.has(id) ? [] : [{ id, endedAt: ended.at, result: () => ended.report }],
    ),
  ];

  const deliver = (): void => {
    cancelGathering?.();
    cancelGathering = null;
    const ended = undelivered();
    const tasks = ended.slice(0, countFitting(ended.map(({ result }) => result())));
    if (tasks.length === 0) return;
    for (const task of tasks) collected.add(task.id);
    const isSent = turns.goOn(renderWakeUp(tasks), "result", (hasArrived) => {
      for (const task of tasks)
        if (hasArrived) give(task.id);
        else collected.delete(task.id);
    });
    if (!isSent) for (const task of tasks) collected.delete(task.id);
  };

  const gather = (): void => {
    cancelGathering?.();
    cancelGathering = null;
    // The plan holds what came of them.
    for (const run of runs.background().values()) if (run.ended !== null) giveAllOf(run.callId);
    const ended = undelivered();
    // What comes while nobody may be woken is looked at again when that is over.
    if (ended.length === 0 || turns.listener() === null) return;
    const open = background().filter((task) => !isEnded(task));
    const queued = open.filter(({ startedAt }) => startedAt === null).length;
    const oldest = Math.min(...ended.map(({ endedAt }) => endedAt));
    const waitMs = decideHandover({
      ended: ended.length,
      running:
        open.length - queued + [...runs.background().values()].filter(({ ended }) => ended === null).length,
      queued,
      turns: bounds.turnsOf(rootId),
      waitedMs: clock.now() - oldest,
    });
    if (waitMs === 0) deliver();
    else cancelGathering = clock.after(waitMs, gather);
  };

  const settle = (callId: string, status: string): void => {
    if (status !== "completed" && status !== "error") return;
    for (const id of handedOut.get(callId) ?? []) {
      if (status === "error") collected.delete(id);
      else give(id);
    }
    handedOut.delete(callId);
    giveAllOf(callId);
  };

  return {
    taskChanged(task: Task): void {
      if (task.background && isEnded(task)) gather();
    },
    observe(event: HostEvent, isRoot: boolean): void {
      if (isRoot && event.type === "tool.activity") settle(event.callId, event.status);
    },
    rested: gather,
    isGiven,
    wasCollected: (taskId: string): boolean => collected.has(taskId),
    /** A call of GAIA's returns the ends of these. What OpenCode throws away of it, because the user stopped GAIA, is not given. */
    handOut(taskIds: readonly string[], callId: string): void {
      for (const id of taskIds) collected.add(id);
      handedOut.set(callId, taskIds);
    },
    dispose(): void {
      cancelGathering?.();
    },
  };
}

function renderWakeUp(tasks: readonly Parcel[]): string {
  const results = tasks.map(({ result }) => result());
  return `Background tasks have ended; go on with what they were for.\n${JSON.stringify({ results })}`;
}

/** Results wait this long for those of specialists at work, in milliseconds, before the first wake-up; then longer. */
const GATHER_MS = 100;
/** Each wake-up without a word of the user's makes the next wait this many times longer. */
const PATIENCE = 4;
/** So many results are worth a turn; after each wake-up it is one more, so that a hundred tasks take a dozen turns. */
const LEAST = 3;
/** The longest that a result waits while others are still worked on, in milliseconds. */
const MAX_GATHER_MS = 600_000;

export interface Handover {
  /** Results that nobody was given yet. */
  readonly ended: number;
  readonly running: number;
  readonly queued: number;
  /** Turns that the plugin has begun since the user's last word. */
  readonly turns: number;
  readonly waitedMs: number;
}

/**
 * How long results go on waiting for those of their siblings, in milliseconds; 0 hands them over now. While tasks queue,
 * few results are not worth a turn; after that the wait grows with each wake-up, so that twenty tasks, three at once, are
 * seven turns at most.
 */
export function decideHandover({ ended, running, queued, turns, waitedMs }: Handover): number {
  if (running + queued === 0 || ended >= LEAST + turns) return 0;
  const patience = queued > 0 ? MAX_GATHER_MS : Math.min(MAX_GATHER_MS, GATHER_MS * PATIENCE ** turns);
  return Math.max(0, patience - waitedMs);
}

import { combineRepair, evaluateAnswer } from "../contracts/evaluate.ts";
import type { Host, HostEvent, HostTurn, ModelId } from "../host/port.ts";
import { bounded, type Clock, deferred } from "../lib/async.ts";
import { describeError } from "../lib/error.ts";
import { clockTime } from "../lib/figures.ts";
import { tail } from "../lib/text.ts";
import { nextCandidate, resolveCandidates, type Candidates } from "./models.ts";
import { CONTINUE_PROMPT, renderContractRequest } from "./child-prompt.ts";
import type { Delegation } from "./child-session.ts";
import { addDeed, type Deed, NO_DEEDS, weigh } from "./deeds.ts";
import { classifyFailure, type Cooldowns, type FailureClass } from "./failure.ts";
import type { createQueue, Ticket } from "./queue.ts";
import { MAX_RAW_TEXT, readResult, repairRequest } from "./read-result.ts";
import { renderResult } from "./result.ts";
import type { Specialist } from "./specialist.ts";
import type { TaskStore } from "./task-store.ts";
import { ended, limitedUntil, readTaskEvent, reduceTask, type Task, type TaskOutcome } from "./task.ts";

/** What the tasks of one engine share. */
export interface TaskGround {
  readonly host: Host;
  readonly clock: Clock;
  readonly tasks: TaskStore;
  readonly queue: ReturnType<typeof createQueue>;
  readonly cooldowns: Cooldowns;
  readonly limits: WatchdogLimits;
  /** Hears which models a specialist may run on, before the first is asked. */
  resolved(agent: string, candidates: Candidates): void;
}

export interface WatchdogLimits {
  /** Silence after which a child is looked at, in milliseconds. */
  readonly stallMs: number;
  /** The same while one of its tools runs: a build may be silent for long. */
  readonly toolStallMs: number;
  /** The whole task from its start, the time it waited for a human not counted. */
  readonly totalMs: number;
}

/** How a task ends before its specialist does: cancelled, or cut at a bound, where what it has is its result. */
interface Stop {
  readonly status: "cancelled" | "partial";
  readonly reason: string;
}

interface Interruption {
  readonly failure: FailureClass;
  readonly message: string;
  /** When the provider says that it answers again, in milliseconds since the epoch. */
  readonly until?: number | undefined;
}

type AttemptResult = { ok: true; turn: HostTurn } | ({ ok: false; promptSaved: boolean } & Interruption);

/** How long an error event may be ahead of the prompt's own answer before the attempt is ended, in milliseconds. */
const ERROR_GRACE_MS = 2_000;
/** After this many overflows in one attempt OpenCode's own compaction has proved useless: it would go on for ever. */
const MAX_OVERFLOWS = 2;
/** Aborting a child and prompting it again takes less than this, in milliseconds. */
const SWITCHING_MS = 1_000;
/** How long an aborted prompt may take to come back; after that the child is left behind. */
const ABORT_LIMIT_MS = 5_000;
/** How long a child that was ended may take to tell what it said. */
const MESSAGES_LIMIT_MS = 5_000;

export type RunningTask = ReturnType<typeof runTask>;

/**
 * Takes one task from its first prompt to its outcome: the models of its chain one after the other in the same session, then
 * the contract, then at most one repair (SPEC 4, 6). Events and silence end an attempt early. Never rejects.
 */
export function runTask(ground: TaskGround, taskId: string, delegation: Delegation) {
  const { host, clock, tasks, queue, cooldowns } = ground;
  const { specialist, limits: own = {} } = delegation;
  const limits = { ...ground.limits, ...own };
  const spent = new Map<string, Pick<Task, "tokens" | "cost">>();
  const { promise: placed, resolve: place } = deferred();
  let candidates: Candidates | null = null;
  let ticket: Ticket | null = null;
  /** Ends the attempt that runs; null while none does. */
  let interrupt: ((by: Interruption | HostTurn) => void) | null = null;
  let stopped: Stop | null = null;
  let deeds = NO_DEEDS;
  let overflows = 0;
  /** Stops the wait for an answer that an error event has announced. */
  let stopGrace: () => void = () => undefined;

  const current = (): Task => {
    const task = tasks.get(taskId);
    if (task === undefined) throw new Error(`Task ${taskId} is not registered.`);
    return task;
  };
  const stop = (how: Stop): void => {
    // The one who cancels it wants nothing of it any more.
    if (stopped?.status !== "cancelled") stopped = how;
    if (interrupt === null) ticket?.release();
    else interrupt({ failure: "aborted", message: how.reason });
  };
  /** All ways to end it before its specialist does, behind each wait. */
  const whyStopped = (): Stop | null => stopped;

  const attempt = async (model: ModelId | null, text: string, isRepair = false): Promise<AttemptResult> => {
    const { background, attempts, sessionId, agent } = current();
    const isFirst = attempts.length === 0 && delegation.resume === null;
    const entered = queue.enter({ background, model, beginning: isFirst ? beginningOf(specialist) : "" });
    ticket = entered;
    overflows = 0;
    place();
    try {
      if (stopped === null) await entered.ready;
      const why = whyStopped();
      if (why !== null) return { ok: false, failure: "aborted", message: why.reason, promptSaved: false };
      const startedAt = clock.now();
      const { promise: interrupted, resolve } = deferred<Interruption | HostTurn>();
      interrupt = resolve;
      tasks.dispatch(taskId, { type: "started", at: startedAt, model });
      const result = await promptChild(ground, { sessionId, speaker: { agent, model }, text }, interrupted);
      // What was stopped has not failed, and nothing is tried again.
      const isCut = !result.ok && (result.failure === "aborted" || whyStopped() !== null);
      if (isRepair || isCut) return result;
      const at = clock.now();
      const { failure, message, until } = result.ok ? { failure: null, message: "" } : result;
      const tried = { model, failure, message, duration_ms: at - startedAt, ...(until && { until }) };
      tasks.dispatch(taskId, { type: result.ok ? "answered" : "attempt-failed", at, attempt: tried });
      return result;
    } finally {
      stopGrace();
      [ticket, interrupt] = [null, null];
      entered.release();
    }
  };

  const work = async (): Promise<TaskOutcome> => {
    const { sessionModel } = delegation;
    const catalog = await host.models();
    candidates = resolveCandidates(specialist, catalog, sessionModel, cooldowns.isCooling);
    ground.resolved(specialist.name, candidates);
    let { prompt } = delegation;
    for (;;) {
      const model = nextCandidate(candidates, current().attempts);
      if (model === undefined) return failed();
      const result = await attempt(model, prompt + renderContractRequest(specialist));
      const why = whyStopped();
      if (why !== null) return cutOff(why);
      if (result.ok) return settle(model, result.turn);
      if (result.failure === "aborted")
        return cutOff({ status: "cancelled", reason: "It was stopped by hand." });
      cooldowns.record(model, result.failure, result.until);
      if (result.promptSaved) prompt = CONTINUE_PROMPT;
    }
  };

  /** Reads the contract out of a finished turn; one repair round where it does not fit (SPEC 4). */
  const settle = async (model: ModelId | null, turn: HostTurn): Promise<TaskOutcome> => {
    const { contract } = specialist;
    if (contract === null) return { ...ended("completed", ""), text: tail(turn.text, MAX_RAW_TEXT) };
    const request = repairRequest(contract, turn);
    if (request === null) return readResult(contract, turn, null);
    tasks.dispatch(taskId, { type: "repairing", at: clock.now() });
    const repair = await attempt(model, request, true);
    const result = readResult(contract, turn, repair.ok ? repair.turn : null);
    const why = whyStopped();
    if (why === null) return result;
    // A cancelled task keeps what it had handed over before.
    return why.status === "cancelled" ? { ...result, ...why, message: why.reason } : cutOff(why);
  };

  /** A task that was ended keeps what it had said; one that never began has said nothing. */
  const cutOff = async ({ status, reason }: Stop): Promise<TaskOutcome> => {
    const text = current().startedAt === null ? "" : await wordsOf();
    const { contract } = specialist;
    const found = contract === null || text === "" ? null : evaluateAnswer(contract, { text });
    const cut = `It was ended: ${reason}. What it had is here. Resume with session_id for as much again, or give smaller tasks.`;
    return {
      status,
      message: status === "cancelled" ? reason : cut,
      envelope: found === null ? null : combineRepair(found, null).answer,
      parseError: found?.status === "invalid" ? found.problems.join("; ") : null,
      text: tail(text, MAX_RAW_TEXT) || null,
    };
  };

  const failed = async (): Promise<TaskOutcome> => {
    const { attempts } = current();
    const tries = attempts.map(({ model, failure }) => `${model ?? "default model"}: ${failure ?? "?"}`);
    const error = (attempts.at(-1)?.message ?? "none").replace(/\.?\s*$/, ".");
    const until = limitedUntil(attempts);
    const wait = until === null ? "" : `It answers again at ${clockTime(until)}. `;
    const message =
      `No model could finish this (${tries.join(", ")}). Last error: ${error} ${wait}` +
      `Resume with session_id ${until === null ? "once the cause is gone" : "then"}, or give the task to another specialist.`;
    return { ...ended("failed", message), text: tail(await wordsOf(), MAX_RAW_TEXT) || null };
  };

  /** All that the specialist has said in this task; empty when it said nothing or cannot be asked any more. */
  const wordsOf = async (): Promise<string> => {
    const { sessionId } = current();
    try {
      const asked = host.sessions.messages(sessionId);
      const messages = await bounded(asked, MESSAGES_LIMIT_MS, clock, "the words of an ended child");
      const { prompt } = delegation;
      const start = messages.findLastIndex(({ role, turn }) => role === "user" && turn.text.includes(prompt));
      const said = messages.slice(start + 1).filter(({ role }) => role === "assistant");
      return said
        .map(({ turn }) => turn.text.trim())
        .filter(Boolean)
        .join("\n\n");
    } catch (error) {
      host.logger.log("debug", "delegation", describeError(error), { sessionId });
      return "";
    }
  };

  /** What follows its end before anyone is told of it. */
  const landed = async (outcome: TaskOutcome): Promise<TaskOutcome> => {
    const { ends } = delegation;
    if (ends === undefined) return outcome;
    const over = reduceTask(current(), { type: "ended", at: clock.now(), outcome });
    return { ...outcome, worktree: await ends(renderResult(over, clock.now(), 0)).catch(describeError) };
  };

  const onError = ({ failure }: Extract<HostEvent, { type: "session.error" }>): void => {
    const reason = { failure: classifyFailure(failure), message: failure.message };
    if (reason.failure === "aborted") return; // The prompt itself answers as soon as the loop has ended.
    if (reason.failure === "context-overflow") {
      overflows += 1;
      if (overflows >= MAX_OVERFLOWS) interrupt?.(reason);
      return;
    }
    stopGrace();
    const end = interrupt;
    stopGrace = clock.after(ERROR_GRACE_MS, () => end?.(reason));
  };

  /** OpenCode retries by itself, with growing waits: taken over where the next model is quicker, or the wait longer than any silence may last. */
  const onRetry = ({ message, nextAt: until }: Extract<HostEvent, { type: "session.retry" }>): void => {
    const hasNextModel = current().attempts.length + 1 < (candidates?.models.length ?? 0);
    if (until - clock.now() >= (hasNextModel ? SWITCHING_MS : limits.stallMs))
      interrupt?.({ failure: "overload", message, until });
  };

  const period = Math.max(10, Math.min(limits.stallMs, limits.totalMs) / 4);
  let waitedMs = 0;
  let isLooking = false;
  /** One timer per task, none per event. A child that waits for a person is never stalled (SPEC 2.5), but what it asked may be gone by now. */
  const watch = (): void => {
    cancelWatch = clock.after(period, watch);
    const { startedAt, status, openTools, heardAt } = current();
    if (startedAt === null) return;
    const isWaiting = status === "waiting-for-human";
    if (isWaiting) waitedMs += period;
    else if (clock.now() - startedAt - waitedMs >= limits.totalMs) {
      const isOwn = own.totalMs !== undefined;
      const bound = isOwn ? "this may take" : "a task may take (delegation.maxTaskMinutes)";
      return stop({ status: "partial", reason: `it took longer than ${bound}` });
    }
    const allowed = openTools.length > 0 && !isWaiting ? limits.toolStallMs : limits.stallMs;
    if (clock.now() - heardAt < allowed || isLooking || interrupt === null) return;
    isLooking = true;
    void lookAtSilence(interrupt).finally(() => {
      isLooking = false;
    });
  };
  let cancelWatch = clock.after(period, watch);

  /**
   * A silent child is looked at before it is given up: an event may have been missed. It may wait for the user, or its loop may
   * be over; in all other cases it is stalled, unless it is known to wait for the user and that cannot be checked.
   */
  const lookAtSilence = async (end: NonNullable<typeof interrupt>): Promise<void> => {
    const { sessionId } = current();
    try {
      const seen = await host.sessions.look(sessionId);
      if (noteRequests(seen.requests ?? current().openRequests)) return;
      const last = seen.busy ? undefined : (await host.sessions.messages(sessionId)).at(-1);
      if (last?.role === "assistant" && last.completed) return end(last.turn);
    } catch (error) {
      host.logger.log("warn", "delegation", `A silent child could not be looked at: ${describeError(error)}`);
      if (tasks.get(taskId)?.status === "waiting-for-human") return;
    }
    end({ failure: "stalled", message: "Nothing was heard of it for too long" });
  };
  /** @returns whether the task's silence is explained: a user is asked, or has just been found to have answered */
  const noteRequests = (requests: readonly string[]): boolean => {
    const at = clock.now();
    for (const requestId of requests)
      tasks.dispatch(taskId, { type: "human-needed", at, requestId, what: "waits for an answer" });
    const gone = current().openRequests.filter((id) => !requests.includes(id));
    for (const requestId of gone) tasks.dispatch(taskId, { type: "human-answered", at, requestId });
    return requests.length > 0 || gone.length > 0;
  };

  const run = async (): Promise<void> => {
    const end = (outcome: TaskOutcome): void =>
      tasks.dispatch(taskId, { type: "ended", at: clock.now(), outcome });
    try {
      const outcome = await work();
      end(await landed(weigh(outcome, deeds, specialist)));
    } catch (error) {
      host.logger.log("error", "delegation", describeError(error), { taskId });
      end(ended("failed", `The delegation broke inside the plugin: ${describeError(error)}`));
    } finally {
      cancelWatch();
      place();
    }
  };

  return {
    over: run(),
    /** Resolves once its place in the queue is known, or it has ended without one. */
    placed,
    position: (): number => ticket?.position() ?? 0,
    stop,
    note(deed: Deed): void {
      deeds = addDeed(deeds, deed);
    },
    observe(event: HostEvent): void {
      const taskEvent = readTaskEvent(event, clock.now());
      if (taskEvent !== null) tasks.dispatch(taskId, taskEvent);
      if (isAnswering(event)) ticket?.answering();
      if (event.type === "message.finished") {
        spent.set(event.messageId, event);
        tasks.dispatch(taskId, { type: "spent", at: clock.now(), ...sumOf([...spent.values()]) });
      }
      if (event.type === "session.error") onError(event);
      if (event.type === "session.retry") onRetry(event);
    },
  };
}

/** What specialists have in common of what they send first: the tools, and the system prompt up to the role. */
const beginningOf = ({ mutates }: Specialist): string => (mutates ? "edits" : "reads");

/**
 * Sends one prompt to a child and waits for the end of its loop or for an interruption, whichever is first. An interrupted child
 * is aborted before the result is given, so that the next attempt finds the session idle.
 * @param interrupted a turn, where the prompt's own answer was lost
 */
async function promptChild(
  { host, clock }: TaskGround,
  request: Parameters<Host["sessions"]["prompt"]>[0],
  interrupted: Promise<Interruption | HostTurn>,
): Promise<AttemptResult> {
  const prompt = host.sessions.prompt(request);
  const first = await Promise.race([prompt, interrupted]);
  if ("text" in first) {
    if (first.failure === null) return { ok: true, turn: first };
    const { message, promptSaved } = first.failure;
    return { ok: false, failure: classifyFailure(first.failure), message, promptSaved };
  }
  const { sessionId } = request;
  try {
    await bounded(host.sessions.abort(sessionId), ABORT_LIMIT_MS, clock, "aborting the child");
    await bounded(prompt, ABORT_LIMIT_MS, clock, "the aborted child");
  } catch (error) {
    const why = `A child did not stop cleanly: ${describeError(error)}`;
    host.logger.log("warn", "delegation", why, { sessionId });
  }
  return { ok: false, ...first, promptSaved: true };
}

/** Whether a session's model has begun to answer: what a prompt leaves of itself in the session does not count. */
function isAnswering(event: HostEvent): boolean {
  if (event.type === "text.activity") return event.isStreamed === true;
  return event.type === "tool.activity" || event.type === "message.finished";
}

/** Each message tells of its end more than once, so the sum is over messages. */
function sumOf(all: readonly Pick<Task, "tokens" | "cost">[]): Pick<Task, "tokens" | "cost"> {
  const tokens = { input: 0, output: 0, cached: 0 };
  for (const each of all) {
    tokens.input += each.tokens.input;
    tokens.output += each.tokens.output;
    tokens.cached += each.tokens.cached;
  }
  return { tokens, cost: all.reduce((sum, each) => sum + each.cost, 0) };
}

import type { VcsType } from "../contracts/contract.ts";
import { combineRepair, evaluateAnswer } from "../contracts/evaluate.ts";
import type { Host, HostTurn, ModelId } from "../host/port.ts";
import { type Clock, bounded } from "../lib/async.ts";
import { describeError } from "../lib/error.ts";
import { clockTime } from "../lib/figures.ts";
import { tail } from "../lib/text.ts";
import { startAttempt, type AttemptResult, type RunningAttempt } from "./attempt.ts";
import { nextCandidate, type Candidates } from "./candidates.ts";
import { CONTINUE_PROMPT, renderContractRequest } from "./child-prompt.ts";
import { fillEnvelope, MAX_RAW_TEXT, type Origin, readResult, repairRequest } from "./read-result.ts";
import type { Cooldowns } from "./failure.ts";
import type { createQueue, Ticket } from "./queue.ts";
import type { Specialist } from "./specialist.ts";
import { ended, limitedUntil, type Task, type TaskEvent, type TaskOutcome } from "./task.ts";

/** How long a child that was ended may take to tell what it said. */
const MESSAGES_LIMIT_MS = 5_000;

export interface TaskRun {
  readonly host: Host;
  readonly clock: Clock;
  readonly queue: ReturnType<typeof createQueue>;
  readonly cooldowns: Cooldowns;
  readonly specialist: Specialist;
  readonly candidates: Candidates;
  readonly prompt: string;
  readonly beginning: string;
  readonly vcs: VcsType;
  current(): Task;
  dispatch(event: TaskEvent): void;
  onAttempt(attempt: RunningAttempt | null, ticket: Ticket | null): void;
  /** Set once the task is to end; no further attempt starts. */
  stopped(): Stop | null;
}

/** How a task ends before its specialist does: cancelled, or cut at a bound, where what it has is its result. */
export interface Stop {
  readonly status: "cancelled" | "partial";
  readonly reason: string;
}

/**
 * Takes one task from its first prompt to its outcome: the models of its chain one after the other in the same
 * session, then the contract, then at most one repair (SPEC 4, 6). Never rejects for what a model or provider does.
 */
export async function runTask(run: TaskRun): Promise<TaskOutcome> {
  let prompt = run.prompt;
  const tried: { model: ModelId | null; failure: Task["attempts"][number]["failure"] }[] = [];
  for (;;) {
    const model = nextCandidate(run.candidates, tried);
    if (model === undefined) return failedOutcome(run);
    const result = await tryModel(run, model, prompt);
    const stop = run.stopped();
    if (stop !== null) return stoppedOutcome(run, stop);
    if (result.ok) return settle(run, model, result.turn);
    if (result.failure === "aborted")
      return stoppedOutcome(run, { status: "cancelled", reason: "It was stopped by hand." });
    tried.push({ model, failure: result.failure });
    run.cooldowns.record(model, result.failure, result.until);
    if (result.promptSaved) prompt = CONTINUE_PROMPT;
  }
}

async function tryModel(run: TaskRun, model: ModelId | null, prompt: string): Promise<AttemptResult> {
  const { clock, specialist } = run;
  const text = prompt + renderContractRequest(specialist);
  return runPrompt(run, model, text, (result, startedAt) => {
    // What was stopped has not failed, and nothing is tried again.
    if (!result.ok && (result.failure === "aborted" || run.stopped() !== null)) return;
    const attempt = {
      model,
      failure: result.ok ? null : result.failure,
      message: result.ok ? "" : result.message,
      duration_ms: clock.now() - startedAt,
      ...(result.ok || result.until === undefined ? {} : { until: result.until }),
    };
    run.dispatch({ type: result.ok ? "answered" : "attempt-failed", at: clock.now(), attempt });
  });
}

async function runPrompt(
  run: TaskRun,
  model: ModelId | null,
  text: string,
  report: (result: AttemptResult, startedAt: number) => void,
): Promise<AttemptResult> {
  const { background, attempts } = run.current();
  const beginning = attempts.length === 0 ? run.beginning : "";
  const ticket = run.queue.enter({ background, model, beginning });
  run.onAttempt(null, ticket);
  const { sessionId, agent } = run.current();
  try {
    await ticket.ready;
    const stop = run.stopped();
    if (stop !== null) return { ok: false, failure: "aborted", message: stop.reason, promptSaved: false };
    const startedAt = run.clock.now();
    run.dispatch({ type: "started", at: startedAt, model });
    const attempt = startAttempt(run.host, run.clock, {
      sessionId,
      speaker: { agent, model },
      text,
    });
    run.onAttempt(attempt, ticket);
    const result = await attempt.result;
    report(result, startedAt);
    return result;
  } finally {
    run.onAttempt(null, null);
    ticket.release();
  }
}

/** Reads the contract out of a finished turn; one repair round where it does not fit (SPEC 4). */
async function settle(run: TaskRun, model: ModelId | null, turn: HostTurn): Promise<TaskOutcome> {
  const { contract } = run.specialist;
  if (contract === null) return { ...ended("completed", ""), text: tail(turn.text, MAX_RAW_TEXT) };
  const request = repairRequest(contract, turn);
  if (request === null) return readResult(contract, originOf(run), turn, null);

  run.dispatch({ type: "repairing", at: run.clock.now() });
  const repair = await runPrompt(run, model, request, () => undefined);
  const result = readResult(contract, originOf(run), turn, repair.ok ? repair.turn : null);
  const stop = run.stopped();
  if (stop === null) return result;
  // A cancelled task keeps what it had handed over before.
  return stop.status === "cancelled"
    ? { ...result, status: "cancelled", message: stop.reason }
    : stoppedOutcome(run, stop);
}

/** A task that was ended keeps what it had said; one that never began has said nothing. */
async function stoppedOutcome(run: TaskRun, { status, reason }: Stop): Promise<TaskOutcome> {
  const text = run.current().startedAt === null ? "" : await wordsOf(run);
  const { contract } = run.specialist;
  const found = contract === null || text === "" ? null : evaluateAnswer(contract, { text });
  const answer = found === null ? null : combineRepair(found, null).answer;
  return {
    status,
    message:
      status === "cancelled"
        ? reason
        : `It was ended: ${reason}. What it had is here. Resume with session_id for as much again, or give smaller tasks.`,
    envelope: answer === null ? null : fillEnvelope(originOf(run), answer),
    parseError: found?.status === "invalid" ? found.problems.join("; ") : null,
    text: tail(text, MAX_RAW_TEXT) || null,
  };
}

/** All that the specialist has said in this task; empty when it said nothing or cannot be asked any more. */
async function wordsOf({ host, clock, prompt, current }: TaskRun): Promise<string> {
  const { sessionId } = current();
  try {
    const asked = host.sessions.messages(sessionId);
    const messages = await bounded(asked, MESSAGES_LIMIT_MS, clock, "the words of an ended child");
    const start = messages.findLastIndex(({ role, turn }) => role === "user" && turn.text.includes(prompt));
    const own = messages.slice(start + 1).filter(({ role }) => role === "assistant");
    return own
      .map(({ turn }) => turn.text.trim())
      .filter(Boolean)
      .join("\n\n");
  } catch (error) {
    host.logger.log("debug", "delegation", describeError(error), { sessionId });
    return "";
  }
}

function originOf(run: TaskRun): Origin {
  return { ...run.current(), vcs: run.vcs };
}

async function failedOutcome(run: TaskRun): Promise<TaskOutcome> {
  const { attempts } = run.current();
  const tries = attempts.map((attempt) => `${attempt.model ?? "default model"}: ${attempt.failure ?? "?"}`);
  const last = attempts.at(-1);
  const error = (last?.message ?? "none").replace(/\.?\s*$/, ".");
  const until = limitedUntil(attempts);
  const wait = until === null ? "" : `It answers again at ${clockTime(until)}. `;
  const message =
    `No model could finish this (${tries.join(", ")}). Last error: ${error} ${wait}` +
    `Resume with session_id ${until === null ? "once the cause is gone" : "then"}, or give the task to another specialist.`;
  return { ...ended("failed", message), text: tail(await wordsOf(run), MAX_RAW_TEXT) || null };
}

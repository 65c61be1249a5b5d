import type { DelegationResult } from "../../delegation/result.ts";
import type { Specialist } from "../../delegation/specialist.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import { isRefusal, refuse, type Refusal } from "../../lib/refusal.ts";
import { askLeave, giveTask } from "../give-task.ts";
import type { Run, TaskEnd } from "./run.ts";

const MAX_LINE = 160;
const MAX_PROBLEM = 600;

/** What a specialist is given within a run. */
export interface Given {
  readonly specialist: Specialist;
  readonly title: string;
  readonly prompt: string;
  /** The session to go on in; null for a new one. */
  readonly resume: string | null;
  readonly waveId: string | null;
  /** See `partOfCall`. */
  readonly callId: string;
}

/**
 * Gives a task of the run to a specialist by the rules of every delegation; one whose session is gone begins anew. Never rejects,
 * for others work beside it.
 */
export async function give(run: Run, given: Given): Promise<DelegationResult | Refusal> {
  return tryGive(run, given).catch((error: unknown) => refuse(`It broke off: ${describeError(error)}`));
}

async function tryGive(run: Run, given: Given): Promise<DelegationResult | Refusal> {
  const { runtime, conversation, call, unit } = run;
  const { specialist, title, prompt, waveId, callId } = given;
  let isBegun = false;
  const begin = async (resume: string | null): Promise<DelegationResult | Refusal> => {
    const order = { specialist, title, prompt, resume, background: false, workUnit: unit, waveId };
    const leave = await askLeave(runtime, conversation, order, call, callId);
    if (isRefusal(leave)) return leave;
    isBegun = true;
    return giveTask(runtime, conversation, order, leave, {
      sessionId: call.sessionId,
      callId,
      abort: call.abort,
    });
  };
  const result = await begin(given.resume);
  const isGone = isRefusal(result) && isBegun && given.resume !== null && !call.abort.aborted;
  const settled = isGone ? await begin(null) : result;
  const surfaced: object = await conversation.parts.bringUp.withResult(settled);
  const assumptions = textOf(recordOf(surfaced)["assumptions"]);
  if (assumptions !== undefined) run.notes.push(assumptions);
  return settled;
}

/** What a delegation's result comes to for the plan. What it says of itself is held against its `verify` elsewhere. */
export function endOf(specialist: Specialist, result: DelegationResult | Refusal): TaskEnd {
  const agent = specialist.name;
  if (isRefusal(result)) {
    const problem = `${result.reason} ${result.hint}`.trim();
    return { agent, session: null, state: "broken", line: "", problem, needs: "" };
  }
  const envelope = recordOf(result.parsed_json);
  const errors = Array.isArray(envelope["errors"]) ? envelope["errors"].map(String).join("; ") : "";
  const isWhole = result.status === "completed";
  const isOk = isWhole && envelope["ok"] !== false;
  const hasContract = result.parsed_json !== null || specialist.contract === null;
  const problem = [
    isOk ? "" : errors,
    isWhole ? "" : (result.message ?? result.status),
    hasContract ? "" : (result.parse_error ?? "It returned no contract."),
  ].filter(Boolean);
  const failed = isWhole ? "failed" : result.status === "failed" ? "broken" : "held";
  return {
    agent,
    session: result.session_id,
    state: problem.length === 0 && isOk ? "done" : failed,
    line: lineOf(envelope),
    problem: excerpt(problem.join(" ") || (isOk ? "" : "It says that it is not done."), MAX_PROBLEM),
    needs: excerpt(result.needs ?? "", MAX_PROBLEM),
  };
}

/** The longest text of a contract: each says in one what was done. */
function lineOf(envelope: Record<string, unknown>): string {
  const texts = Object.values(recordOf(envelope["data"])).flatMap((value) => textOf(value) ?? []);
  return excerpt(texts.toSorted((one, other) => other.length - one.length)[0] ?? "", MAX_LINE);
}

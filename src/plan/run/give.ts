import { givesVerdict } from "../../config/roles.ts";
import { isUnreadable, whyNotReviewed } from "../../delegation/read-result.ts";
import type { DelegationResult } from "../../delegation/result.ts";
import { limitedUntil } from "../../delegation/task.ts";
import type { Specialist } from "../../delegation/specialist.ts";
import { describeError, isRefusal, refuse, type Refusal } from "../../lib/error.ts";
import { excerpt, head } from "../../lib/text.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { giveTask, type Order } from "../delegate/give-task.ts";
import { findingsIn, type ReviewFinding } from "../review/findings.ts";
import { conclusionOf, NOT_REVIEWED } from "../review/outcome.ts";
import type { PlanTask } from "../task.ts";
import type { Run, TaskEnd } from "./run.ts";

const MAX_LINE = 160;
const MAX_PROBLEM = 600;
export const MAX_FINDINGS = 4_000;

export interface Objection {
  readonly reviewer: string;
  readonly said: string;
  readonly found: readonly ReviewFinding[];
}

interface Given extends Omit<Order, "background" | "workUnit" | "aids"> {
  readonly skills?: readonly string[];
  /** What one is told in place of it who knows nothing of it, for the session to go on in is gone. */
  readonly afresh?: string;
  readonly callId: string;
}

/** Gives a task by the rules of every delegation; a session that is gone begins anew. Never rejects, for others work beside it. */
export async function give(run: Run, given: Given): Promise<DelegationResult | Refusal> {
  return tryGive(run, given).catch((error: unknown) => refuse(`It broke off: ${describeError(error)}`));
}

async function tryGive(run: Run, { skills, afresh, ...task }: Given): Promise<DelegationResult | Refusal> {
  // The historian writes the record, which stands in the user's tree.
  const home = task.specialist.role === "historian" ? undefined : run.home;
  const order: Order = {
    ...task,
    worktree: task.worktree ?? home,
    aids: { skills },
    background: false,
    workUnit: run.unit,
  };
  const { isBegun, result } = await giveTask(run, order);
  const isGone = isRefusal(result) && isBegun && task.resume !== null && !run.call.abort.aborted;
  const again = { ...order, resume: null, prompt: afresh ?? task.prompt };
  const settled = isGone ? (await giveTask(run, again)).result : result;
  const surfaced: object = await run.conversation.parts.questions.withResult(settled);
  const assumptions = textOf(recordOf(surfaced)["assumptions"]);
  if (assumptions !== undefined) run.notes.push(assumptions);
  const { agent, asks } = endOf(task.specialist, settled);
  // Of what did not end well it is the problem.
  if (!isRefusal(settled) && settled.status === "completed" && settled.message !== undefined)
    run.notes.push(`${agent}: ${settled.message}`);
  if (asks !== "") run.asks.push(`${agent} › ${excerpt(task.title ?? "", MAX_LINE)} asks: ${asks}`);
  return settled;
}

export function brokenEnd(agent: string, problem: string): TaskEnd {
  return { agent, session: null, state: "broken", line: "", problem, findings: "" };
}

/** @param isShown whether it has a `verify`, which also judges who cannot be read and asks nothing */
export function endOf(
  specialist: Specialist,
  result: DelegationResult | Refusal,
  isShown = false,
): TaskEnd & { readonly asks: string } {
  const agent = specialist.name;
  if (isRefusal(result)) return { ...brokenEnd(agent, `${result.reason} ${result.hint}`.trim()), asks: "" };
  const envelope = recordOf(result.parsed_json);
  const errors = Array.isArray(envelope["errors"]) ? envelope["errors"].map(String).join("; ") : "";
  const judges = givesVerdict(specialist.role);
  // Who only judges is judged by no command.
  const isJudged = isShown && isUnreadable(result) && (!judges || specialist.mutates);
  const isWhole = result.status === "completed" || isJudged;
  const isOk = isWhole && envelope["ok"] !== false;
  const hasContract = result.parsed_json !== null || specialist.contract === null;
  const verdict = judges ? (conclusionOf(agent, result.status, envelope)?.verdict ?? null) : null;
  const objects = verdict !== null && verdict !== "APPROVE";
  const isUnseen = judges && !specialist.mutates && verdict === null;
  const problem = [
    isOk ? "" : errors,
    ...(isUnseen
      ? [`${NOT_REVIEWED}: ${whyNotReviewed(result, result.parse_error)}`]
      : [
          isWhole ? "" : (result.message ?? result.status),
          hasContract || isJudged ? "" : (result.parse_error ?? "It returned no contract."),
        ]),
  ].filter(Boolean);
  const findings = objects ? sayingOf(result) : "";
  const failed = isWhole ? "failed" : result.status === "failed" ? "broken" : "held";
  const until = failed === "broken" ? limitedUntil(result.attempts) : null;
  return {
    agent,
    session: result.session_id,
    state: problem.length === 0 && isOk && !objects ? "done" : failed,
    line: hasContract ? lineOf(envelope) : excerpt(result.raw_text ?? "", MAX_LINE),
    problem: excerpt(
      findings || problem.join(" ") || (isOk ? "" : "It says that it is not done."),
      MAX_PROBLEM,
    ),
    // What a reviewer lacks who objects is said by the objection.
    asks: objects ? "" : excerpt(listOf(envelope["questions"]).map(String).join(" "), MAX_PROBLEM),
    findings,
    ...(until === null ? {} : { limitedUntil: until }),
    ...(objects ? { found: findingsIn(envelope["data"]) } : {}),
  };
}

/** What a reviewer says, on one line; what is empty in it goes without saying. */
export function sayingOf(result: DelegationResult): string {
  const { data, outcome } = recordOf(result.parsed_json);
  // What fits no contract was left out of it, and may be what it is about.
  const raw = data === undefined || isUnreadable(result) ? (result.raw_text ?? "") : "";
  const said =
    raw === "" ? { ...recordOf(outcome), ...recordOf(data) } : { reason: recordOf(outcome)["reason"] };
  const words = Object.entries(said)
    .map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const)
    .filter(([, text]) => !["", "[]", "{}", "null", undefined].includes(text))
    .map(([name, text]) => (name === "verdict" ? text : `${name}: ${text}`));
  return head([...words, raw].filter(Boolean).join("; "), MAX_FINDINGS);
}

/** The longest text of a contract: each says in one what was done. */
function lineOf(envelope: Record<string, unknown>): string {
  const texts = Object.values(recordOf(envelope["data"])).flatMap((value) => textOf(value) ?? []);
  return excerpt(texts.toSorted((one, other) => other.length - one.length)[0] ?? "", MAX_LINE);
}

/** Of more tasks beside one another, and of parts of one, only the files are named, which is what matters of them. */
const MAX_TITLES = 6;
const MAX_BESIDE_LINE = 200;
const MAX_PLACE = 100;
const MAX_PLACES = 2_400;

/** @param now its files as they are @param beside tasks that others work on meanwhile */
export function renderAssignment(
  { text, files = [], verify, details }: PlanTask,
  now: string,
  beside: readonly PlanTask[],
): string {
  const isMany = beside.length > MAX_TITLES;
  const places = beside.map((task) => {
    const title = `${task.number}. ${excerpt(task.text, MAX_BESIDE_LINE)}`;
    const named = (task.files ?? []).length === 0 ? title : `${title} (${placeOf(task)})`;
    return `- ${isMany || task.each !== undefined ? placeOf(task) : named}`;
  });
  const lines = [
    `TASK: ${text}`,
    details.trim(),
    files.length === 0 ? "" : `Its files: ${files.join(", ")}`,
    now,
  ];
  const proof = `EXPECTED\n\`${verify}\` passes. It is run for you once all of this wave have handed over, and comes back where it fails.`;
  return [
    lines.filter(Boolean).join("\n"),
    verify === undefined ? "" : proof,
    places.length === 0
      ? ""
      : `MUST NOT\nRepair what others work on beside you:\n${head(places.join("\n"), MAX_PLACES)}`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

export function renderGoOn(task: PlanTask): string {
  return `TASK: ${task.text}\nYou had begun this and were interrupted. Look at what stands in the files, finish what is missing, and hand over the whole.`;
}

export const LOOK_AGAIN =
  "TASK: Look again: what you found was sent back and changed since. Judge it as it is now.";

/** For a reviewer who may not know any more what they found, or for another in their place; empty for nothing. */
export function renderFound(found: string): string {
  return found === "" ? "" : `FOUND BEFORE, by you or another in your place\n${found}`;
}

export function renderFix(task: PlanTask, problem: string): string {
  return `TASK: ${task.text}\nIt is not done yet. Find the cause, fix it within the task, and hand over again.\n${problem}`;
}

/** Where someone works: the files, or what it is about where the plan names none. */
function placeOf({ text, files = [] }: PlanTask): string {
  return excerpt(files.length === 0 ? text : files.join(", "), MAX_PLACE);
}

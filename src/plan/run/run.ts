import type { JudgedClaim } from "../../checks/evidence/claims.ts";
import { excerpt } from "../../lib/text.ts";
import type { PlanTask } from "../task.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import { refuseBeginning } from "../../conversation/planning/stage.ts";
import type { ChildWorktree } from "../../delegation/child-session.ts";
import { describeError, refuse, type Refusal } from "../../lib/error.ts";
import type { StandingPlan } from "../../record/workspace.ts";
import { lookAtHead } from "../../commit/refs.ts";
import type { PlanCall } from "../operations/ask.ts";
import type { ReviewFinding } from "../review/findings.ts";

export interface TaskEnd {
  readonly agent: string;
  readonly session: string | null;
  /** `held`: stopped for a check-in or a bound, and goes on in its session; `broken`: nothing came of it that could be fixed. */
  readonly state: "done" | "failed" | "held" | "broken";
  readonly line: string;
  readonly problem: string;
  /** When a provider answers again that answers nothing now, in milliseconds since the epoch. */
  readonly limitedUntil?: number;
  /** What a reviewer says who objects; empty for an approval, and for everyone else. */
  readonly findings: string;
  readonly found?: readonly ReviewFinding[];
}

/** One call of `plan_gaia run`, with what it has come to. */
export interface Run extends PlanCall {
  readonly unit: string;
  /** What was checked out when it began there, by the top of the tree; see `lookAtHead`. */
  readonly heads: Map<string, string | null>;
  /** The wave after which it returns; null for all. */
  readonly to: string | null;
  /** Where the user wants the change committed: with which message, empty for one to be found. */
  readonly commit: { readonly message: string } | null;
  /** Where everyone works whose task has no worktree of its own; undefined for the user's tree. */
  readonly home: ChildWorktree | undefined;
  readonly ends: Map<number, TaskEnd>;
  /** What specialists asked, whether they finished or not: no further try answers it. */
  readonly asks: string[];
  /** What has come of its record, once that was begun. */
  readonly recorded: { end: Promise<TaskEnd | null> | null };
  /** What reviewers said, and what else the report holds, in the order in which it came. */
  readonly notes: string[];
}

/** A run of which nothing has been done. */
export function newRun({ runtime, conversation, call }: PlanCall, unit: string): Run {
  return {
    runtime,
    conversation,
    call,
    unit,
    heads: new Map(),
    to: null,
    commit: null,
    home: undefined,
    ends: new Map(),
    asks: [],
    recorded: { end: null },
    notes: [],
  };
}

/** The plan as it reads now. @throws Error when it cannot be read any more */
export async function planNow({ runtime, unit }: Pick<Run, "runtime" | "unit">): Promise<StandingPlan> {
  const plan = await runtime.workspace.planStanding({ slug: unit });
  if (!plan.ok) throw new Error(`${plan.error} ${plan.hint}`);
  return plan;
}

export function byNumber(ends: ReadonlyMap<number, TaskEnd>): readonly (readonly [number, TaskEnd])[] {
  return [...ends].toSorted(([one], [other]) => one - other);
}

/** Why a run returns before the plan is carried out: any refusal, for which a person is needed unless it says otherwise. */
export interface Halt extends Refusal {
  /** `decision`: GAIA has to change the plan or tell the user; `stopped`: the user stopped it. */
  readonly status?: "decision" | "stopped";
  /** The user has it on their screen already, or has said so themselves. */
  readonly shown?: true;
  readonly denied?: true;
  /** It ends without anyone's doing. */
  readonly passes?: true;
}

/** GAIA has to change the plan or tell the user. @param hint what to do now */
export function needsDecision(reason: string, hint: string, details?: object): Halt {
  return { ...refuse(reason, hint, details), status: "decision" };
}

/** Nothing may be changed now; what holds the run says why. */
export const HELD: Halt = refuse("Nothing may be changed now.");

const AGAIN = "plan_gaia run goes on from there";

export function brokeOff(error: unknown): Halt {
  return needsDecision(`The run broke off: ${describeError(error)}`, "Run again, or tell the user.");
}

export function carriedOutElsewhere(unit: string): Halt {
  const why = `The plan of ${unit} is being carried out in another conversation.`;
  const next = `Tell the user, and end your turn: it comes to its end there, or they stop it there with Esc; then ${AGAIN}.`;
  return { ...refuse(why, next), passes: true };
}

/** What keeps the plan from going on until someone does something about it, and is told nowhere else; null for nothing. */
export function standstillOf(halt: Halt | null): string | null {
  if (halt === null || halt.status === "stopped") return null;
  const isKnown = halt.shown === true || halt.denied === true || halt.passes === true;
  return isKnown ? null : halt.reason;
}

/** Whether another branch was checked out since the run began, or its folder is gone: what follows would be done, and committed, there. */
export function elsewhere({ conversation, heads }: Pick<Run, "conversation" | "heads">): Halt | null {
  const { worktree } = conversation.tree.place;
  const now = lookAtHead(worktree);
  const began = heads.get(worktree) ?? null;
  if (began === null) heads.set(worktree, now);
  const isCommit = (head: string): boolean => /^[0-9a-f]{40,64}$/u.test(head);
  if (began === null || began === now || (now !== null && isCommit(began) && isCommit(now))) return null;
  if (now === null)
    return refuse(
      `BLOCKED: ${worktree} is gone, in which the work stood. What was committed is on ${began}.`,
      `Tell the user; ${AGAIN}, with what is committed. What else was done is to be done anew.`,
    );
  const [from, to] = [began, now].map((head) => (isCommit(head) ? "no branch" : head));
  return refuse(
    `Another branch was checked out during the run: it began on ${from}, and the project is on ${to} now.`,
    `Tell the user; ${AGAIN}, on the branch that is checked out then.`,
  );
}

/** Whether the user has stopped the run, or is to be heard first: nothing further is begun then. */
export function isHeldUp({ conversation, call }: Pick<Run, "conversation" | "call">): boolean {
  return call.abort.aborted || conversation.state.pause !== null;
}

/** What specialists wait for an answer to; null for nothing. */
export function askOf({ asks }: Pick<Run, "asks">): Halt | null {
  return asks.length === 0
    ? null
    : refuse(asks.join("; "), "Answer it in the plan, or ask the user; then run again.");
}

/** Whether a run has to end here: asked before everything that it begins (SPEC 8). */
export function whyHalt(
  { state, parts }: Pick<Conversation, "state" | "parts">,
  plan: StandingPlan,
  abort: AbortSignal,
): Halt | null {
  const shown = true;
  if (abort.aborted)
    return { ...refuse("The user stopped the run.", "End your turn."), status: "stopped", shown };
  const { mode } = state.knobs;
  if (mode === "locked") {
    const next = `The user unlocks with /supervised or /autopilot; ${AGAIN}.`;
    return { ...refuse("The session is locked.", next), shown };
  }
  if (state.pause !== null) {
    const { reason, detail } = state.pause;
    const why =
      reason === "blocked" ? `BLOCKED: ${detail}` : `A check-in is due (${reason}). ${detail}`.trim();
    const next = `End your turn: the user answers with /next or feedback; then ${AGAIN}.`;
    return { ...refuse(why, next), ...(reason === "abort" ? { status: "stopped" } : {}), shown };
  }
  return refuseBeginning(parts.planning.stage(), plan, state);
}

export type RunReport = ReturnType<typeof renderReport>;

const MAX_LINE = 300;
const MAX_NOTES = 12;

const FINISHED =
  "Tell the user in a few plain sentences what changed, how it was verified and what is open; /gaia-unify closes the unit.";

export function renderReport(
  { unit, ends, notes }: Pick<Run, "unit" | "ends" | "notes">,
  halt: Halt | null,
  tasks: readonly PlanTask[],
  claims: readonly JudgedClaim[],
) {
  const open = tasks.filter(({ done }) => !done).map(({ number }) => number);
  const lines = byNumber(ends).map(([number, { agent, session, state, line, problem }]) => {
    const claim = claims.find(({ id }) => id === `task ${number}`);
    const isDone = tasks.some((task) => task.number === number && task.done);
    const proof = claim === undefined || !isDone ? "" : `, ${claim.standing}`;
    const where = isDone ? "" : ` in ${session ?? "no session"}`;
    const isOpen = !isDone && problem !== "";
    const words = isOpen && line !== "" ? `${problem} It said: ${line}` : (isOpen && problem) || line;
    return excerpt(`${number} ${isDone ? "done" : state}${proof}, ${agent}${where}: ${words}`, MAX_LINE);
  });
  const whole = open.length > 0 ? "plan_gaia run goes on with what is open." : FINISHED;
  return {
    ok: halt === null,
    status: halt === null ? "finished" : (halt.status ?? "user"),
    unit,
    ...(halt === null ? {} : { why: halt.reason, ...halt.details }),
    next: halt === null ? whole : halt.hint || `${AGAIN} once that is settled.`,
    ...(halt?.shown === true ? { shown: true } : {}),
    ...(halt?.denied === true ? { denied: true } : {}),
    open,
    tasks: lines,
    ...(notes.length === 0 ? {} : { notes: notes.slice(-MAX_NOTES).map((note) => excerpt(note, MAX_LINE)) }),
  };
}

import type { JudgedClaim } from "../../checks/evidence/claims.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { PlanTask } from "../../plan/task.ts";
import type { Halt } from "./halt.ts";
import { inOrder, type TaskEnd } from "./run.ts";

/** What `plan_gaia run` returns: what became of each task that it worked on, and what to do now. */
export interface RunReport {
  readonly ok: boolean;
  readonly status: "finished" | Halt["status"];
  readonly unit: string;
  readonly why?: string;
  readonly next: string;
  /** See {@link Halt}. */
  readonly shown?: true;
  readonly open: readonly number[];
  /** A line for each task that was worked on. */
  readonly tasks: readonly string[];
  readonly notes?: readonly string[];
}

const MAX_LINE = 300;
const MAX_NOTES = 12;
const FINISHED =
  "Tell the user in a few plain sentences what changed, how it was verified and what is open; /gaia-unify closes the unit.";

export interface RunOutcome {
  readonly unit: string;
  readonly halt: Halt | null;
  readonly tasks: readonly PlanTask[];
  readonly ends: ReadonlyMap<number, TaskEnd>;
  readonly claims: readonly JudgedClaim[];
  readonly notes: readonly string[];
}

export function renderReport({ unit, halt, tasks, ends, claims, notes }: RunOutcome): RunReport {
  const open = tasks.filter(({ done }) => !done).map(({ number }) => number);
  const lines = inOrder(ends).map(([number, { agent, session, state, line, problem }]) => {
    const claim = claims.find(({ id }) => id === `task ${number}`);
    const isDone = tasks.some((task) => task.number === number && task.done);
    const proof = claim === undefined || !isDone ? "" : `, ${claim.standing}`;
    const where = isDone ? "" : ` in ${session ?? "no session"}`;
    const isOpen = !isDone && problem !== "";
    const words = isOpen && line !== "" ? `${problem} It said: ${line}` : (isOpen && problem) || line;
    return excerpt(`${number} ${isDone ? "done" : state}${proof}, ${agent}${where}: ${words}`, MAX_LINE);
  });
  return {
    ok: halt === null,
    status: halt?.status ?? "finished",
    unit,
    ...(halt === null ? {} : { why: halt.why }),
    next: halt?.next ?? (open.length === 0 ? FINISHED : "plan_gaia run goes on with what is open."),
    ...(halt?.shown === true ? { shown: true } : {}),
    ...(halt?.denied === true ? { denied: true } : {}),
    open,
    tasks: lines,
    ...(notes.length === 0 ? {} : { notes: notes.slice(-MAX_NOTES).map((note) => excerpt(note, MAX_LINE)) }),
  };
}

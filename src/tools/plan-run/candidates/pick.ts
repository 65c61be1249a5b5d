import { askApproval } from "../../../conversation/approvals/ask-approval.ts";
import { isRefusal } from "../../../lib/refusal.ts";
import type { PlanTask } from "../../../plan/task.ts";
import type { Run } from "../run.ts";
import type { Judged } from "./evidence.ts";
import type { OthersTests } from "./others-tests.ts";

/** What lands. */
export interface Picked {
  readonly chosen: Judged;
  readonly by: "user" | "autopilot";
  /** Of others, with it; null for none. */
  readonly tests: OthersTests | null;
}

/**
 * Which candidate is kept: in autopilot the recommended one, else as the user says in OpenCode's dialog. A no takes none, unless
 * its words are the number of one that passes, which comes without the tests of others then.
 * @param tests of others that may come with the recommended one
 * @returns null where none is taken
 */
export async function pick(
  { runtime, conversation, call, unit }: Run,
  task: PlanTask,
  passing: readonly Judged[],
  recommended: Judged,
  tests: OthersTests,
): Promise<Picked | null> {
  const others = passing.filter((each) => each !== recommended).map(({ candidate }) => candidate);
  const { paths, isPlannedOnly } = tests;
  const title = `${recommended.candidate} for task ${task.number} (recommended)`;
  const covers = [
    paths.length === 0
      ? ""
      : `with ${paths.length} of the others' test files, which pass on it; say no with ${recommended.candidate} for it alone`,
    others.length === 0 ? "" : `for another that passes (${others.join(", ")}) say no with its number`,
  ]
    .filter(Boolean)
    .join("; ");
  const approval = await askApproval(
    conversation,
    runtime.supervision.dialogs,
    { kind: "candidate", workUnit: unit, title, ...(covers === "" ? {} : { covers }) },
    call,
  );
  if (!isRefusal(approval)) {
    const isCovered = approval.by === "user" || isPlannedOnly;
    return { chosen: recommended, by: approval.by, tests: paths.length > 0 && isCovered ? tests : null };
  }
  const named = numberIn(approval.words ?? "", task.number);
  const chosen = passing.find(({ candidate }) => candidate === named);
  return chosen === undefined ? null : { chosen, by: "user", tests: null };
}

/** The candidate whose number a person's words are, alone or behind that of its task; null for any other words. */
export function numberIn(words: string, task: number): number | null {
  const [, of, candidate] = /^(?:(\d+)\.)?(\d)$/u.exec(words.trim()) ?? [];
  return candidate === undefined || (of !== undefined && Number(of) !== task) ? null : Number(candidate);
}

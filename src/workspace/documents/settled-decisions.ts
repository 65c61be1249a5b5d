import type { Approval } from "./approvals.ts";
import { type Decision, isApprovalDialog, OVERTURNED } from "./decision.ts";

/**
 * The rows with the outcome that holds: a rejection is {@link OVERTURNED} where the same was approved after it. Pure.
 * @param approvals of the unit's log
 */
export function settleDecisions<Row extends Decision>(
  rows: readonly Row[],
  approvals: readonly Approval[],
): Row[] {
  const given = [...approvals, ...rows.filter((row) => isAnswer(row, "approved"))];
  return rows.map((row) => {
    const isOverturned =
      isAnswer(row, "rejected") &&
      given.some((yes) => isSameSubject(yes.question, row.question) && !isBefore(yes.date, row.date));
    return isOverturned ? { ...row, choice: OVERTURNED } : row;
  });
}

/** Whether two dialogs were about the same: a plan or a wave may have got another title meanwhile. */
export function isSameSubject(one: string, other: string): boolean {
  return subjectOf(one) === subjectOf(other);
}

function subjectOf(question: string): string {
  const asked = question.replace(/\?$/u, "");
  return /^(Approve (?:the plan|wave \S+))(?: \([^]*\))?$/u.exec(asked)?.[1] ?? asked;
}

function isAnswer({ question, choice }: Decision, wanted: "approved" | "rejected"): boolean {
  return choice === wanted && isApprovalDialog(question);
}

/** By what both say of their time: a day alone is before no time of it. */
function isBefore(one: string, other: string): boolean {
  const length = Math.min(one.length, other.length);
  return one.slice(0, length) < other.slice(0, length);
}

import type { Conversation } from "../../conversation/conversation.ts";
import type { ChildWorktree } from "../../delegation/child-session.ts";
import type { ToolCall } from "../../host/port.ts";
import type { Runtime } from "../../runtime.ts";
import type { ReviewFinding } from "../../review/review-findings.ts";
import type { RunRecord } from "./record-work.ts";
import type { StandingPlan } from "../../record/operations/approvals.ts";

/** How a task of the plan has ended in this run. */
export interface TaskEnd {
  readonly agent: string;
  /** The specialist's session; null where none was opened. */
  readonly session: string | null;
  /**
   * `held`: it stopped before its end, for a check-in or a bound, and goes on in its session; `broken`: nothing came of it that
   * could be fixed.
   */
  readonly state: "done" | "failed" | "held" | "broken";
  /** What was done, in the specialist's words. */
  readonly line: string;
  /** What is wrong; empty where nothing is. */
  readonly problem: string;
  /** What it asks or lacks; empty for nothing. */
  readonly needs: string;
  /** When a provider answers again that answers nothing now, in milliseconds since the epoch. */
  readonly limitedUntil?: number;
  /** What a reviewer says who objects; empty for an approval, and for everyone else. */
  readonly findings: string;
  /** The same as its contract lists it, as far as it does. */
  readonly found?: readonly ReviewFinding[];
}

/** One call of `plan_gaia run`, with what it has come to. */
export interface Run {
  readonly runtime: Runtime;
  readonly conversation: Conversation;
  readonly call: ToolCall;
  readonly unit: string;
  /** What was checked out when it began there, by the top of the tree; see `lookAtHead`. */
  readonly heads: Map<string, string | null>;
  /** The wave after which it returns; null for all. */
  readonly to: string | null;
  /** Where the user wants the change committed: with which message, empty for one to be found. */
  readonly commit: { readonly message: string } | null;
  /** Where everyone works whose task has no worktree of its own; undefined for the user's tree. */
  readonly home: ChildWorktree | undefined;
  /** By the task's number. */
  readonly ends: Map<number, TaskEnd>;
  /** Risky places of the change that a reviewer has seen. */
  readonly reviewed: Set<string>;
  readonly record: RunRecord;
  /** What reviewers said, and what else the report holds, in the order in which it came. */
  readonly notes: string[];
}

/** The plan as it reads now. @throws Error when it cannot be read any more */
export async function planNow({ runtime, unit }: Pick<Run, "runtime" | "unit">): Promise<StandingPlan> {
  const plan = await runtime.workspace.planStanding({ slug: unit });
  if (!plan.ok) throw new Error(`${plan.error} ${plan.hint}`);
  return plan;
}

/** Whether a person has approved the plan as it reads, with its commands; no plan is nobody's. */
export async function isPlanByPerson({ runtime, unit }: Pick<Run, "runtime" | "unit">): Promise<boolean> {
  const plan = await runtime.workspace.planStanding({ slug: unit });
  return plan.ok && plan.standing === "approved" && plan.by === "user";
}

/** Ends by the tasks' numbers: specialists who work side by side end in any order. */
export function inOrder(ends: ReadonlyMap<number, TaskEnd>): readonly (readonly [number, TaskEnd])[] {
  return [...ends].toSorted(([one], [other]) => one - other);
}

import type { TextSpan } from "../lib/markdown.ts";
import { KEYS, renderValue, type Values } from "./fields.ts";

/** The states of a plan, in their order. */
export const PLAN_STATUSES = ["draft", "approved", "in-progress", "complete"] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** One task of a plan. */
export interface PlanTask extends Omit<Values, "needs" | "skills"> {
  readonly number: number;
  readonly text: string;
  readonly done: boolean;
  /** Numbers of the tasks that have to be done before this one. */
  readonly needs: readonly number[];
  readonly skills: readonly string[];
  /** What else is indented below it, as it reads; at most 8,000 characters. */
  readonly details: string;
}

/** One thing that must be true when the goal is reached. */
export interface PlanCondition {
  /** Its place, from 1. */
  readonly number: number;
  /** As it is written, without its box. */
  readonly text: string;
  readonly done: boolean;
  /** What shows it; null for a condition in words. */
  readonly command: string | null;
}

/** A line that is not in the grammar. */
export interface PlanError {
  /** From 1, both. */
  readonly line: number;
  readonly column: number;
  /** What is wrong and what is accepted. */
  readonly message: string;
  /** What to write in the place of `count` lines from this one on; nothing for lines that go. */
  readonly fix: readonly string[];
  readonly count: number;
}

/** A plan as it reads. One with errors has neither tasks nor conditions: a wrong plan is never half read. */
export interface Plan {
  readonly title: string;
  /** Null without a status line. */
  readonly status: PlanStatus | null;
  readonly tasks: readonly PlanTask[];
  readonly conditions: readonly PlanCondition[];
  /** Where each task stands. */
  readonly places: readonly TextSpan[];
  /** In the order of their lines. */
  readonly errors: readonly PlanError[];
}

/** A task as it is written. */
export function renderTask(task: PlanTask): string[] {
  const values = KEYS.flatMap((key) => renderValue(key, task[key]).map((value) => `  - ${key}: ${value}`));
  // Deeper where its first line would be read as a key.
  const indent = task.details.startsWith("- ") ? "    " : "  ";
  const details = task.details === "" ? [] : task.details.split("\n").map((line) => line && indent + line);
  return [`- [${task.done ? "x" : " "}] ${task.number}. ${task.text}`, ...values, ...details];
}

import * as z from "zod/mini";
import { excerpt } from "../lib/excerpt.ts";
import { isRecord, textOf, type JsonRecord } from "../lib/json.ts";

/** Characters of a goal: OpenCode prints it in the row of the call, and the rest of the task only in the child's session. */
const MAX_GOAL = 300;

const text = z.optional(z.string());

/** What a specialist is to do. Only primitive arguments are printed beside the call, so the goal alone is one. */
export const TASK_ARGS = {
  goal: z
    .string()
    .check(z.refine(isGoal, `one sentence of at most ${MAX_GOAL} characters; the rest belongs into task`)),
  task: z.optional(z.object({ context: text, must: text, must_not: text, expected: text })),
};

/** The arguments of {@link TASK_ARGS}, as they were checked. */
export type DelegatedTask = z.infer<z.ZodMiniObject<typeof TASK_ARGS>>;

/** Checked by hand, for what stands in a schema is paid for with each request. */
function isGoal(goal: string): boolean {
  return goal.trim() !== "" && goal.length <= MAX_GOAL;
}

/** The task in the words that the specialist reads. */
export function renderTask({ goal, task = {} }: DelegatedTask): string {
  const { context, must, must_not: mustNot, expected } = task;
  // A whole prompt brings its own headings along.
  const isHeaded = /^[A-Z][A-Z ]+:?(?:\s|$)/.test(context ?? "");
  return [
    `TASK: ${goal}`,
    context === undefined || isHeaded ? context : `CONTEXT: ${context}`,
    must === undefined ? "" : `MUST DO: ${must}`,
    mustNot === undefined ? "" : `MUST NOT: ${mustNot}`,
    expected === undefined ? "" : `EXPECTED: ${expected}`,
  ]
    .filter(Boolean)
    .join("\n");
}

/** Other forms that plainly mean a task: all of it as one text, lists for texts, the goal within the task. */
export function tidyTask({ prompt, goal, task, ...rest }: JsonRecord): JsonRecord {
  const whole = textOf(prompt) ?? textOf(task);
  if (whole !== undefined) {
    return { ...rest, ...(goal === undefined ? readPrompt(whole) : { goal, task: { context: whole } }) };
  }
  if (!isRecord(task)) return { ...rest, goal, task };
  const { goal: inner, must_do: must, ...parts } = task;
  const texts = Object.entries(must === undefined ? parts : { must, ...parts });
  return {
    ...rest,
    goal: goal ?? inner,
    task: Object.fromEntries(texts.map(([name, value]) => [name, asText(value)])),
  };
}

function readPrompt(whole: string): JsonRecord {
  const [first = "", ...others] = whole.trim().split("\n");
  const goal = first.replace(/^TASK:\s*/i, "").trim();
  const fits = goal.length > 0 && goal.length <= MAX_GOAL;
  const context = fits ? others.join("\n").trim() : whole;
  return { goal: excerpt(goal || whole, MAX_GOAL), ...(context === "" ? {} : { task: { context } }) };
}

function asText(value: unknown): unknown {
  return Array.isArray(value) ? value.map((each) => `- ${String(each)}`).join("\n") : value;
}

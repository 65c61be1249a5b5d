import * as z from "zod/mini";

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
export function renderDelegatedTask({ goal, task = {} }: DelegatedTask): string {
  const { context, must, must_not: mustNot, expected } = task;
  return [
    `TASK: ${goal}`,
    context === undefined ? "" : `CONTEXT: ${context}`,
    must === undefined ? "" : `MUST DO: ${must}`,
    mustNot === undefined ? "" : `MUST NOT: ${mustNot}`,
    expected === undefined ? "" : `EXPECTED: ${expected}`,
  ]
    .filter(Boolean)
    .join("\n");
}

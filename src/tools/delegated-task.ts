import * as z from "zod/mini";

/** Characters of a goal: OpenCode prints it in the row of the call, and the rest of the task only in the child's session. */
const MAX_GOAL = 300;

const text = z.optional(z.string());

/** What a specialist is to do. Only primitive arguments are printed beside the call, so the goal alone is one. */
export const TASK_ARGS = {
  // Checked by hand, for what stands in a schema is paid for with each request.
  goal: z
    .string()
    .check(
      z.refine(
        (goal) => goal.trim() !== "" && goal.length <= MAX_GOAL,
        `one sentence of at most ${MAX_GOAL} characters; the rest belongs into task`,
      ),
    ),
  task: z.optional(z.object({ context: text, must: text, must_not: text, expected: text })),
};

const HEADS = { context: "CONTEXT", must: "MUST DO", must_not: "MUST NOT", expected: "EXPECTED" } as const;

/** The task in the words that the specialist reads. */
export function renderDelegatedTask({ goal, task }: z.infer<z.ZodMiniObject<typeof TASK_ARGS>>): string {
  const parts = Object.entries(HEADS).flatMap(([name, head]) => {
    const said = task?.[name as keyof typeof HEADS];
    return said === undefined ? [] : [`${head}: ${said}`];
  });
  return [`TASK: ${goal}`, ...parts].join("\n");
}

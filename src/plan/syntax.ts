/** How a task is written, for a model. */
export const TASK_SYNTAX =
  "Under ## Tasks: `- [ ] 1. What, and where`; indented below `- agent: …`, `- files: a.ts, b.ts`, `- needs: 1` or `- wave: 1`, `- verify: command`.";

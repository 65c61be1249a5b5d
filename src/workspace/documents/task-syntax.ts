/** How a task is written, for a model. */
export const TASK_SYNTAX =
  "Under ## Tasks: `- [ ] 1. What, and where`; indented below `- agent: …`, `- files: …`, `- needs: 1` or `- wave: w1`, `- verify: command`. Shared agent or verify: once, above them.";

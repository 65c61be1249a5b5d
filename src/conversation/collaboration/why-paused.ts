import type { Pause } from "./state.ts";

/** Why nothing may change now and what the agent does instead; for the model. */
export function whyPaused(pause: Pause): string {
  const why = {
    step: "check-in due",
    batch: "check-in due",
    wave: "check-in due",
    budget: `budget used up (${pause.detail}), check-in due`,
    abort: "the user stopped this run",
    blocked: `the work is BLOCKED (${pause.detail})`,
  }[pause.reason];
  return `${why}: return your contract now. Reading still works; changes are allowed again once the user answers.`;
}

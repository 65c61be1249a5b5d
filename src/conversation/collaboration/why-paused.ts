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

/** The same for GAIA, who talks to the user herself. */
export function whyPausedForGaia(pause: Pause): string {
  if (pause.reason === "blocked") {
    return `the work is BLOCKED: ${pause.detail} Tell the user the reason and the next step and end your turn; their answer opens it again. Delegations to read-only specialists still work.`;
  }
  const why = pause.reason === "abort" ? "the user stopped this run" : "check-in due";
  return `${why}: end your turn now. The user answers with /next or feedback; delegations to read-only specialists still work.`;
}

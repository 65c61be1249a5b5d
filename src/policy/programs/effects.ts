import { type Effect, isGraver } from "../examination.ts";
import type { Call, Problem, Program } from "./program.ts";

/** The gravest of several effects; `read` of none. */
export function worst(effects: readonly Effect[]): Effect {
  return effects.reduce<Effect>((gravest, effect) => (isGraver(effect, gravest) ? effect : gravest), "read");
}

/** A program that is known to read in some ways, and to change in others: what it only reads counts first. */
export function orElse(reads: Program, changes: Program): Program {
  return (call: Call): Problem | undefined => {
    const problem = reads(call);
    if (typeof problem !== "string") return problem;
    const change = changes(call);
    return change === undefined || typeof change === "string" ? problem : change;
  };
}

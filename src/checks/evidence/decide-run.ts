import type { Examination } from "../../policy/examination.ts";
import { refuseCheck } from "../refuse-check.ts";

/** Whether the host runs a command of a plan, and whether it needs its containment for it. */
export type RunDecision =
  | { readonly kind: "run"; readonly contained: "never" | "if-possible" | "only" }
  | { readonly kind: "refused"; readonly why: string };

/** What is true when a plan's command is to be run. */
export interface RunFacts {
  readonly isLocked: boolean;
  /** Whether changes inside the project are answered for the user: autopilot, an approved wave, or an approved plan. */
  readonly isCovered: boolean;
}

/**
 * A plan is a model's text, so that its commands are judged like the commands of a model (SPEC 9): reading and checks run in
 * every mode, what changes the project where the user is not asked for that, what cannot be told only contained.
 */
export function decideRun(examination: Examination, { isLocked, isCovered }: RunFacts): RunDecision {
  const refusal = refuseCheck(examination, isLocked);
  if (refusal !== null) return { kind: "refused", why: `it ${refusal}` };
  const { effect, isCheck, reason, isAllowed } = examination;
  if (effect === "read" || isCheck || isAllowed) return { kind: "run", contained: "never" };
  if (isCovered && effect === "project") return { kind: "run", contained: "if-possible" };
  if (isCovered && effect === "unknown") return { kind: "run", contained: "only" };
  return { kind: "refused", why: `the plugin does not run it by itself (${reason || effect})` };
}

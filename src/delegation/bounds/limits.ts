import type { Repeated } from "./repeats.ts";

/** The same call with the same result this often is a loop. */
export const MAX_REPEATS = 5;

/**
 * Turns in a row of which nothing may come: the host asks again where an answer breaks off, and compacts again where the context
 * is too large for the model.
 */
export const MAX_BARREN = 4;

/** How much one run may use. */
export interface RunLimits {
  /** Turns of the model, and the setting that says so. */
  readonly steps: number;
  readonly stepsKey: string;
  readonly requests: number;
  /** Input and output; what the provider had cached is not counted. */
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
}

/**
 * The limits of an agent's runs.
 * @param steps undefined for an agent without a bound of its own
 * @param budget of a task; null where only the turns are bounded
 */
export function runLimits(
  agent: string,
  steps: number | undefined,
  budget: { readonly maxRequests: number; readonly maxTokens: number; readonly maxCost: number } | null,
): RunLimits {
  return {
    steps: steps ?? Infinity,
    stepsKey: `agents.${agent}.steps`,
    requests: budget?.maxRequests ?? Infinity,
    tokens: budget?.maxTokens ?? Infinity,
    cost: budget?.maxCost ?? Infinity,
  };
}

/** What a run has used before the step that is asked about. */
export interface RunUse {
  readonly steps: number;
  readonly requests: number;
  readonly tokens: number;
  readonly cost: number;
  readonly repeated: Repeated | null;
  /** Turns in a row of which nothing came. */
  readonly barren: number;
}

/** Why a run may take no further step, for anyone who reads it; null when it may. Pure. */
export function reachedBound(use: RunUse, limits: RunLimits): string | null {
  if (use.repeated !== null && use.repeated.times >= MAX_REPEATS)
    return `the same call of ${use.repeated.tool} gave the same result ${use.repeated.times} times over`;
  if (use.barren >= MAX_BARREN)
    return `nothing came of ${use.barren} model turns in a row: answers broke off, or the context is too large for the model`;
  if (use.steps >= limits.steps) return `${limits.steps} model turns are the bound (${limits.stepsKey})`;
  if (use.requests >= limits.requests)
    return `${limits.requests} requests are the bound (delegation.maxRequests)`;
  if (use.tokens >= limits.tokens)
    return `${use.tokens} tokens are used, ${limits.tokens} are the bound (delegation.maxTokens)`;
  if (use.cost >= limits.cost)
    return `${use.cost.toFixed(2)} dollars are spent, ${limits.cost} are the bound (delegation.maxCost)`;
  return null;
}

import type { ToolFact } from "./batch.ts";
import type { CollaborationDefaults } from "./defaults.ts";
import type { BudgetName } from "./effects.ts";
import type { CollaborationEvent } from "./events.ts";
import { turnKnobs } from "./knob-transitions.ts";
import { type Outcome, inOrder, outcome } from "./outcome.ts";
import { pauseWork } from "./pause.ts";
import { type CollaborationState, hasApprovedWave } from "./state.ts";
import { endApproval, outdateWaves } from "./waves.ts";

const MINUTE_MS = 60_000;

/** How far one budget is used. */
export interface BudgetUse {
  readonly which: BudgetName;
  /** In the budget's own unit; minutes are not rounded. */
  readonly value: number;
  readonly limit: number;
}

/** How far each budget of the current wave is used (SPEC 8, "Autopilot budgets"). */
export function budgetUse(state: CollaborationState, defaults: CollaborationDefaults): BudgetUse[] {
  const { autopilotSafeguards: limits } = defaults;
  const { failures, toolCalls, activeMs } = state.spent;
  return [
    { which: "consecutive failures", value: failures, limit: limits.consecutiveFailureLimit },
    { which: "tool calls", value: toolCalls, limit: limits.maxToolCallsPerWave },
    { which: "minutes", value: activeMs / MINUTE_MS, limit: limits.maxWaveMinutes },
  ];
}

/**
 * Counts the time since the last event as work, unless everyone was waiting for the user: a night between two
 * messages uses up no minutes. A finished tool call shows that someone was at work after all.
 */
export function advanceClock(state: CollaborationState, event: CollaborationEvent): CollaborationState {
  const { spent } = state;
  const passed = Math.max(0, event.at - state.at);
  const waited = state.pause !== null || state.idle || state.pending.length > 0;
  const worked = !waited || event.type === "tool-finished" || event.type === "delegation-finished";
  return {
    ...state,
    at: state.at + passed,
    spent: { ...spent, activeMs: spent.activeMs + (worked ? passed : 0) },
  };
}

/**
 * Counts a tool call. Outside a wave reading is free, or recon would use up the budget of a wave that has not begun;
 * what can change something counts everywhere, so that leaving waves out is no way around. A failed read is
 * exploring, not failing.
 */
export function countTool(state: CollaborationState, fact: ToolFact): CollaborationState {
  const { spent } = state;
  const counts = fact.mutating || state.wave !== null;
  const failures = fact.failed ? spent.failures + 1 : 0;
  return {
    ...state,
    spent: {
      ...spent,
      toolCalls: spent.toolCalls + (counts ? 1 : 0),
      failures: fact.mutating ? failures : spent.failures,
    },
  };
}

/** Closes the wave and stops the work when a budget of it is used up, then falls back as configured. */
export function stopIfSpent(state: CollaborationState, defaults: CollaborationDefaults): Outcome {
  const answersItself = state.knobs.mode === "autopilot" || hasApprovedWave(state);
  if (state.pause !== null || !answersItself) return outcome(state);
  const reached = budgetUse(state, defaults).find(({ value, limit }) => value >= limit);
  if (reached === undefined) return outcome(state);

  const { which, limit } = reached;
  const value = Math.max(limit, Math.floor(reached.value));
  const fallback = defaults.autopilotSafeguards.onFailureLimit;
  const detail = `${value} of ${limit} ${which}`;
  return inOrder(
    outdateWaves(state, () => true),
    (now) => endApproval(now, `a budget is used up (${detail})`),
    (now) =>
      outcome(
        { ...now, wave: null },
        { type: "budget-stop", which, limit, value, fallback },
        {
          type: "toast",
          variant: "warning",
          message: `GAIA stopped: ${detail}. /next grants as much again.`,
        },
      ),
    (now) =>
      fallback === "supervised_pause"
        ? turnKnobs(now, { knob: "mode", value: "supervised" }, `budget used up: ${detail}`)
        : outcome(now),
    (now) => pauseWork(now, { reason: "budget", detail, sessionId: anyAtWork(now) }, defaults),
  );
}

function anyAtWork(state: CollaborationState): string | null {
  return state.idle ? null : (state.delegations[0]?.sessionId ?? null);
}

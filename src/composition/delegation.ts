import { GAIA } from "../agents/gaia.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { placeRequests } from "../conversation/spending/spending.ts";
import { type Bounds, createBounds } from "../delegation/bounds.ts";
import { createDelegationEngine, type DelegationEngine, engineSettings } from "../delegation/engine.ts";
import { systemClock } from "../lib/async.ts";
import { hasBudget } from "../spending/budget.ts";
import { createLedger, type SpendingLedger } from "../spending/ledger.ts";
import { createJournal } from "../record/store.ts";
import type { Ground } from "../runtime.ts";

/** What runs in GAIA's sessions, how long and for how much. */
export interface DelegationParts {
  readonly engine: DelegationEngine;
  readonly bounds: Bounds;
  readonly ledger: SpendingLedger;
}

/** @param conversation one that is open already, by its root session */
export function composeDelegation(
  { host, clock, config, agents, sessions }: Ground,
  conversation: (rootId: string) => Conversation | undefined,
): DelegationParts {
  const engine = createDelegationEngine(host, clock, engineSettings(config));
  const kept = createJournal(host.project, () => new Date().toISOString().slice(0, 7));
  // Where nothing is to be written down, only a budget needs it.
  const isKept = config.capture.enabled || hasBudget(config.budget);
  const ledger = createLedger({
    journal: isKept ? kept : { ...kept, append: async () => undefined },
    budgets: config.budget,
    clock,
    timeOfDay: systemClock,
    logger: host.logger,
    placeOf: placeRequests({ sessions, engine, conversation }),
  });
  const bounds = createBounds(engine, {
    turnsInARow: config.autopilotSafeguards.maxTurnsInARow,
    spent: ledger.reached,
    stepsOf: (agent) => agents.stepsOf(agent),
    budgetOf: (agent) => (agent === GAIA ? null : config.delegation),
    speakerOf(sessionId) {
      const agent = sessions.speaker(sessionId)?.agent;
      return agent === undefined || agents.stepsOf(agent) === undefined ? null : agent;
    },
  });
  return { engine, bounds, ledger };
}

import type { ProofStanding } from "../../checks/verifier.ts";

/** What is true about the session when GAIA wants to delegate or to ask for an approval. */
export interface RoutingFacts {
  /** The agent of the delegation, with what it may change. */
  agent: string;
  edits: boolean;
  disabledAgents: readonly string[];
  mode: "supervised" | "autopilot" | "locked";
  /** Reason of a review that ended BLOCKED and that the user has not answered yet. */
  blockedReason: string | null;
  /** The delegation is to create a revision (commit). */
  createsRevision: boolean;
  verification: ProofStanding;
}

/** Whether the step may be taken; a refusal tells the model what would be allowed instead. */
export type RouteDecision = { kind: "allowed" } | { kind: "refused"; reason: string; hint: string };

/**
 * The routing that must not depend on a model (SPEC 12): disabled agents, locked mode, a pipeline that is blocked,
 * and no revision without checks that passed after the last change. Readers stay available in all but the first case.
 */
export function decideRoute(facts: RoutingFacts): RouteDecision {
  if (facts.disabledAgents.includes(facts.agent)) {
    return refuse(
      `${facts.agent} is disabled in the config.`,
      "Use another agent of the roster, or tell the user which one is missing.",
    );
  }
  if (!facts.edits && !facts.createsRevision) return { kind: "allowed" };
  if (facts.mode === "locked") {
    return refuse(
      "The session is locked: nothing may be changed.",
      "Delegate to reading agents only; the user unlocks with /supervised or /autopilot.",
    );
  }
  if (facts.blockedReason !== null) {
    return refuse(
      `The work is BLOCKED: ${facts.blockedReason}`,
      "Report the reason and the next step to the user; their answer opens the pipeline again.",
    );
  }
  return facts.createsRevision ? decideRevision(facts.verification) : { kind: "allowed" };
}

function decideRevision(verification: RoutingFacts["verification"]): RouteDecision {
  if (verification === "passed" || verification === "unconfigured") return { kind: "allowed" };
  const reasons = {
    failed: "The Definition of Done does not pass.",
    stale: "Files changed after the checks last passed.",
    never: "The Definition of Done was not verified yet.",
  };
  return refuse(reasons[verification], "Run plan_gaia verify; a revision is made once it passes.");
}

function refuse(reason: string, hint: string): RouteDecision {
  return { kind: "refused", reason, hint };
}

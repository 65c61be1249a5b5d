import type { Conversation } from "../conversation/conversation.ts";
import type { Specialist } from "../delegation/specialist.ts";
import { decideRoute, type RoutingFacts } from "../conversation/planning/routing-facts.ts";
import type { Runtime } from "../runtime.ts";

const OPEN: Omit<RoutingFacts, "agent" | "disabledAgents"> = {
  edits: false,
  mode: "supervised",
  blockedReason: null,
  createsRevision: false,
  verification: "unconfigured",
};

/** Why this agent cannot be called at all, for one that the configuration disables; undefined for a name nobody has. */
export function explainDisabled({ config, agents }: Runtime, agent: unknown): string | undefined {
  const overrides = Object.entries(config.agents);
  const disabledAgents = overrides.filter(([, { disabled }]) => disabled === true).map(([name]) => name);
  if (typeof agent !== "string" || !disabledAgents.includes(agent)) return undefined;
  const roster = [...agents.specialists.keys()].join(", ");
  return `${explain({ ...OPEN, agent, disabledAgents })} Roster: ${roster}`;
}

/** Why this delegation must not begin, and what would be allowed (SPEC 12); null when it may. */
export function refuseRoute(
  { config }: Runtime,
  conversation: Conversation | null,
  { name, mutates }: Specialist,
  waveId: string | null,
): string | null {
  if (conversation === null) return null;
  const { knobs, pause, workUnit } = conversation.state;
  const blockedReason = pause?.reason === "blocked" ? pause.detail : null;
  const facts = { ...OPEN, agent: name, edits: mutates, mode: knobs.mode, blockedReason, disabledAgents: [] };
  const refusal = explain(facts);
  if (refusal !== null) return refusal;
  // A change that belongs to no wave cannot be covered by the user's approval of one. Without a work unit, for a quick
  // fix, every action is asked for by itself.
  const needsWave =
    mutates && config.wavePolicy.enforceWaveId && knobs.mode === "supervised" && workUnit !== null;
  if (!needsWave || waveId !== null) return null;
  return "In supervised mode a delegation that changes files names its wave: plan_gaia open_wave first, then pass that wave_id.";
}

function explain(facts: RoutingFacts): string | null {
  const route = decideRoute(facts);
  return route.kind === "allowed" ? null : `${route.reason} ${route.hint}`;
}

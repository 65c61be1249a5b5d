import { GAIA } from "../../agents/gaia.ts";
import { resolveCandidates } from "../../delegation/candidates.ts";
import { chainOf } from "../../delegation/capability.ts";
import { textOf } from "../../lib/json.ts";
import type { Facts } from "./facts.ts";

/** Which model one agent runs on, and why. */
export interface AgentModels {
  readonly name: string;
  readonly disabled: boolean;
  /** In order of preference. */
  readonly chain: readonly string[];
  /** What of the chain can be used now. */
  readonly available: readonly string[];
  /** The first that can be used; null for the session's model. */
  readonly runsOn: string | null;
  /** Whether a chain is there and nothing of it can be used. */
  readonly inherits: boolean;
}

/** Resolves every agent's chain as a delegation would (SPEC 6); null while the models are not known. */
export function resolveAgentModels(facts: Facts): AgentModels[] | null {
  const { models, agents, agentNames } = facts;
  if (models.state !== "read") return null;
  const available = models.value;
  return agentNames.map((name) => {
    const chain = chainOfAgent(facts, name, available);
    const { inherited } = resolveCandidates(chain, { available, fallback: null }, null, () => false);
    const usable = chain.filter((model) => available.has(model));
    const disabled = agents.preferenceOf(name) === undefined;
    return {
      name,
      disabled,
      chain,
      available: usable,
      runsOn: usable[0] ?? null,
      inherits: inherited && !disabled,
    };
  });
}

/** GAIA is started by the user, so what opencode.json says about her model comes before her own chain. */
function chainOfAgent(
  { agents, overrides }: Facts,
  name: string,
  available: ReadonlySet<string>,
): readonly string[] {
  const preference = agents.preferenceOf(name);
  const chain = preference === undefined ? [] : chainOf(preference, { available }, null);
  const own = name === GAIA ? overrideModel(overrides) : undefined;
  return own === undefined ? chain : [...new Set([own, ...chain])];
}

/** The model that opencode.json gives GAIA. */
export function overrideModel(overrides: Facts["overrides"]): string | undefined {
  const models = overrides.map(({ agent, entry }) => (agent === GAIA ? textOf(entry["model"]) : undefined));
  return models.find((model) => model !== undefined);
}

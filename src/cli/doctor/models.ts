import { nearestName } from "../../lib/nearest-name.ts";
import { chainOf } from "../../delegation/models.ts";
import { providerOf } from "../../delegation/queue.ts";
import { type Diagnosis, error, ok, warn } from "./finding.ts";
import type { Setup } from "./setup.ts";

/** Resolves every agent's chain as a delegation would (SPEC 6); null while the models are not known. */
export function resolveAgentModels({ models, agents, agentNames }: Setup) {
  if (models === null || "problem" in models) return null;
  const { names, facts } = models.value;
  return agentNames.map((name) => {
    const preference = agents.preferenceOf(name);
    const chain = preference === undefined ? [] : chainOf(preference, { facts }, null);
    /** The first that can be used; null for the session's model. */
    const runsOn = chain.find((model) => names.has(model)) ?? null;
    return { name, disabled: preference === undefined, chain, runsOn };
  });
}

const CONNECT = "opencode auth login";

export function checkModels(setup: Setup): Diagnosis | Diagnosis[] {
  const { models } = setup;
  if (models === null) return [];
  if ("problem" in models)
    return warn(`The models could not be listed. ${models.problem}`, "Run it by hand: opencode models");
  const available = [...models.value.names];
  if (available.length === 0)
    return error("OpenCode has no model that can be used.", `Connect a provider: ${CONNECT}`);
  const connected = [...new Set(available.map(providerOf))].join(", ");
  const agents = (resolveAgentModels(setup) ?? []).filter(({ disabled }) => !disabled);
  const chosen = agents.filter(
    (agent) => isChosen(setup, agent.name) && agent.chain[0] !== agent.runsOn && agent.chain.length > 0,
  );
  const missing = chosen.map(({ name, chain: [model = ""], runsOn }): Diagnosis => {
    const near = nearestName(model, available);
    const meant = near === undefined ? "" : `Did you mean "${near}"? `;
    return warn(
      `${name} is to run on ${model}, which no connected provider has. It runs on ${runsOn ?? "the session's model"}.`,
      `${meant}Set agents.${name}.model to one that "opencode models" lists (${connected}), or connect its provider: ${CONNECT}.`,
    );
  });
  const inheriting = agents.filter(
    (agent) => agent.chain.length > 0 && agent.runsOn === null && !chosen.includes(agent),
  );
  if (inheriting.length > 0)
    missing.push(
      ok(
        `${inheriting.map(({ name }) => name).join(", ")} use the model that you choose in OpenCode: none of their usual models is connected.`,
        `To give them others, choose from ${connected} under "agents" in .gaia/config.jsonc, or connect another provider: ${CONNECT}`,
      ),
    );
  if (missing.length > 0) return missing;
  return ok(`Each of the ${agents.length} agents has a model.`);
}

/** A default that is not available is no mistake; a model that someone wrote down is. */
function isChosen({ config, overrides }: Setup, name: string): boolean {
  const source = config.provenance.get(`agents.${name}.model`) ?? "default";
  const isConfigured = source !== "default" && source !== "preset";
  return isConfigured || overrides.some(({ agent, model }) => agent === name && model !== undefined);
}

import { GAIA } from "../../agents/gaia.ts";
import { nearestName } from "../../lib/nearest-name.ts";
import { resolveCandidates } from "../../delegation/candidates.ts";
import { chainOf } from "../../delegation/capability.ts";
import type { ModelFacts } from "../../host/port.ts";
import { textOf } from "../../lib/json.ts";
import { type Diagnosis, error, ok, warn } from "./finding.ts";
import type { Setup } from "./setup.ts";

export interface AgentModels {
  readonly name: string;
  readonly disabled: boolean;
  readonly chain: readonly string[];
  readonly available: readonly string[];
  /** The first that can be used; null for the session's model. */
  readonly runsOn: string | null;
  /** Whether a chain is there and nothing of it can be used. */
  readonly inherits: boolean;
}

/** Resolves every agent's chain as a delegation would (SPEC 6); null while the models are not known. */
export function resolveAgentModels(setup: Setup): AgentModels[] | null {
  const { models, agents, agentNames } = setup;
  if (models === null || "problem" in models) return null;
  const { names: available, facts: known } = models.value;
  return agentNames.map((name) => {
    const chain = chainOfAgent(setup, name, known);
    const catalog = { available, facts: known, fallback: null };
    const { inherited } = resolveCandidates(chain, catalog, null, () => false);
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

/** GAIA is started by the user, so what opencode.json says about its model comes before its own chain. */
function chainOfAgent(
  { agents, overrides }: Setup,
  name: string,
  known: readonly ModelFacts[],
): readonly string[] {
  const preference = agents.preferenceOf(name);
  const chain = preference === undefined ? [] : chainOf(preference, { facts: known }, null);
  const own = name === GAIA ? overrideModel(overrides) : undefined;
  return own === undefined ? chain : [...new Set([own, ...chain])];
}

function overrideModel(overrides: Setup["overrides"]): string | undefined {
  const models = overrides.map(({ agent, entry }) => (agent === GAIA ? textOf(entry["model"]) : undefined));
  return models.find((model) => model !== undefined);
}

const CONNECT = "opencode auth login";
/** More names than this are counted instead. */
const MAX_NAMES = 4;

export function checkModels(setup: Setup): Diagnosis | Diagnosis[] {
  const { models } = setup;
  if (models === null) return [];
  if ("problem" in models)
    return warn(`The models could not be listed. ${models.problem}`, "Run it by hand: opencode models");
  if (models.value.names.size === 0) {
    return error("OpenCode has no model that can be used.", `Connect a provider: ${CONNECT}`);
  }
  const agents = (resolveAgentModels(setup) ?? []).filter(({ disabled }) => !disabled);
  const chosen = agents.filter((agent) => isChosenModelMissing(setup, agent, models.value.names));
  const inheriting = agents.filter((agent) => agent.inherits && !chosen.includes(agent));
  const found = [
    ...chosen.map((agent) => describeMissing(agent, models.value.names)),
    ...(inheriting.length === 0 ? [] : [describeInheriting(inheriting, models.value.names)]),
  ];
  return found.length === 0 ? [ok(`Each of the ${agents.length} agents has a model.`)] : found;
}

function shorten(names: readonly string[]): string {
  const rest = names.length - MAX_NAMES;
  return rest > 0 ? `${names.slice(0, MAX_NAMES).join(", ")} and ${rest} more` : names.join(", ");
}

/** A default that is not available is no mistake; a model that someone wrote down is. */
function isChosenModelMissing(
  { config, overrides }: Setup,
  { name, chain }: AgentModels,
  available: ReadonlySet<string>,
): boolean {
  const [first] = chain;
  if (first === undefined || available.has(first)) return false;
  const source = config.provenance.get(`agents.${name}.model`) ?? "default";
  const isConfigured = source !== "default" && source !== "preset";
  return isConfigured || overrideModel(overrides) === first;
}

function describeMissing({ name, chain, runsOn }: AgentModels, available: ReadonlySet<string>): Diagnosis {
  const model = chain[0] ?? "";
  const provider = providerOf(model);
  const offers = [...available].filter((other) => providerOf(other) === provider);
  const reason =
    offers.length === 0 ? `provider "${provider}" is not connected` : `${provider} has no such model`;
  const near = nearestName(model, offers);
  const advice = offers.length === 0 ? `Connect it: ${CONNECT}.` : near && `Did you mean "${near}"?`;
  return warn(
    `${name} is to run on ${model}, but ${reason}. It runs on ${runsOn ?? "the session's model"}.`,
    [advice, `Or set agents.${name}.model to one that "opencode models" lists.`].filter(Boolean).join(" "),
  );
}

function describeInheriting(agents: readonly AgentModels[], available: ReadonlySet<string>): Diagnosis {
  const names = agents.map(({ name }) => name);
  const providers = [...new Set(agents.flatMap(({ chain }) => chain.map(providerOf)))];
  const connected = [...new Set([...available].map(providerOf))];
  return warn(
    `No model of ${shorten(names)} is available: they run on the session's model.`,
    `If that is what you want, set "preset": "local". Else connect one of ${providers.join(", ")} (${CONNECT}), or choose models of ${shorten(connected)} under "agents".`,
  );
}

function providerOf(model: string): string {
  return model.slice(0, model.indexOf("/"));
}

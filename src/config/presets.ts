import type { AgentOverride, ModelChoice } from "./agent-override.ts";
import { INHERIT_MODEL } from "./inherit-model.ts";
import type { ResolvedConfig } from "./schema.ts";

/** Name of a preset that sets the models of all agents at once (SPEC 6). */
export type PresetName = ResolvedConfig["preset"];

type PresetEntry = Pick<AgentOverride, "model" | "fallback">;

const chain = (
  model: ModelChoice,
  ...fallback: Exclude<ModelChoice, typeof INHERIT_MODEL>[]
): PresetEntry => ({
  model,
  fallback,
});

const KIMI = "kimi-for-coding/k2p5";
const KIMI_THINKING = "kimi-for-coding/kimi-k2-thinking";
const GLM = "zhipuai-coding-plan/glm-4.7";
const GLM_OLDER = "zhipuai-coding-plan/glm-4.6";
const GPT = "openai/gpt-5.2";
const CODEX = "openai/gpt-5.3-codex";
const CODEX_OLDER = "openai/gpt-5.2-codex";

/** Those who lead or write code get Kimi, those who read, run checks or review get GLM: no metered tokens at all. */
const BUDGET: Record<string, PresetEntry> = {
  gaia: chain(KIMI, GLM),
  minerva: chain(GLM, GLM_OLDER, KIMI),
  apollo: chain(GLM, GLM_OLDER, KIMI),
  eleuthia: chain(KIMI, GLM),
  hephaestus: chain(KIMI, GLM),
  demeter: chain(GLM, GLM_OLDER),
  artemis: chain(GLM, KIMI),
  aether: chain(GLM, GLM_OLDER),
  poseidon: chain(KIMI, GLM),
  hades: chain(GLM, KIMI),
};

/** Codex leads and writes code, GPT reads, checks and reviews; the cheaper models are only the safety net. */
const PREMIUM: Record<string, PresetEntry> = {
  gaia: chain(CODEX, GPT, KIMI),
  minerva: chain(GPT, GLM),
  apollo: chain(GPT, GLM),
  eleuthia: chain(CODEX, CODEX_OLDER, KIMI),
  hephaestus: chain(CODEX, CODEX_OLDER, KIMI),
  demeter: chain(GPT, GLM),
  artemis: chain(GPT, CODEX_OLDER, KIMI),
  aether: chain(GPT, GLM),
  poseidon: chain(CODEX, CODEX_OLDER, KIMI),
  hades: chain(GPT, KIMI_THINKING, KIMI),
};

/**
 * What a preset sets, by agent name. `balanced` sets nothing, so each agent's own defaults apply; `local` makes every
 * agent, custom ones included, inherit the session's model; the others leave custom agents alone.
 * @param knownAgents the agents that exist; the result names no other
 */
export function presetOverrides(
  preset: PresetName,
  knownAgents: readonly string[],
): Record<string, PresetEntry> {
  switch (preset) {
    case "balanced":
      return {};
    case "local":
      return Object.fromEntries(knownAgents.map((name) => [name, chain(INHERIT_MODEL)]));
    case "budget":
      return pick(BUDGET, knownAgents);
    case "premium":
      return pick(PREMIUM, knownAgents);
  }
}

function pick(table: Record<string, PresetEntry>, names: readonly string[]): Record<string, PresetEntry> {
  return Object.fromEntries(Object.entries(table).filter(([name]) => names.includes(name)));
}

import type { AgentOverride, ModelChoice } from "./agent-override.ts";
import { INHERIT_MODEL } from "./inherit-model.ts";
import type { KnownAgents, Role } from "./roles.ts";
import type { ResolvedConfig } from "./schema.ts";

export type PresetName = ResolvedConfig["preset"];

type PresetEntry = Pick<AgentOverride, "model" | "fallback">;

const chain = (model: ModelChoice, ...fallback: Exclude<ModelChoice, "inherit">[]): PresetEntry => {
  return { model, fallback };
};

const KIMI = "kimi-for-coding/k2p5";
const KIMI_THINKING = "kimi-for-coding/kimi-k2-thinking";
const GLM = "zhipuai-coding-plan/glm-4.7";
const GLM_OLDER = "zhipuai-coding-plan/glm-4.6";
const GPT = "openai/gpt-5.2";
const CODEX = "openai/gpt-5.3-codex";
const CODEX_OLDER = "openai/gpt-5.2-codex";

type Chains = Readonly<Record<Role | "orchestrator", PresetEntry>>;

/** Those who lead or write code get Kimi, those who read, run checks or review get GLM: no metered tokens at all. */
const BUDGET: Chains = {
  orchestrator: chain(KIMI, GLM),
  recon: chain(GLM, GLM_OLDER, KIMI),
  implementer: chain(KIMI, GLM),
  tester: chain(GLM, KIMI),
  checker: chain(GLM, GLM_OLDER),
  reviewer: chain(GLM, KIMI),
  historian: chain(GLM, GLM_OLDER),
};

/** Codex leads and writes code, GPT reads, checks and reviews; the cheaper models are only the safety net. */
const PREMIUM: Chains = {
  orchestrator: chain(CODEX, GPT, KIMI),
  recon: chain(GPT, GLM),
  implementer: chain(CODEX, CODEX_OLDER, KIMI),
  tester: chain(GPT, CODEX_OLDER, KIMI),
  checker: chain(GPT, GLM),
  reviewer: chain(GPT, KIMI_THINKING, KIMI),
  historian: chain(GPT, GLM),
};

/**
 * What a preset sets, by agent name. `balanced` sets nothing, so each agent's own defaults apply; `local` makes every
 * agent, custom ones included, inherit the session's model; the others leave custom agents alone.
 */
export function presetOverrides(preset: PresetName, agents: KnownAgents): Record<string, PresetEntry> {
  if (preset === "balanced") return {};
  const chains = { budget: BUDGET, premium: PREMIUM, local: null }[preset];
  return Object.fromEntries(
    Object.entries(agents).flatMap(([name, role]) => {
      if (chains === null) return [[name, chain(INHERIT_MODEL)]];
      return role === null ? [] : [[name, chains[role]]];
    }),
  );
}

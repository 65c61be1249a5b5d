import { expect, it } from "vitest";
import { PERMISSION_NAMES } from "../../src/host/opencode/permission-names.ts";
import { buildAgents } from "../../src/agents/build.ts";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { resolveCandidates } from "../../src/delegation/candidates.ts";
import { chainOf } from "../../src/delegation/capability.ts";

const input = {
  definitions: SPECIALISTS,
  overrides: {},
  specialistTools: [],
  ownTools: [],
  approvals: [],
  names: PERMISSION_NAMES,
};
const agents = buildAgents(input);

it("registers no model by itself, so that OpenCode calls none invalid", () => {
  expect(Object.values(agents.entries).filter((entry) => "model" in entry)).toEqual([]);
});

it.each<[string, string[]]>([
  ["nothing", []],
  ["anthropic", ["anthropic/claude-opus-4-5", "anthropic/claude-haiku-4-5"]],
  ["openai", ["openai/gpt-5.2", "openai/gpt-5.2-codex", "openai/gpt-5-mini"]],
  ["google", ["google/gemini-3-pro-preview", "google/gemini-3-flash-preview"]],
  ["copilot", ["github-copilot/claude-sonnet-4.5", "github-copilot/gpt-5-mini"]],
  ["openrouter", ["openrouter/anthropic/claude-opus-4.5", "openrouter/z-ai/glm-4.7"]],
  ["zen", ["opencode/claude-sonnet-4-5", "opencode/claude-haiku-4-5"]],
  ["glm", ["zai-coding-plan/glm-4.7", "zai-coding-plan/glm-4.5-air"]],
  ["kimi", ["kimi-for-coding/k2p5"]],
  ["a local model", ["ollama/qwen3-coder:30b"]],
  ["two providers", ["openai/gpt-5.2-codex", "kimi-for-coding/k2p5"]],
  ["models of no known family", ["acme/one", "acme/two"]],
])("asks nothing of a provider that is not connected: %s", (_name, models) => {
  const available = new Set(models);
  const [session = null] = models;
  for (const { name } of SPECIALISTS) {
    const specialist = agents.specialists.get(name);
    if (specialist === undefined) throw new Error(`${name} is not built`);
    const facts = models.map((model, at) => ({
      model,
      reasoning: true,
      price: at + 1,
      context: 200_000,
      released: at,
    }));
    const chain = chainOf(specialist, { facts }, session);
    const { models: tried } = resolveCandidates(
      chain,
      { available, facts, fallback: session },
      session,
      () => false,
    );
    expect(tried.filter((model) => model !== null && !available.has(model))).toEqual([]);
    expect(tried[0]).toBe(chain.find((model) => available.has(model)) ?? session);
  }
});

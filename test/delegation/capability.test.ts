import { describe, expect, it, test } from "vitest";
import { chainOf, chooseModels } from "../../src/delegation/capability.ts";
import type { ModelId } from "../../src/host/port.ts";

const ANTHROPIC: ModelId[] = [
  "anthropic/claude-opus-4-1",
  "anthropic/claude-opus-4-20250514",
  "anthropic/claude-opus-4-5-20251101",
  "anthropic/claude-opus-4-5",
  "anthropic/claude-sonnet-4-5",
  "anthropic/claude-3-5-haiku-20241022",
  "anthropic/claude-haiku-4-5",
];
const OPENAI: ModelId[] = [
  "openai/gpt-4o",
  "openai/gpt-5",
  "openai/gpt-5.2",
  "openai/gpt-5.2-codex",
  "openai/gpt-5.1-codex-mini",
  "openai/gpt-5-mini",
  "openai/o3",
];
const GOOGLE: ModelId[] = [
  "google/gemini-2.5-pro",
  "google/gemini-3-pro-preview",
  "google/gemini-3-flash-preview",
  "google/gemini-embedding-001",
];
const COPILOT: ModelId[] = [
  "github-copilot/claude-opus-4.5",
  "github-copilot/claude-sonnet-4.5",
  "github-copilot/gpt-5.2",
  "github-copilot/gpt-5-mini",
];
const OPENROUTER: ModelId[] = [
  "openrouter/anthropic/claude-opus-4.5",
  "openrouter/anthropic/claude-sonnet-4.5",
  "openrouter/openai/gpt-5-mini",
  "openrouter/z-ai/glm-4.7",
];
const ZEN: ModelId[] = ["opencode/claude-sonnet-4-5", "opencode/gpt-5.2", "opencode/claude-haiku-4-5"];
const GLM: ModelId[] = ["zai-coding-plan/glm-4.6", "zai-coding-plan/glm-4.7", "zai-coding-plan/glm-4.5-air"];
const KIMI: ModelId[] = ["kimi-for-coding/k2p5", "kimi-for-coding/kimi-k2-thinking"];
const LOCAL: ModelId[] = ["ollama/qwen3-coder:30b", "lmstudio/devstral-small"];

describe("models chosen by capability", () => {
  test.each<[string, ModelId[], ModelId | undefined, ModelId | undefined, ModelId | undefined]>([
    [
      "Anthropic",
      ANTHROPIC,
      "anthropic/claude-opus-4-5",
      "anthropic/claude-sonnet-4-5",
      "anthropic/claude-haiku-4-5",
    ],
    ["OpenAI", OPENAI, "openai/gpt-5.2", "openai/gpt-5.2-codex", "openai/gpt-5-mini"],
    [
      "Google",
      GOOGLE,
      "google/gemini-3-pro-preview",
      "google/gemini-3-pro-preview",
      "google/gemini-3-flash-preview",
    ],
    [
      "Copilot",
      COPILOT,
      "github-copilot/claude-opus-4.5",
      "github-copilot/claude-sonnet-4.5",
      "github-copilot/gpt-5-mini",
    ],
    [
      "OpenRouter",
      OPENROUTER,
      "openrouter/anthropic/claude-opus-4.5",
      "openrouter/anthropic/claude-sonnet-4.5",
      "openrouter/openai/gpt-5-mini",
    ],
    ["Zen", ZEN, "opencode/gpt-5.2", "opencode/claude-sonnet-4-5", "opencode/claude-haiku-4-5"],
    ["GLM", GLM, "zai-coding-plan/glm-4.7", "zai-coding-plan/glm-4.7", "zai-coding-plan/glm-4.5-air"],
    ["Kimi", KIMI, "kimi-for-coding/kimi-k2-thinking", "kimi-for-coding/k2p5", "kimi-for-coding/k2p5"],
    [
      "Moonshot",
      ["moonshotai/kimi-k2.5", "moonshotai/kimi-k2-turbo-preview"],
      "moonshotai/kimi-k2.5",
      "moonshotai/kimi-k2.5",
      "moonshotai/kimi-k2-turbo-preview",
    ],
    [
      "a provider that nobody knows",
      ["corp/claude-sonnet-4-5"],
      "corp/claude-sonnet-4-5",
      "corp/claude-sonnet-4-5",
      "corp/claude-sonnet-4-5",
    ],
    [
      "Copilot, with versions that lost their point",
      ["github-copilot/claude-opus-41", "github-copilot/claude-opus-4.5", "github-copilot/gpt-4.1"],
      "github-copilot/claude-opus-4.5",
      "github-copilot/claude-opus-4.5",
      undefined,
    ],
    [
      "Bedrock",
      [
        "amazon-bedrock/anthropic.claude-opus-4-1-20250805-v1:0",
        "amazon-bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
        "amazon-bedrock/anthropic.claude-haiku-4-5-20251001-v1:0",
        "amazon-bedrock/anthropic.claude-3-5-sonnet-20241022-v2:0",
        "amazon-bedrock/amazon.nova-micro-v1:0",
      ],
      "amazon-bedrock/anthropic.claude-opus-4-1-20250805-v1:0",
      "amazon-bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
      "amazon-bedrock/anthropic.claude-haiku-4-5-20251001-v1:0",
    ],
    [
      "Vertex",
      [
        "google-vertex-anthropic/claude-opus-4-5@20251101",
        "google-vertex-anthropic/claude-haiku-4-5@default",
      ],
      "google-vertex-anthropic/claude-opus-4-5@20251101",
      "google-vertex-anthropic/claude-opus-4-5@20251101",
      "google-vertex-anthropic/claude-haiku-4-5@default",
    ],
    [
      "a gateway that writes names large",
      ["poe/Claude-Opus-4.5", "poe/Claude-Sonnet-4.5", "poe/GPT-5-mini"],
      "poe/Claude-Opus-4.5",
      "poe/Claude-Sonnet-4.5",
      "poe/GPT-5-mini",
    ],
    [
      "only what is older",
      ["azure/gpt-4.1", "azure/gpt-4.1-mini", "azure/text-embedding-3-large"],
      "azure/gpt-4.1",
      "azure/gpt-4.1",
      "azure/gpt-4.1-mini",
    ],
    [
      "what is older beside what is not",
      ["corp/gpt-4.1", "corp/claude-3-7-sonnet-20250219", "corp/glm-4.7"],
      "corp/glm-4.7",
      "corp/glm-4.7",
      "corp/glm-4.7",
    ],
    [
      "small, embedding and image models alone",
      ["openai/text-embedding-3-small", "openai/gpt-image-1", "openai/gpt-5-nano", "openai/gpt-4o-mini-tts"],
      undefined,
      undefined,
      undefined,
    ],
    ["local models", LOCAL, undefined, undefined, undefined],
    ["none", [], undefined, undefined, undefined],
  ])("%s", (_name, models, strong, coding, fast) => {
    const available = new Set(models);
    expect(chooseModels("strong", available, null)[0]).toBe(strong);
    expect(chooseModels("coding", available, null)[0]).toBe(coding);
    expect(chooseModels("fast", available, null)[0]).toBe(fast);
  });

  it("prefers the provider of the session, and takes others only to fall back on, one model of each", () => {
    const available = new Set([...ANTHROPIC, ...OPENAI, ...GOOGLE, ...COPILOT, ...LOCAL]);
    expect(chooseModels("coding", available, "google/gemini-2.5-pro")).toEqual([
      "google/gemini-3-pro-preview",
      "anthropic/claude-sonnet-4-5",
      "openai/gpt-5.2-codex",
    ]);
  });

  it("takes the session's own model before those of other providers where nothing is known of its provider's", () => {
    const available = new Set([...ANTHROPIC, ...LOCAL]);
    expect(chooseModels("coding", available, "ollama/qwen3-coder:30b")).toEqual([
      "ollama/qwen3-coder:30b",
      "anthropic/claude-sonnet-4-5",
    ]);
    expect(chooseModels("coding", new Set(LOCAL), "ollama/qwen3-coder:30b")).toEqual([]);
  });

  it("takes only what can call tools and speak, whatever its name", () => {
    const models: ModelId[] = ["corp/claude-opus-4-5", "corp/glm-4.7"];
    const catalog = { available: new Set(models), able: new Set(["corp/glm-4.7"]) };
    expect(chainOf({ models: [], capability: "strong" }, catalog, null)).toEqual(["corp/glm-4.7"]);
    expect(chainOf({ models }, catalog, null)).toEqual(models);
  });

  it("comes behind the models that are named, and not at all where somebody chose them", () => {
    const available = new Set(OPENAI);
    const models: ModelId[] = ["zhipuai-coding-plan/glm-4.7"];
    expect(chainOf({ models, capability: "fast" }, { available }, null)).toEqual([
      ...models,
      "openai/gpt-5-mini",
    ]);
    expect(chainOf({ models }, { available }, null)).toEqual(models);
  });
});

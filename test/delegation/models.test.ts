import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { chainOf, chooseModels } from "../../src/delegation/models.ts";
import type { ModelFacts, ModelId } from "../../src/host/port.ts";
import { factsOf } from "../../src/host/opencode/read.ts";

interface Recorded {
  readonly model: ModelId;
  readonly tools: boolean;
  readonly text: boolean;
  readonly reasoning: boolean;
  readonly input: number;
  readonly output: number;
  readonly context: number;
  readonly released: string;
  readonly status: "active" | "beta" | "alpha" | "deprecated";
}
/** What `opencode models --verbose` told of the models of eleven providers. */
const RECORDED = readFileSync(new URL("models.jsonl", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Recorded);
const CATALOGUE: readonly ModelFacts[] = RECORDED.flatMap((each) => {
  const media = { text: each.text, audio: false, image: false, video: false, pdf: false };
  const about = {
    capabilities: {
      temperature: true,
      attachment: false,
      interleaved: false as const,
      reasoning: each.reasoning,
      toolcall: each.tools,
      input: media,
      output: media,
    },
    cost: { input: each.input, output: each.output, cache: { read: 0, write: 0 } },
    limit: { context: each.context, output: 8_000 },
    release_date: each.released,
    status: each.status,
  };
  return factsOf(each.model, about) ?? [];
});
const of = (...providers: string[]): readonly ModelFacts[] =>
  CATALOGUE.filter(({ model }) => providers.some((name) => model.startsWith(`${name}/`)));
const about = (model: ModelId, said: Partial<ModelFacts> = {}): ModelFacts => ({
  model,
  reasoning: true,
  price: 10,
  context: 200_000,
  released: Date.UTC(2026, 1),
  ...said,
});

describe("models of a recorded catalogue", () => {
  test.each<[provider: string, strong: string | null, coding: string | null, fast: string | null]>([
    ["anthropic", "claude-opus-5-5", "claude-sonnet-5", "claude-haiku-4-5"],
    ["openai", "gpt-6-sol", "gpt-6-sol", "gpt-6-luna"],
    ["google", "gemini-3.8-flash", "gemini-3.8-flash", "gemini-3.8-flash"],
    ["github-copilot", "gpt-6-sol", "gpt-6-sol", "gpt-6-luna"],
    ["zai", "glm-5.3", "glm-5.3", "glm-5.3-flashx"],
    ["moonshotai", "kimi-k3", "kimi-k3", "kimi-k2.7-code"],
    ["xai", "grok-4.7", "grok-4.7", "grok-4.3"],
    ["deepseek", "deepseek-flash", "deepseek-flash", "deepseek-flash"],
    // Those of a plan cost nothing, and of a gateway's makers nobody was chosen.
    ["zai-coding-plan", null, null, null],
    ["opencode", null, null, null],
    ["openrouter", null, null, null],
  ])("%s", (provider, ...expected) => {
    const found = (["strong", "coding", "fast"] as const).map((each) =>
      chooseModels(each, of(provider), null),
    );
    expect(found).toEqual(expected.map((name) => (name === null ? [] : [`${provider}/${name}`])));
  });
});

describe("a model", () => {
  test.each<[what: string, others: readonly ModelFacts[]]>([
    ["that costs more than may be paid", [about("a/other", { price: 26 })]],
    ["without a price", [about("a/other", { price: 0, released: Date.UTC(2026, 5) })]],
    ["that reads too little", [about("a/other", { context: 128_000, released: Date.UTC(2026, 5) })]],
    ["that does not reason", [about("a/other", { reasoning: false, released: Date.UTC(2026, 5) })]],
    ["of an earlier generation, and dearer", [about("a/other", { price: 20, released: Date.UTC(2025, 6) })]],
    ["newer, and much cheaper", [about("a/other", { price: 1, released: Date.UTC(2026, 5) })]],
    ["of the same day, and dearer", [about("a/other", { price: 20 })]],
    ["of the same day and price, with a longer name", [about("a/chosen-20260201")]],
  ])("%s is not chosen", (_what, others) => {
    const facts = [...others, about("a/chosen")];
    expect(chooseModels("strong", facts, null)).toEqual(["a/chosen"]);
    expect(chooseModels("strong", facts.toReversed(), null)).toEqual(["a/chosen"]);
  });

  it("that somebody named comes first, and alone where somebody chose", () => {
    const models: ModelId[] = ["zhipuai-coding-plan/glm-4.7"];
    const facts = of("openai");
    expect(chainOf({ models, capability: "fast" }, { facts }, null)).toEqual([
      ...models,
      "openai/gpt-6-luna",
    ]);
    expect(chainOf({ models }, { facts }, null)).toEqual(models);
  });
});

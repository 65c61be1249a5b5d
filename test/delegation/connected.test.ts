import { expect, it } from "vitest";
import { buildAgents } from "../../src/agents/build.ts";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { chainOf, resolveCandidates } from "../../src/delegation/models.ts";
import { readCases } from "../support/cases.ts";
import { PERMISSION_NAMES } from "../../src/host/opencode/tool-call.ts";

const input = {
  definitions: SPECIALISTS,
  overrides: {},
  specialistTools: [],
  ownTools: [],
  approvals: [],
  names: PERMISSION_NAMES,
};
const agents = buildAgents(input);

it("registers no model by itself, so that OpenCode calls none invalid", () =>
  expect(Object.values(agents.entries).filter((entry) => "model" in entry)).toEqual([]));

it.each<[string, string[]]>(readCases<[string, string[]]>("delegation/connected.asks-nothing-of-a-provider"))(
  "asks nothing of a provider that is not connected: %s",
  (_name, models) => {
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
        specialist,
        { available, facts, fallback: session },
        session,
        () => false,
      );
      expect(tried.filter((model) => model !== null && !available.has(model))).toEqual([]);
      expect(tried[0]).toBe(chain.find((model) => available.has(model)) ?? session);
    }
  },
);

import { describe, expect, it } from "vitest";
import { knownAgents } from "../../src/agents/registry.ts";
import { presetOverrides } from "../../src/config/presets.ts";
import { AGENTS, loadSources } from "./config-files.ts";

const SHIPPED = knownAgents([]);

describe("presets", () => {
  it.each(["budget", "premium"] as const)(
    "%s gives each of the ten a model and a chain without repeats",
    (preset) => {
      const overrides = presetOverrides(preset, SHIPPED);
      expect(Object.keys(overrides).toSorted()).toEqual([...AGENTS].toSorted());
      for (const { model, fallback = [] } of Object.values(overrides)) {
        expect(fallback.length).toBeGreaterThan(0);
        expect(new Set([model, ...fallback]).size).toBe(fallback.length + 1);
      }
    },
  );

  it("gives way to keys of an agent, even those of a weaker source", async () => {
    const { config, problems, provenance } = await loadSources({
      user: '{ "agents": { "hades": { "model": "my/own" }, "gaia": { "model": "inherit" } } }',
      project: '{ "preset": "budget" }',
    });
    expect(problems).toEqual([]);
    expect(config.agents["hades"]).toEqual({
      model: "my/own",
      fallback: presetOverrides("budget", SHIPPED)["hades"]?.fallback,
    });
    expect(config.agents["gaia"]?.model).toBe("inherit");
    expect(provenance.get("agents.hades.model")).toBe("user file");
    expect(provenance.get("agents.hades.fallback")).toBe("preset");
    expect(provenance.get("preset")).toBe("project file");
  });

  it.each([
    ['{ "hands": "on" }', "{}", { code: "on", ast: "on", lanes: "auto" }],
    ['{ "hands": "on", "lanes": "off" }', '{ "ast": "off" }', { code: "on", ast: "off", lanes: "off" }],
    ['{ "hands": "on" }', '{ "hands": "off" }', { code: "off", ast: "off", lanes: "off" }],
  ])("hands of %s and %s turn on what nothing else is said of", async (user, project, expected) => {
    const { config } = await loadSources({ user, project });
    expect(config).toMatchObject(expected);
  });
});

import { describe, expect, it } from "vitest";
import { knownAgents } from "../../src/agents/registry.ts";
import { presetOverrides } from "../../src/config/presets.ts";
import { AGENTS, loadSources } from "./config-files.ts";

const SHIPPED = knownAgents([]);

describe("presets", () => {
  it("balanced leaves every agent its own default", async () => {
    const { config } = await loadSources({ project: '{ "preset": "balanced" }' });
    expect(config.agents).toEqual({});
  });

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

  it("budget touches no metered provider", () => {
    expect(JSON.stringify(presetOverrides("budget", SHIPPED))).not.toContain("openai/");
  });

  it("local lets every agent inherit the session's model, custom ones too", () => {
    const inherit = { model: "inherit", fallback: [] };
    expect(presetOverrides("local", { gaia: "orchestrator", "my-own": null })).toEqual({
      gaia: inherit,
      "my-own": inherit,
    });
  });

  it("names no agent that does not exist", () => {
    expect(Object.keys(presetOverrides("premium", { hades: "reviewer", "my-own": null }))).toEqual(["hades"]);
  });

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

  it("follows the strongest source that names one", async () => {
    const { config } = await loadSources({ user: '{ "preset": "budget" }', options: { preset: "local" } });
    expect(config.agents["minerva"]?.model).toBe("inherit");
  });
});

import { describe, expect, it } from "vitest";
import { buildAgents, type Agents, type AgentsInput } from "../../src/agents/build.ts";
import { parseCustomSpecialist } from "../../src/agents/custom/parse.ts";
import { renderGaiaPrompt } from "../../src/agents/gaia.ts";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import type { AgentOverride } from "../../src/config/agent-override.ts";
import { PERMISSION_NAMES } from "../../src/host/opencode/tool-call.ts";

function build(rest: Partial<AgentsInput> = {}): Agents {
  return buildAgents({
    definitions: SPECIALISTS,
    overrides: {},
    specialistTools: [],
    ownTools: ["delegate_gaia"],
    approvals: ["gaia_wave"],
    names: PERMISSION_NAMES,
    ...rest,
  });
}

it("GAIA has a prompt of at most 6,000 characters with the full roster", () => {
  expect(renderGaiaPrompt(SPECIALISTS).length).toBeLessThanOrEqual(6_000);
});

describe("configuration of agents", () => {
  it("removes a disabled agent from the roster, the delegation and OpenCode, GAIA as well", () => {
    const agents = build({ overrides: { hades: { disabled: true } } });
    expect(agents.entries).not.toHaveProperty("hades");
    expect(agents.specialists.has("hades")).toBe(false);
    expect(agents.entries["gaia"]?.prompt).not.toMatch(/- hades:/);
    const alone = build({ overrides: { gaia: { disabled: true } } });
    expect(alone.entries).not.toHaveProperty("gaia");
    expect(alone.preferenceOf("gaia")).toBeUndefined();
  });

  it.each([
    [
      "a model goes before the default chain",
      { model: "x/y" as const },
      ["x/y", "openai/gpt-5.2", "kimi-for-coding/kimi-k2-thinking", "kimi-for-coding/k2p5"],
    ],
    ["a fallback list replaces the rest", { fallback: ["x/y" as const] }, ["openai/gpt-5.2", "x/y"]],
    ["inherit empties the chain", { model: "inherit" as const }, []],
  ])("%s", (_name, override, expected) => {
    expect(build({ overrides: { hades: override } }).specialists.get("hades")?.models).toEqual(expected);
  });

  const rulesOf = (permission: AgentOverride["permission"] & object, ...tools: string[]) => {
    const overrides = { minerva: { permission, ...(tools.length > 0 && { toolbox: { tools } }) } };
    return build({ overrides }).entries["minerva"]?.permission ?? {};
  };

  it("keeps what holds for the rest of a tool, where a rule is about some of it", () => {
    const web = { "https://x/*": "deny" } as const;
    const rules = rulesOf({ webfetch: web, bash: { "make *": "allow" }, mcp_x: { a: "ask" } }, "*");
    expect(rules).toMatchObject({
      webfetch: { "*": "deny", ...web },
      bash: { "*": "ask", "make *": "allow" },
      mcp_x: { a: "ask" },
    });
    expect(Object.keys(rules["bash"] ?? {}).at(-1)).toBe("make *");
    const strict = { "*": "deny", "make *": "allow" } as const;
    expect(Object.entries(rulesOf({ bash: strict })["bash"] ?? {}).slice(-2)).toEqual(Object.entries(strict));
  });

  it("lets the user's own rule stand last, which counts, where the toolbox has one of its name", () => {
    expect(Object.keys(rulesOf({ "b*": "allow" }, "b*")).at(-1)).toBe("b*");
  });
});

describe("a custom specialist", () => {
  const built = (permission: string) => {
    const head = `description: mends catalogues\nrole: implementer\nmodel: a/b\npermission: ${permission}`;
    const result = parseCustomSpecialist("own", "own.md", `---\n${head}\n---\nDo it.`);
    if (!result.ok) throw new Error(result.problem.message);
    return build({ definitions: [...SPECIALISTS, result.definition] });
  };

  it.each([
    ["{}", true, 40],
    ["{ webfetch: allow }", true, 40],
    ["{ edit: ask }", false, 80],
  ])("with %s is in the roster, a reader: %s, and has %i steps", (permission, isReader, steps) => {
    const { readers, specialists, entries, named } = built(permission);
    expect([readers.has("own"), specialists.get("own")?.mutates]).toEqual([isReader, !isReader]);
    expect(entries["own"]).toMatchObject({ mode: "subagent", model: "a/b", steps });
    expect(entries["gaia"]?.prompt).toContain("- own: mends catalogues");
    expect(named("implementer").at(-1)).toBe("own");
  });
});

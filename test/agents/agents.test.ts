import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { buildAgents, type Agents, type AgentsInput } from "../../src/agents/build.ts";
import { parseCustomSpecialist } from "../../src/agents/custom/parse.ts";
import { defineSpecialist } from "../../src/agents/define.ts";
import { renderGaiaPrompt } from "../../src/agents/gaia.ts";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { defineContract } from "../../src/contracts/contract.ts";
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

describe("GAIA", () => {
  it("has a prompt of at most 6,000 characters with the full roster", () => {
    expect(renderGaiaPrompt(SPECIALISTS).length).toBeLessThanOrEqual(6_000);
  });

  it("may neither edit nor use the native task tool, and raises dialogs for approvals", () => {
    expect(build().entries["gaia"]?.permission).toMatchObject({
      "*": "deny",
      question: "allow",
      delegate_gaia: "allow",
      gaia_wave: "ask",
    });
    expect(build().entries["gaia"]?.permission).not.toHaveProperty("edit");
    expect(build().entries["gaia"]?.permission).not.toHaveProperty("task");
  });
});

describe("configuration of agents", () => {
  it("removes a disabled agent from the roster, the delegation and OpenCode", () => {
    const agents = build({ overrides: { hades: { disabled: true } } });
    expect(agents.entries).not.toHaveProperty("hades");
    expect(agents.specialists.has("hades")).toBe(false);
    expect(agents.entries["gaia"]?.prompt).not.toMatch(/- hades:/);
  });

  it("removes a disabled GAIA as well", () => {
    const agents = build({ overrides: { gaia: { disabled: true } } });
    expect(agents.entries).not.toHaveProperty("gaia");
    expect(agents.preferenceOf("gaia")).toBeUndefined();
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

  it("keeps what holds for the rest of a tool, where a rule is about some of it", () => {
    const permission = {
      webfetch: { "https://x/*": "deny" },
      bash: { "make *": "allow" },
      mcp_x: { a: "ask" },
    } as const;
    const agents = build({ overrides: { minerva: { toolbox: { tools: ["*"] }, permission } } });
    const rules = agents.entries["minerva"]?.permission;
    expect(rules).toMatchObject({
      webfetch: { "*": "deny", "https://x/*": "deny" },
      bash: { "*": "ask", "make *": "allow" },
      mcp_x: { a: "ask" },
    });
    expect(Object.keys(rules?.["bash"] ?? {}).at(-1)).toBe("make *");
    const strict = { bash: { "*": "deny", "make *": "allow" } } as const;
    const { entries } = build({ overrides: { minerva: { permission: strict } } });
    expect(Object.entries(entries["minerva"]?.permission["bash"] ?? {}).slice(-2)).toEqual(
      Object.entries(strict.bash),
    );
  });

  it("lets the user's own rule stand last, which counts, where the toolbox has one of its name", () => {
    const permission = { "b*": "allow" } as const;
    const agents = build({ overrides: { minerva: { toolbox: { tools: ["b*"] }, permission } } });
    expect(Object.keys(agents.entries["minerva"]?.permission ?? {}).at(-1)).toBe("b*");
  });
});

describe("a custom specialist", () => {
  const built = (permission: string) => {
    const head = `---\ndescription: d\npermission: ${permission}\n---\nDo it.`;
    const result = parseCustomSpecialist("own", "own.md", head);
    if (!result.ok) throw new Error(result.problem.message);
    return build({ definitions: [...SPECIALISTS, result.definition] });
  };

  it.each([
    ["{}", true, false],
    ["{ webfetch: allow }", true, false],
    ["{ edit: ask }", false, true],
  ])("with %s is a reader: %s, an editor: %s", (permission, ...expected) => {
    const { readers, specialists } = built(permission);
    expect([readers.has("own"), specialists.get("own")?.mutates]).toEqual(expected);
  });
});

describe("a tenth specialist", () => {
  it("is one definition and one more entry in the list", () => {
    const persephone = defineSpecialist({
      name: "persephone",
      role: "implementer",
      description: "translations: message catalogues and their gaps.",
      defaults: { models: ["a/b"], temperature: 0.1 },
      access: { edit: "ask", web: false },
      contract: defineContract({}, () => ({ catalogues: z.array(z.string()) })),
      prompt: "You are PERSEPHONE.\n\nMUST\n- Keep keys.\n\nMUST NOT\n- Translate code.",
    });
    const agents = build({ definitions: [...SPECIALISTS, persephone] });
    expect(agents.entries["persephone"]).toMatchObject({ mode: "subagent", model: "a/b", steps: 80 });
    expect(agents.specialists.get("persephone")).toMatchObject({ mutates: true, role: "implementer" });
    expect(agents.named("implementer").at(-1)).toBe("persephone");
    expect(agents.entries["gaia"]?.prompt).toContain("- persephone: translations");
  });
});

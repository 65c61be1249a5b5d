import { describe, expect, it } from "vitest";
import type { Registered, Registration } from "../../src/host/hook-events.ts";
import { registerInConfig } from "../../src/host/opencode/registration.ts";

const registration = {
  agents: {
    gaia: { prompt: "ours", permission: { "*": "deny", read: "allow" } },
    minerva: { prompt: "hers" },
  },
  commands: { live: { template: "x", description: "y" } },
  tools: ["delegate_gaia"],
};
const hidden = { delegate_gaia: "deny", "task*": { gaia: "deny", minerva: "deny" } };

/** With agents of whom only what a test is about is told. */
function registerPart(
  config: Record<string, unknown>,
  given: Omit<Registration, "agents"> & { readonly agents: Record<string, object> },
): Registered {
  return registerInConfig(config, given as Registration);
}

function register(config: Record<string, unknown>): Record<string, unknown> {
  registerPart(config, registration);
  return config;
}

describe("registerInConfig", () => {
  it("hides our tools and agents from everybody else", () => {
    expect(register({})).toMatchObject({ permission: hidden });
  });

  it.each([
    ["a word", "ask", { "*": "ask", ...hidden }],
    ["rules", { bash: "ask", task: { "*": "deny" } }, { bash: "ask", task: { "*": "deny" }, ...hidden }],
  ])("keeps the user's permissions given as %s, and stands behind them", (_name, permission, expected) => {
    const result = register({ permission })["permission"];
    expect(result).toEqual(expected);
    expect(Object.keys(result as object).slice(-2)).toEqual(["delegate_gaia", "task*"]);
  });

  it("repeats the rules behind the permissions of the user's own agents", () => {
    const config = register({ agent: { docs: { permission: { "*": "allow" } }, plain: { prompt: "p" } } });
    expect(config["agent"]).toMatchObject({
      docs: { permission: { "*": "allow", ...hidden } },
      plain: { prompt: "p" },
    });
    expect((config["agent"] as Record<string, object>)["plain"]).not.toHaveProperty("permission");
  });

  it("lets the user's entry for one of our agents win key by key", () => {
    const users = { prompt: "mine", permission: { read: "ask", edit: "allow" } };
    const config = register({ agent: { gaia: users } });
    expect(config["agent"]).toMatchObject({
      gaia: { prompt: "mine", permission: { "*": "deny", read: "ask", edit: "allow" } },
      minerva: { prompt: "hers" },
    });
  });

  it("denies our agents what the user denies to everybody, their own entry for the agent aside", () => {
    const given = {
      ...registration,
      agents: {
        gaia: {
          permission: {
            "*": "deny",
            "mcp_*": "ask",
            bash: "ask",
            read: { "*": "allow", "*.env": "ask" },
            question: "allow",
            delegate_gaia: "allow",
          },
        },
        minerva: { permission: { "*": "deny", bash: "ask", read: "allow" } },
      },
    };
    const permission = {
      read: { "private/*": "deny", "b*": "allow" },
      bash: { "*": "deny", "git *": "allow", "git push*": "deny" },
      glob: "deny",
      webfetch: "ask",
      "mcp_*": "deny",
    };
    const config = { permission, agent: { minerva: { permission: { bash: "allow" } } } };
    const tree = "*opencode-gaia/worktree/*/private/*";
    const read = {
      "private/*": "deny",
      [tree]: "deny",
      "b*": "allow",
      "*opencode-gaia/worktree/*/b*": "allow",
    };
    const expected = {
      gaia: [
        ["*", "deny"],
        ["mcp_*", "ask"],
        ["question", "allow"],
        ["delegate_gaia", "allow"],
        ["read", { "*": "allow", "*.env": "ask", ...read }],
        ["bash", { "*": "deny", "git *": "ask", "git push*": "deny" }],
        ["glob", "deny"],
        ["mcp_**", { "*": "deny" }],
      ],
      minerva: [
        ["*", "deny"],
        ["read", { "*": "allow", ...read }],
        ["glob", "deny"],
        ["mcp_**", { "*": "deny" }],
        ["bash", "allow"],
      ],
    };
    const rulesOf = (): object => {
      registerPart(config, given);
      return Object.fromEntries(
        Object.entries(config.agent).map(([name, entry]) => [name, Object.entries(entry.permission)]),
      );
    };
    expect(rulesOf()).toEqual(expected);
    const orders = JSON.stringify(config.agent);
    expect(rulesOf()).toEqual(expected);
    expect(JSON.stringify(config.agent)).toBe(orders);
  });

  it("leaves GAIA her own tools where the user denies all that they do not name", () => {
    const agents = {
      gaia: {
        permission: { "*": "deny", bash: "ask", read: "allow", question: "allow", delegate_gaia: "allow" },
      },
    };
    const config: Record<string, unknown> = { permission: { "*": "deny", read: "allow" } };
    registerPart(config, { ...registration, agents });
    const gaia = (config["agent"] as Record<string, { permission: object }>)["gaia"];
    expect(Object.entries(gaia?.permission ?? {})).toEqual([
      ["*", "deny"],
      ["bash", "ask"],
      ["**", { "*": "deny" }],
      ["question", "allow"],
      ["delegate_gaia", "allow"],
      ["read", "allow"],
    ]);
  });

  it("tells the bound on turns that the user set for one of our agents, at a second pass too", () => {
    const given = { agents: { ...registration.agents, minerva: { steps: 40 } } };
    const config = { agent: { gaia: { steps: 9 } } };
    const stepsOf = (): unknown[] =>
      registerPart(config, { ...registration, ...given }).agents.map(({ name, steps }) => [name, steps]);
    const expected = [
      ["gaia", 9],
      ["minerva", null],
    ];
    expect(stepsOf()).toEqual(expected);
    expect(stepsOf()).toEqual(expected);
  });

  it.each<[string, object, boolean]>([
    ["a folder", { edit: { "docs/**": "allow" } }, true],
    ["a file by its name", { read: { "secrets.json": "deny" } }, true],
    ["the ends of names", { read: { "*.env": "ask" } }, false],
    ["commands", { bash: { "git push": "ask" } }, false],
    ["skills", { skill: { "internal-*": "deny" } }, false],
    ["addresses", { webfetch: { "https://x/*": "allow" } }, false],
  ])("tells whether rules are about where files lie: %s", (_name, permission, expected) => {
    const { agents } = registerPart({ agent: { minerva: { permission } } }, registration);
    expect(agents.find(({ name }) => name === "minerva")?.rulesPaths).toBe(expected);
  });

  it("lets the user's command of the same name win", () => {
    expect(register({ command: { live: { template: "mine" } } })["command"]).toEqual({
      live: { template: "mine" },
    });
  });
});

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

describe("registerInConfig", () => {
  it("hides our tools and agents from everybody else", () => {
    const config = {};
    registerPart(config, registration);
    expect(config).toMatchObject({ permission: hidden });
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
});

import { describe, expect, it } from "vitest";
import { readServers } from "../../src/context/skills/read-servers.ts";

const read = (yaml: string): { servers: ReturnType<typeof readServers>; told: string[] } => {
  const told: string[] = [];
  return { servers: readServers(`---\nname: x\n${yaml}\n---\nText.`, (line) => told.push(line)), told };
};

describe("the MCP servers of a skill", () => {
  it.each([
    ["a command with arguments", 'mcp:\n  web:\n    command: npx\n    args: ["-y", "@playwright/mcp"]'],
    ["one list", 'mcp: { web: { type: local, command: [npx, "-y", "@playwright/mcp"] } }'],
  ])("are read as %s", (_what, yaml) => {
    expect(read(yaml)).toEqual({
      servers: [{ name: "web", command: ["npx", "-y", "@playwright/mcp"], environment: {}, network: false }],
      told: [],
    });
  });

  it.each(["env", "environment"])("are given what %s says", (key) => {
    const { servers } = read(`mcp:\n  db:\n    command: db\n    ${key}: { PORT: 5432, KEY: "\${DB_KEY}" }`);
    expect(servers).toEqual([
      { name: "db", command: ["db"], environment: { PORT: "5432", KEY: "${DB_KEY}" }, network: false },
    ]);
  });

  it.each([
    ["true", true],
    ["yes", false],
    ["1", false],
  ])("have the network only where it is asked for: %s", (given, expected) => {
    expect(read(`mcp: { web: { command: x, network: ${given} } }`).servers).toMatchObject([
      { network: expected },
    ]);
  });

  it.each([
    "mcp: { web: { url: 'https://x' } }",
    "mcp: { 'a b': { command: x } }",
    "mcp: { web: { command: x, args: [{}] } }",
  ])("are left out where nothing can be started: %s", (yaml) => {
    const { servers, told } = read(yaml);
    expect(servers).toEqual([]);
    expect(told).toHaveLength(1);
  });

  it("are none without any, and no YAML is told of", () => {
    expect(read("description: x").servers).toEqual([]);
    expect(read("mcp: [a]").servers).toEqual([]);
    expect(() => read("mcp: {")).toThrow(/flow/);
  });
});

import { expect, it } from "vitest";
import type * as registryModule from "../../src/agents/registry.ts";
import type * as buildModule from "../../src/agents/build.ts";
import type * as namesModule from "../../src/host/opencode/tool-call.ts";
import type * as commandsModule from "../../src/cli/commands.ts";
import type * as mainModule from "../../src/cli/main.ts";
import type * as suggestModule from "../../src/checks/definition-of-done/suggest.ts";
import { createProject } from "../checks/project.ts";
import { copySources } from "../support/copy-sources.ts";
import { fileToolsOf } from "../../src/tools/announced.ts";
import { defaultConfig } from "../../src/config/defaults.ts";

it("a specialist takes its file and a line in the registry, and is then one of OpenCode's agents", async () => {
  const sources = await copySources();
  const apollo = await sources.read("src/agents/apollo.ts");
  await sources.write("src/agents/toy.ts", apollo.replaceAll("apollo", "toy").replaceAll("APOLLO", "TOY"));
  await sources.add(
    "src/agents/registry.ts",
    ["import { poseidon }", 'import { toy } from "./toy.ts";\n'],
    ["  poseidon,\n", "  toy,\n"],
  );
  const { SPECIALISTS }: typeof registryModule = await sources.load("src/agents/registry.ts");
  const { buildAgents }: typeof buildModule = await sources.load("src/agents/build.ts");
  const { PERMISSION_NAMES: names }: typeof namesModule = await sources.load(
    "src/host/opencode/tool-call.ts",
  );
  const { entries, specialists } = buildAgents({
    definitions: SPECIALISTS,
    overrides: {},
    specialistTools: [],
    ownTools: [],
    approvals: [],
    names,
    fileTools: (definition) => fileToolsOf({ ...defaultConfig() }, definition),
  });
  expect(entries["toy"]).toMatchObject({ mode: "subagent", prompt: expect.stringContaining("You are TOY") });
  expect(entries["gaia"]?.prompt).toContain("toy");
  expect(specialists.get("toy")?.role).toBe("recon");
});

it("a command of the CLI takes its file, a line in the list and its help", async () => {
  const sources = await copySources();
  const toy = `import { defineCommand } from "./main.ts";
export const toy = defineCommand({
  name: "toy", summary: "play", options: {},
  async run(_given, { print }) { print("played"); return 0; },
});
`;
  await sources.write("src/cli/toy.ts", toy);
  await sources.write("templates/cli/toy.txt", "opencode-gaia toy\n\nPlays.\n");
  await sources.add(
    "src/cli/commands.ts",
    ["import { uninstall }", 'import { toy } from "./toy.ts";\n'],
    ["uninstall];", "toy, "],
  );
  const { COMMANDS }: typeof commandsModule = await sources.load("src/cli/commands.ts");
  const { runCli }: typeof mainModule = await sources.load("src/cli/main.ts");
  const lines: string[] = [];
  for (const args of [["toy"], ["toy", "--help"], ["--help"]])
    expect(await runCli(COMMANDS, args, (text) => lines.push(text))).toBe(0);
  expect(lines).toEqual([
    "played",
    "opencode-gaia toy\n\nPlays.",
    expect.stringMatching(/^ {2}toy +play$/mu),
  ]);
});

it("a check that can be suggested takes one line", async () => {
  const sources = await copySources();
  await sources.add("src/checks/definition-of-done/suggest.ts", [
    '  tool("swift-test"',
    '  tool("toy-test", "test", "toy test", ["toy.toml"]),\n',
  ]);
  const { suggestChecks }: typeof suggestModule = await sources.load(
    "src/checks/definition-of-done/suggest.ts",
  );
  const [found] = await suggestChecks(await createProject({ "toy.toml": "" }));
  expect(found).toMatchObject({ id: "toy-test", command: "toy test", source: "toy.toml" });
});

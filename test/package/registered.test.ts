import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { writeIn, openFolder } from "../support/directory.ts";
import { loadInFakeOpenCode } from "../support/fake-opencode.ts";

/** Everything that OpenCode gets to see of the plugin, through its real entry, with one preset: a line for each thing. */
async function registered(preset: string): Promise<string> {
  const directory = await openFolder();
  vi.stubEnv("XDG_CONFIG_HOME", directory);
  await writeIn(directory, ".gaia/config.jsonc", JSON.stringify({ preset }));
  const { hooks } = await loadInFakeOpenCode(directory);
  const config: JsonRecord = {};
  await hooks.config?.(config);
  await hooks.dispose?.();
  vi.unstubAllEnvs();
  const { tool: tools = {}, config: _config, dispose: _dispose, ...events } = hooks;
  const lines = [
    ...Object.keys(events).map((name) => `hook ${name}`),
    ...Object.entries(tools).map(([name, { args }]) => `tool ${name}: ${argumentsOf(args)}`),
    ...Object.keys(recordOf(config["command"])).map((name) => `command /${name}`),
    ...rulesOf(config["permission"]),
    ...Object.entries(recordOf(config["agent"])).flatMap(([name, entry]) =>
      describeAgent(name, recordOf(entry)),
    ),
  ];
  return `${lines.join("\n")}\n`;
}

/** A name with `?` may be left out. */
function argumentsOf(shape: z.core.$ZodShape): string {
  const required = z.toJSONSchema(z.object(shape), { io: "input" }).required ?? [];
  return Object.keys(shape)
    .map((name) => (required.includes(name) ? name : `${name}?`))
    .join(" ");
}

/** Words change often and are judged elsewhere; what an agent is and may do does not. */
function describeAgent(name: string, entry: JsonRecord): string[] {
  const { prompt: _prompt, description: _description, permission, ...rest } = entry;
  return [`agent ${name}: ${JSON.stringify(rest)}`, ...rulesOf(permission).map((rule) => `  ${rule}`)];
}

/** In their order, which counts: the last one that matches wins. */
function rulesOf(rules: unknown): string[] {
  return Object.entries(recordOf(rules)).map(([name, rule]) => `permission ${name}: ${JSON.stringify(rule)}`);
}

describe("what the plugin registers", () => {
  it("by default", async () => {
    await expect(await registered("balanced")).toMatchFileSnapshot(
      join(import.meta.dirname, "registered.txt"),
    );
  });

  it.each(["budget", "premium", "local"])("differs only in models with the preset %s", async (preset) => {
    const [base, other] = [await registered("balanced"), await registered(preset)];
    const withoutModels = (lines: string): string => lines.replaceAll(/"model":"[^"]*",?/g, "");
    expect(withoutModels(other)).toBe(withoutModels(base));
    expect(other === base).toBe(preset === "local");
  });
});

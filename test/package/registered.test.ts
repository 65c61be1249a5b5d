import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PluginInput } from "@opencode-ai/plugin";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod/mini";
import plugin from "../../src/index.ts";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";

let directory: string;
let xdg: string | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-registered-"));
  xdg = process.env["XDG_CONFIG_HOME"];
  process.env["XDG_CONFIG_HOME"] = directory;
});
afterEach(async () => {
  if (xdg === undefined) delete process.env["XDG_CONFIG_HOME"];
  else process.env["XDG_CONFIG_HOME"] = xdg;
  await rm(directory, { recursive: true, force: true });
});

/** Everything that OpenCode gets to see of the plugin, through its real entry, with one preset. */
async function registered(preset: string): Promise<JsonRecord> {
  await mkdir(join(directory, ".gaia"), { recursive: true });
  await writeFile(join(directory, ".gaia/config.jsonc"), JSON.stringify({ preset }));
  const silent = async (): Promise<object> => ({ data: null });
  const client = { _client: { get: silent, post: silent, patch: silent } };
  const hooks = await plugin.server({ client, directory, worktree: directory } as unknown as PluginInput);
  const config: JsonRecord = {};
  await hooks.config?.(config);
  await hooks.dispose?.();
  const { tool: tools = {}, config: _config, dispose: _dispose, ...events } = hooks;
  return {
    events: Object.keys(events),
    tools: Object.fromEntries(Object.entries(tools).map(([name, { args }]) => [name, argumentsOf(args)])),
    commands: Object.keys(recordOf(config["command"])),
    permission: listRules(config["permission"]),
    agents: Object.fromEntries(
      Object.entries(recordOf(config["agent"])).map(([name, entry]) => [name, agentOf(recordOf(entry))]),
    ),
  };
}

/** A name with `?` may be left out. */
function argumentsOf(shape: z.core.$ZodShape): string[] {
  const required = z.toJSONSchema(z.object(shape), { io: "input" }).required ?? [];
  return Object.keys(shape).map((name) => (required.includes(name) ? name : `${name}?`));
}

/** Words change often and are judged elsewhere; what an agent is and may do does not. */
function agentOf({ prompt: _prompt, description: _description, ...rest }: JsonRecord): JsonRecord {
  return { ...rest, permission: listRules(rest["permission"]) };
}

/** A list, because the order of rules counts: the last one that matches wins. */
function listRules(rules: unknown): string[] {
  return Object.entries(recordOf(rules)).map(([name, rule]) => `${name}: ${JSON.stringify(rule)}`);
}

/** All that is registered, without the models. */
function withoutModels(all: JsonRecord): JsonRecord {
  const agents = Object.entries(recordOf(all["agents"])).map(([name, entry]) => {
    const { model: _model, ...rest } = recordOf(entry);
    return [name, rest] as const;
  });
  return { ...all, agents: Object.fromEntries(agents) };
}

describe("what the plugin registers", () => {
  it("by default", async () => {
    expect(await registered("balanced")).toMatchSnapshot();
  });

  it.each(["budget", "premium", "local"])("differs only in models with the preset %s", async (preset) => {
    const [base, other] = [await registered("balanced"), await registered(preset)];
    expect(withoutModels(other)).toEqual(withoutModels(base));
    const isSame = JSON.stringify(other) === JSON.stringify(base);
    expect(isSame).toBe(preset === "local");
  });
});

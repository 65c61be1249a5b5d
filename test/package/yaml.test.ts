import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { PluginInput } from "@opencode-ai/plugin";
import { load, YAMLException } from "js-yaml";
import { afterEach, beforeEach, expect, it } from "vitest";
import type plugin from "../../src/index.ts";
import { recordOf } from "../../src/lib/json.ts";

let directory: string;
let data: string | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-yaml-"));
  data = process.env["XDG_CONFIG_HOME"];
  process.env["XDG_CONFIG_HOME"] = directory;
});
afterEach(async () => {
  if (data === undefined) delete process.env["XDG_CONFIG_HOME"];
  else process.env["XDG_CONFIG_HOME"] = data;
  await rm(directory, { recursive: true, force: true });
});

/** What the built package registers of a specialist with this front matter. */
async function registered(head: string): Promise<Record<string, unknown> | null> {
  await mkdir(join(directory, ".gaia/agents"), { recursive: true });
  await writeFile(join(directory, ".gaia/agents/scribe.md"), `---\n${head}\n---\nYou write.\n`);
  const built = (await import(pathToFileURL(resolve("dist/index.js")).href)) as { default: typeof plugin };
  const silent = async (): Promise<object> => ({ data: null });
  const client = { _client: { get: silent, post: silent, patch: silent } };
  const input = { client, directory, worktree: directory } as unknown as PluginInput;
  const hooks = await built.default.server(input);
  const config: Record<string, unknown> = {};
  await hooks.config?.(config);
  await hooks.dispose?.();
  const { scribe } = recordOf(config["agent"]);
  return scribe === undefined ? null : recordOf(scribe);
}

it.each([
  "description: plain text # and a comment\ntemperature: 0.5\nsteps: 7",
  'description: "quoted: \\u00e9\\n"\ntemperature: .25\nsteps: 0x10',
  "description: 'it''s'\ntemperature: 1e-1\nsteps: +12",
  "description: >-\n  folded\n  lines\n\n  of text\ntemperature: 1\nsteps: 0o17",
  "description: |\n  block\n    lines\ntemperature: 0\nsteps: 3",
  "{description: flow, temperature: 0.125, 'steps': 9}",
  "? description\n: explicit\n!!str temperature: !!float 1\nsteps: !!int 4",
])("the bundled half of js-yaml reads as all of it: %j", async (head) => {
  const { description, temperature, steps } = recordOf(load(head));
  const scribe = await registered(head);
  expect(scribe).toMatchObject({ temperature, steps });
  expect(scribe?.["description"]).toContain(String(description).trim());
});

it.each([
  "description: a\n  b: c",
  "description: &a x\nprompt: *a",
  "description: 'open",
  "\tdescription: x",
])("and refuses what it refuses: %j", async (head) => {
  expect(() => load(head, { maxAliases: 0 })).toThrow(YAMLException);
  expect(await registered(head)).toBeNull();
});

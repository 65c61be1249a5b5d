import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Hooks, PluginInput } from "@opencode-ai/plugin";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

/** A static import in the built code. */
const IMPORTED = /(?:from|^import) "\.\/([^"]+)";$/gm;
const NATIVE = "ses_native";
const ROOT = "ses_root";

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "gaia-start-"));
  vi.stubEnv("XDG_CONFIG_HOME", place);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(place, { recursive: true, force: true });
});

/** Installs only the files that a start loads: whatever is loaded later is missing. */
async function startAlone(): Promise<Hooks> {
  const names = new Set<string>(["index.js"]);
  for (const name of names) {
    const text = await readFile(join("dist", name), "utf8");
    for (const [, next = ""] of text.matchAll(IMPORTED)) names.add(next);
  }
  expect(names.size).toBeLessThan((await readdir("dist")).length / 2);
  const installed = join(place, "node_modules/opencode-gaia");
  await cp("package.json", join(installed, "package.json"));
  await Promise.all([...names].map(async (name) => cp(join("dist", name), join(installed, name))));
  const { default: plugin } = (await import(pathToFileURL(join(installed, "index.js")).href)) as {
    default: { server(input: PluginInput): Promise<Hooks> };
  };
  const silent = async (): Promise<object> => ({ data: null });
  const client = { _client: { get: silent, post: silent, patch: silent } };
  return plugin.server({ client, directory: place, worktree: place } as unknown as PluginInput);
}

async function say(hooks: Hooks, sessionID: string, agent: string): Promise<void> {
  const message = { id: "msg_1", sessionID, role: "user", agent, model: { providerID: "a", modelID: "one" } };
  const parts = [{ id: "prt_1", type: "text", text: "Go on" }];
  await hooks["chat.message"]?.({ sessionID }, { message, parts } as never);
}

/** A command that is about to run, and has run. */
async function run(hooks: Hooks, sessionID: string): Promise<void> {
  const call = { tool: "bash", sessionID, callID: "call_1" };
  const args = { command: "ls" };
  await hooks["tool.execute.before"]?.(call, { args });
  await hooks["shell.env"]?.({ cwd: place, sessionID, callID: "call_1" }, { env: {} });
  await hooks["tool.execute.after"]?.({ ...call, args }, { title: "", output: "a", metadata: {} });
}

async function request(hooks: Hooks, sessionID: string, agent: string): Promise<void> {
  await hooks["experimental.chat.system.transform"]?.({ sessionID, model: {} } as never, { system: ["You"] });
  const output = { temperature: 0, topP: 1, topK: 0, options: {} };
  await hooks["chat.params"]?.(
    { sessionID, agent, model: {}, provider: {}, message: {} } as never,
    output as never,
  );
}

it("is all that a session with another agent ever loads; GAIA, who then cannot be loaded, is held at every gate", async () => {
  const hooks = await startAlone();
  await hooks.config?.({});
  const begins = async (id: string) =>
    hooks.event?.({ event: { type: "session.created", properties: { info: { id, title: "" } } } as never });
  await begins(NATIVE);
  await say(hooks, NATIVE, "build");
  await request(hooks, NATIVE, "build");
  await run(hooks, NATIVE);
  await hooks["experimental.session.compacting"]?.({ sessionID: NATIVE }, { context: [] });

  await begins(ROOT);
  await say(hooks, ROOT, "gaia");
  await expect(request(hooks, ROOT, "gaia")).rejects.toThrow(/could not be loaded.*restart OpenCode/i);
  await expect(run(hooks, ROOT)).rejects.toThrow(/could not be loaded/);
  await expect(hooks.tool?.["plan_gaia"]?.execute({}, {} as never)).rejects.toThrow(/could not be loaded/);
  await run(hooks, NATIVE);
  await hooks.dispose?.();
});

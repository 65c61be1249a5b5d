import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HostSession } from "../../src/host/port.ts";
import type { ToolEffect } from "../../src/host/tool-call.ts";
import { recordOf, textOf, type JsonRecord } from "../../src/lib/json.ts";
import { composePlugin, type ComposedPlugin } from "../../src/plugin.ts";
import { createFakeHost, sessionOf } from "../support/fake-host.ts";
import { openFolder } from "../support/directory.ts";
import { callOf } from "../support/incoming-call.ts";

/** The hooks of a host of another vocabulary: OpenCode 2's names of tools, arguments and hooks, as far as they are known. */
interface SecondHost {
  "session.prompt"(event: { session: string; agent: string; text: string }): Promise<void>;
  "tool.before"(event: { session: string; name: string; input: JsonRecord }): Promise<void>;
  "session.created"(session: HostSession): Promise<void>;
}

const EFFECTS: Record<string, (input: JsonRecord) => ToolEffect> = {
  shell: (input) => ({ kind: "command", command: text(input, "command"), workdir: null }),
  edit: (input) => edit(text(input, "path"), text(input, "oldText"), text(input, "newText")),
  write: (input) => edit(text(input, "path"), null, text(input, "text")),
  read: (input) => ({ kind: "read", paths: [text(input, "path")], patterns: [], addresses: [] }),
};

const text = (input: JsonRecord, key: string): string => textOf(input[key]) ?? "";

function edit(path: string, before: string | null, after: string): ToolEffect {
  return { kind: "edit", isPatch: false, edits: [{ path, before, after }] };
}

/** The second adapter: everything that would have to be written. */
function adapt({ handlers }: ComposedPlugin): SecondHost {
  return {
    async "session.created"(session) {
      await handlers["host-event"]?.({ type: "session.created", session });
    },
    async "session.prompt"({ session, agent, text: said }) {
      await handlers["user-message"]?.({
        sessionId: session,
        agent,
        model: "a/one",
        said: { text: said, files: [] },
        useModel() {},
        useAgent() {},
        appendForModel() {},
        reword() {},
        showInstead() {},
      });
    },
    async "tool.before"({ session, name, input }) {
      const effect = EFFECTS[name]?.(input) ?? { kind: "other", paths: [], addresses: [] };
      const call = callOf(session, { kind: "command", command: "", workdir: null });
      await handlers["before-tool"]?.({ ...call, tool: name, args: input, effect });
    },
  };
}

const ROOT = "root";
let directory: string;
let plugin: ComposedPlugin;
let second: SecondHost;

beforeEach(async () => {
  directory = await openFolder();
  vi.stubEnv("XDG_CONFIG_HOME", directory);
});
afterEach(async () => {
  await plugin.dispose();
  vi.unstubAllEnvs();
});

async function start(options: JsonRecord): Promise<void> {
  plugin = await composePlugin(createFakeHost(directory), options);
  second = adapt(plugin);
  await second["session.created"](sessionOf(ROOT));
  await second["session.prompt"]({ session: ROOT, agent: "gaia", text: "Begin" });
}

/** What a call is refused with; null when it runs. */
async function call(session: string, name: string, input: JsonRecord): Promise<string | null> {
  try {
    await second["tool.before"]({ session, name, input });
    return null;
  } catch (error) {
    return textOf(recordOf(error)["message"]) ?? "";
  }
}

describe("a host that calls things otherwise", () => {
  it("has its shell held to locked mode, by what the command does", async () => {
    await start({ mode: "locked", sandbox: "off" });
    expect(await call(ROOT, "shell", { command: "git status" })).toBeNull();
    expect(await call(ROOT, "shell", { command: "touch a.txt" })).toMatch(/^Refused shell: .*locked/);
    expect(await call(ROOT, "shell", { command: "rm -rf /" })).toMatch(/^Refused shell: a dangerous/);
    expect(await call(ROOT, "read", { path: "src/a.ts" })).toBeNull();
  });

  it.each([
    ["a file of the project", "edit", { path: "src/a.ts" }, /writes only below \.gaia\//],
    ["a new file of the project", "write", { path: "../a.ts", text: "" }, /writes only below \.gaia\//],
    ["the configuration", "write", { path: ".gaia/config.jsonc", text: "{}" }, /which only the user changes/],
  ])("has the historian's edits held to the record: %s", async (_what, name, input, refusal) => {
    await start({});
    const metadata = { gaia_child: { agent: "demeter" } };
    await second["session.created"](sessionOf("child", { parentId: ROOT, metadata }));
    expect(await call("child", name, input)).toMatch(refusal);
    expect(await call("child", name, { ...input, path: ".gaia/log.md" })).toBeNull();
  });

  it("has other agents' sessions left alone", async () => {
    await start({ mode: "locked" });
    await second["session.created"](sessionOf("other"));
    await second["session.prompt"]({ session: "other", agent: "build", text: "Begin" });
    expect(await call("other", "shell", { command: "touch a.txt" })).toBeNull();
  });
});

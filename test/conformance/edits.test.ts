import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { CHILD_METADATA_KEY } from "../../src/delegation/child-session.ts";
import { composeHooks } from "../../src/hooks/compose.ts";
import { createCalls } from "../../src/host/opencode/calls.ts";
import { toOpenCodeHooks } from "../../src/host/opencode/hooks.ts";
import { runPrepared, runTool } from "../../src/host/opencode/tools.ts";
import type { JsonRecord } from "../../src/lib/json.ts";
import type { ToolDefinition } from "../../src/host/tool.ts";
import { createEndCall, listFileTools, listTools } from "../../src/tools/registry.ts";
import { approvedWave, set } from "../conversation/collaboration/session.ts";
import { compose, ROOT, type Composition } from "../support/composition.ts";
import { commitAll, git, writeIn } from "../support/directory.ts";
import { entryTexts } from "../support/entries.ts";
import { sessionOf } from "../support/fake-host.ts";

// A language server starts for some of them.
vi.setConfig({ testTimeout: 60_000 });

/** One piece of a file for another. */
interface Change {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/** A way to change a file: what a model calls, and what of it the host carries out itself. */
interface Way {
  readonly tool: string;
  readonly agent?: string;
  args(change: Change, scene: Scene): JsonRecord | Promise<JsonRecord>;
  /** What has to be there before. */
  begin?(scene: Scene): Promise<void>;
  /** Which permission the host asks for before its own tool writes; the plugin's own tools ask by themselves. */
  readonly asks?: "edit" | "bash" | "files_edit_file";
  /** Which files a command changed, nobody knows before it ran. */
  readonly isOpen?: true;
  /** Nobody can tell what it does, so that no wave's yes is one to it. */
  readonly isUnknown?: true;
  /** How many lines it changes, where that is more than the one. */
  readonly lines?: number;
  /** What its permission is for, where that is not the file. */
  readonly asksFor?: string;
  /** What has to be switched on for it. */
  readonly on?: "code" | "skillServers";
}

/** A specialist who edits by anchors; all others have the host's tools. */
const ANCHORED = "artemis";
const CHANGE: Change = { file: "src/a.ts", before: "old(1)", after: "fresh(1)" };
const GUARDED: Change = { ...CHANGE, file: ".opencode/plugin/guard.ts" };
const SOURCE = "function old(a: number): number {\n  return a;\n}\nold(1);\n";

/** `old` of `old(1)`. */
const nameOf = (code: string): string => code.replace(/\(.*/, "");

const WAYS: Record<string, Way> = {
  edit: {
    tool: "edit",
    asks: "edit",
    args: ({ file, before, after }, { at }) => ({ filePath: at(file), oldString: before, newString: after }),
  },
  write: {
    tool: "write",
    asks: "edit",
    args: async ({ file, before, after }, { at }) => ({
      filePath: at(file),
      content: (await readFile(at(file), "utf8")).replace(before, after),
    }),
  },
  "a tool of an MCP server's": {
    tool: "files_edit_file",
    asks: "files_edit_file",
    isOpen: true,
    isUnknown: true,
    args: ({ file, before, after }, { at }) => ({
      path: at(file),
      edits: [{ oldText: before, newText: after }],
    }),
  },
  patch: {
    tool: "apply_patch",
    asks: "edit",
    args: ({ file, before, after }) => ({
      patchText: `*** Begin Patch\n*** Update File: ${file}\n@@\n-${before}\n+${after}\n*** End Patch`,
    }),
  },
  "a command": {
    tool: "bash",
    asks: "bash",
    isOpen: true,
    // What it changes is not read from its text, and nothing contains it here.
    isUnknown: true,
    args: ({ file, before, after }) => ({
      command: `sed 's/${before}/${after}/' ${file} > ${file}`,
      description: "Changes it",
    }),
  },
  ast_gaia: {
    tool: "ast_gaia",
    args: ({ file, before, after }) => ({
      pattern: before,
      lang: "ts",
      rewrite: after,
      paths: [file],
      dry_run: false,
    }),
  },
  "a tool of a skill's MCP server": {
    tool: "skill_mcp",
    isOpen: true,
    isUnknown: true,
    asksFor: "*",
    on: "skillServers",
    async begin({ call }) {
      await call({ tool: "skill", args: () => ({ name: "files" }) }, CHANGE);
      await call({ tool: "skill_mcp", args: () => ({ server: "files" }) }, CHANGE);
    },
    args: ({ file, before, after }, { at }) => ({
      server: "files",
      tool: "edit_file",
      arguments: { path: at(file), before, after },
    }),
  },
  code_gaia: {
    tool: "code_gaia",
    lines: 2,
    on: "code",
    args: ({ file, before, after }) => ({
      op: "rename",
      file,
      name: nameOf(before),
      new_name: nameOf(after),
    }),
  },
  edit_gaia: {
    tool: "edit_gaia",
    agent: ANCHORED,
    async args({ file, before, after }, scene) {
      const text = await readFile(scene.at(file), "utf8");
      const shown = text
        .trimEnd()
        .split("\n")
        .map((line, index) => `${index + 1}: ${line}`)
        .join("\n");
      const output = `<path>${file}</path>\n<type>file</type>\n<content>\n${shown}\n\n(End of file)\n</content>`;
      const read = await scene.call(
        { tool: "read", agent: ANCHORED, args: () => ({ filePath: scene.at(file) }) },
        CHANGE,
        output,
      );
      const line = text.split("\n").findIndex((each) => each.includes(before));
      const from = new RegExp(`^${line + 1}#[a-z0-9]{4}`, "m").exec(read.text)?.[0];
      return {
        file,
        edits: [{ op: "replace", from, lines: text.split("\n")[line]?.replace(before, after) }],
      };
    },
  },
};

/** What a tool asks leave for. */
interface Wanted {
  readonly permission: string;
  readonly patterns: readonly string[];
}

/** What became of a call: what the model reads, and who was asked. */
interface Answer {
  readonly text: string;
  readonly isDone: boolean;
  readonly asked: readonly { readonly patterns: readonly string[]; readonly by: "plugin" | "nobody" }[];
}

interface Scene extends Composition {
  readonly openCode: ReturnType<typeof toOpenCodeHooks>;
  readonly named: ReturnType<typeof createCalls>;
  at(file: string): string;
  call(way: Way, change: Change, output?: string): Promise<Answer>;
}

const EDITING_SKILL = `---
name: files
description: how files are changed
mcp:
  files:
    command: ${JSON.stringify(process.execPath)}
    args: [${JSON.stringify(join(import.meta.dirname, "fixtures/editing-server.mjs"))}]
---
Change them.
`;

const FILES: Record<string, string> = {
  ".opencode/skills/files/SKILL.md": EDITING_SKILL,
  [CHANGE.file]: SOURCE,
  [GUARDED.file]: SOURCE,
  ".gitignore": "node_modules\n.gaia\nopencode-gaia\n",
  ".gaia/rules/src.md": "---\npaths: src/**\n---\nNames in src are English.\n",
  ".gaia/learnings.md": "# Learnings\n",
};

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** The plugin over a host in memory, with a specialist's session for every agent that a way needs. */
async function open(way?: Way): Promise<Scene> {
  vi.stubEnv("PATH", [resolve("node_modules/.bin"), process.env["PATH"]].join(delimiter));
  const settled: { id: string; isAnswered: boolean }[] = [];
  let wake: () => void = () => undefined;
  const composition = await compose({}, async (directory) => {
    const isOn = (what: Way["on"]): string => (way === undefined || way.on === what ? "on" : "off");
    const config = {
      ast: "on",
      code: isOn("code"),
      skillServers: isOn("skillServers"),
      agents: { [ANCHORED]: { editing: "anchored" } },
    };
    await writeIn(directory, "opencode/gaia.jsonc", JSON.stringify(config));
    for (const [path, text] of Object.entries(FILES)) await writeIn(directory, path, text);
    await mkdir(join(directory, "node_modules"));
    await symlink(resolve("node_modules/@ast-grep"), join(directory, "node_modules/@ast-grep"));
    await git(directory, "init", "-q", "-b", "main");
    await commitAll(directory);
    return {
      oneShot: {
        print: () => undefined,
        atEnd: () => undefined,
        settled({ patterns }, isAnswered) {
          settled.push({ id: patterns.join(), isAnswered });
          wake();
        },
      },
    };
  });
  const { runtime, hooks, host } = composition;
  if (way?.on === "skillServers") {
    const location = join(host.directory, ".opencode/skills/files/SKILL.md");
    host.found = [{ name: "files", location, about: "how files are changed" }];
  }
  const conversation = await composition.conversation();
  for (const agent of ["hephaestus", ANCHORED]) {
    const metadata = { [CHILD_METADATA_KEY]: { agent, work_unit: "unit", wave_id: "w1" } };
    const session = sessionOf(`ses_${agent}`, { parentId: ROOT, metadata });
    host.stored.set(session.id, session);
    runtime.sessions.observe({ type: "session.created", session });
    runtime.sessions.spoke(session.id, agent, "a/one");
    conversation.dispatch({ type: "delegation-started", sessionId: session.id });
  }
  const named = createCalls();
  const openCode = toOpenCodeHooks(composeHooks(hooks, host.logger), { ...host, calls: named } as never);
  const at = (file: string): string => join(host.directory, file);
  let calls = 0;

  const call = async (way: Way, change: Change, output = "Done."): Promise<Answer> => {
    const { tool, agent = "hephaestus" } = way;
    calls += 1;
    const ids = { sessionID: `ses_${agent}`, callID: `call_${calls}` };
    const asked: Answer["asked"][number][] = [];
    /** As OpenCode asks; where the plugin leaves it to a person, they say yes. */
    const ask = async ({ permission, patterns }: Wanted): Promise<void> => {
      const before = settled.length;
      const request = {
        requestId: `req_${calls}`,
        permission,
        kind: permission === "bash" ? ("command" as const) : ("other" as const),
        patterns,
        always: [],
        metadata: {},
        callId: named.of({ ...ids, messageID: "msg_1" }).key,
      };
      const done = new Promise<void>((ready) => (wake = ready));
      const [sessionId, { requestId }] = [ids.sessionID, request];
      runtime.supervision.observe({ type: "permission.asked", sessionId, ...request });
      await done;
      runtime.supervision.observe({ type: "permission.replied", sessionId, requestId, reply: "once" });
      asked.push({ patterns, by: settled[before]?.isAnswered === true ? "plugin" : "nobody" });
    };
    const args = await way.args(change, scene);
    const said = { title: "", output, metadata: {} as JsonRecord };
    try {
      await openCode["tool.execute.before"]?.({ tool, ...ids }, { args });
      const own = listFileTools(runtime).find(({ name }) => name === tool);
      if (own === undefined) {
        if (way.asks !== undefined) await ask({ permission: way.asks, patterns: [change.file] });
        if (tool === "bash") await openCode["shell.env"]?.({ cwd: host.directory, ...ids }, { env: {} });
        const text = await readFile(at(change.file), "utf8");
        if (way.asks !== undefined)
          await writeFile(at(change.file), text.replace(change.before, change.after));
        said.metadata = way.isOpen === true ? { exit: 0 } : filesOf(tool, change, at);
      } else {
        const context = { ...ids, messageID: "msg_1", agent, abort: new AbortController().signal, ask };
        Object.assign(said, await runPrepared(tool, context as never, named.current(ids)));
      }
      await openCode["tool.execute.after"]?.({ tool, ...ids, args }, said);
    } catch (error) {
      return { text: String(error), isDone: false, asked };
    }
    return { text: said.output, isDone: true, asked };
  };
  const scene: Scene = { ...composition, openCode, named, at, call };
  await way?.begin?.(scene);
  return scene;
}

/** What OpenCode's own tools tell of the lines that they changed. */
function filesOf(tool: string, { file }: Change, at: (file: string) => string): JsonRecord {
  const counts = { additions: 1, deletions: 1 };
  if (tool === "apply_patch") return { files: [{ filePath: at(file), ...counts }] };
  return { filediff: { file: at(file), ...counts } };
}

const textOf = async ({ at }: Scene, { file }: Change): Promise<string> => readFile(at(file), "utf8");
const isMade = async (scene: Scene, change: Change) => (await textOf(scene, change)).includes(change.after);

/** A command of the specialist's that ends so. */
async function exits({ openCode }: Scene, { agent = "hephaestus" }: Way, exit: number): Promise<void> {
  const ids = { tool: "bash", sessionID: `ses_${agent}`, callID: `test_${exit}` };
  const output = { title: "", output: exit === 0 ? "fine" : "error: expected 2", metadata: { exit } };
  await openCode["tool.execute.after"]?.({ ...ids, args: { command: "npm test" } }, output);
  await new Promise(setImmediate);
}

it.each(Object.entries(WAYS))("an edit by %s is held as every other one", async (_name, way) => {
  const scene = await open(way);
  const conversation = await scene.conversation();

  // It does not happen in locked mode.
  conversation.dispatch(set({ knob: "mode", value: "locked" }));
  expect((await scene.call(way, CHANGE)).text).toContain("the session is locked");
  expect(await isMade(scene, CHANGE)).toBe(false);

  // While no wave is approved it is asked for under the file's name, and left to a person; it ends with the rules for its file.
  conversation.dispatch(set({ knob: "mode", value: "supervised" }));
  conversation.dispatch(set({ knob: "profile", value: "pair_live" }));
  await exits(scene, way, 1);
  const { isDone, asked, text } = await scene.call(way, CHANGE);
  expect([isDone, asked]).toEqual([true, [{ patterns: [way.asksFor ?? CHANGE.file], by: "nobody" }]]);
  expect(await isMade(scene, CHANGE)).toBe(true);
  // The reading has told the rules already where one comes before.
  expect(text).toContain(way.agent === undefined ? "Names in src are English." : "");

  // It closes the gate of a pair that checks in at each step, with its file in the packet.
  expect(conversation.state.pause?.reason).toBe("step");
  expect(conversation.state.batch.files).toEqual([
    expect.objectContaining({ path: CHANGE.file, added: way.lines ?? 1, removed: way.lines ?? 1 }),
  ]);
  const again = await scene.call(way, { ...CHANGE, before: CHANGE.after, after: "third(1)" });
  expect(again.text).toMatch(/check-in/i);
  expect(await textOf(scene, CHANGE)).not.toContain("third");

  // It belongs to the fix that makes a failing command pass.
  await new Promise(setImmediate);
  await exits(scene, way, 0);
  const said = `passed after changes to ${CHANGE.file}`;
  const proposed = async (): Promise<string> => entryTexts(scene.host.directory);
  if (way.isOpen === true) expect(await proposed()).not.toContain(said);
  else await vi.waitFor(async () => expect(await proposed()).toContain(said), 5_000);

  // It is refused for a file that only the user changes.
  conversation.dispatch({ type: "next" });
  conversation.dispatch(set({ knob: "profile", value: "standard" }));
  conversation.dispatch(set({ knob: "mode", value: "autopilot" }));
  expect((await scene.call(way, GUARDED)).text).toContain("which only the user changes");
  expect(await isMade(scene, GUARDED)).toBe(false);

  // It runs on the yes to its wave, and not on the yes to another one.
  conversation.dispatch(set({ knob: "mode", value: "supervised" }));
  for (const [wave, by, before, after] of [
    ["w2", "nobody", "fresh(1)", "third(1)"],
    ["w1", way.isUnknown === true ? "nobody" : "plugin", "third(1)", "fourth(1)"],
  ] as const) {
    for (const event of approvedWave(wave)) conversation.dispatch(event);
    const { asked: then } = await scene.call(way, { ...CHANGE, before, after });
    expect([wave, then]).toMatchObject([wave, [{ by }]]);
  }
});

it("the version that plan_gaia next_version reserves is a note of the record, and no edit: locked mode alone refuses it", async () => {
  const scene = await open(WAYS["write"]);
  const { runtime, host, openCode, named } = scene;
  await writeIn(host.directory, "db/007_start.sql", "");
  const plan = listTools(runtime).find(({ name }) => name === "plan_gaia") as ToolDefinition;
  const reserve = async (): Promise<unknown> => {
    const ids = { sessionID: ROOT, callID: `call_${Math.random()}` };
    const args = { op: "next_version", dir: "db", title: "add users" };
    const ask = async (): Promise<void> => expect.unreachable("nobody is asked");
    const abort = new AbortController().signal;
    const context = { ...ids, messageID: "msg", agent: "gaia", abort, ask };
    await openCode["tool.execute.before"]?.({ tool: "plan_gaia", ...ids }, { args });
    const execution = { raw: args, context: context as never, call: named.current(ids) };
    const said = await runTool(plan, execution, createEndCall(runtime), host.logger);
    await openCode["tool.execute.after"]?.({ tool: "plan_gaia", ...ids, args }, said);
    return (JSON.parse(said.output) as { names: unknown }).names;
  };
  const conversation = await scene.conversation();
  conversation.dispatch(set({ knob: "mode", value: "locked" }));
  await expect(reserve()).rejects.toThrow("the session is locked");
  conversation.dispatch(set({ knob: "mode", value: "supervised" }));
  conversation.dispatch(set({ knob: "profile", value: "pair_live" }));
  expect(await reserve()).toEqual(["008_add_users.sql"]);
  expect(conversation.state).toMatchObject({ pause: null, batch: { files: [], commands: [] } });
  // Also while a check-in is due, and for nobody twice.
  await scene.call(
    { tool: "write", args: ({ file }, { at }) => ({ filePath: at(file), content: "new" }) },
    CHANGE,
  );
  expect(conversation.state.pause?.reason).toBe("step");
  expect(await reserve()).toEqual(["009_add_users.sql"]);
  expect(await readdir(scene.at("db"))).toEqual(["007_start.sql"]);
});

it("every tool of the plugin's that changes files has its row here", async () => {
  const { runtime } = await open();
  const tools = listFileTools(runtime).map(({ name }) => name);
  const rows = Object.values(WAYS).map(({ tool }) => tool);
  expect(rows).toEqual(expect.arrayContaining(tools));
  expect(tools).toHaveLength(4);
});

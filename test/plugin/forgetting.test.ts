import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Hooks } from "@opencode-ai/plugin";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createOpenCodeInMemory, type OpenCodeInMemory } from "../support/opencode-in-memory.ts";

const MODEL = { providerID: "a", modelID: "one" };
/** Where the user's own files would lie. */
const BASES = ["XDG_CONFIG_HOME", "XDG_DATA_HOME"];
/** Every id of this test begins so, which tells them from all other strings. */
const MARK = "zqz";
/** Conversations, each with its turns and its end; `FORGETTING_RUNS=2000` for the long run. */
const RUNS = Number(process.env["FORGETTING_RUNS"] ?? 60);
/** How often it is looked at what is held; the first look is after everything that is made once has been made. */
const LOOKS = 4;

type Collection = Map<unknown, unknown> | Set<unknown>;
let collections: { readonly made: string; readonly collection: WeakRef<Collection> }[] = [];
const timers = new Set<unknown>();
const native = { Map, Set, setTimeout, clearTimeout };

/** Follows every map, set and timer that is made from now on. */
function follow(): void {
  const note = (collection: Collection): void => {
    const made = /src\/[\w/.-]+:\d+/.exec(new Error("made here").stack ?? "")?.[0] ?? "";
    if (made !== "") collections.push({ made, collection: new WeakRef(collection) });
  };
  globalThis.Map = class<K, V> extends native.Map<K, V> {
    constructor(...given: ConstructorParameters<typeof native.Map<K, V>>) {
      super(...given);
      note(this);
    }
  };
  globalThis.Set = class<T> extends native.Set<T> {
    constructor(...given: ConstructorParameters<typeof native.Set<T>>) {
      super(...given);
      note(this);
    }
  };
  globalThis.setTimeout = ((run: () => void, ms?: number) => {
    const timer = native.setTimeout(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
    return timer;
  }) as typeof setTimeout;
  globalThis.clearTimeout = ((timer?: NodeJS.Timeout) => {
    timers.delete(timer);
    native.clearTimeout(timer);
  }) as typeof clearTimeout;
}

/** What is kept under, or as, an id of this test, with the place where the collection is made. */
function remembered(): string[] {
  return collections.flatMap(({ made, collection }) => {
    const kept = [...(collection.deref()?.keys() ?? []), ...(collection.deref()?.values() ?? [])];
    const ids = kept.filter((each): each is string => typeof each === "string" && each.includes(MARK));
    return ids.map((id) => `${made} ${id}`);
  });
}

/** What all collections of the plugin hold, after those that went with their conversation are swept up. */
function held(): { collections: number; entries: number; timers: number; heapMB: number } {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  collectGarbage();
  collections = collections.filter(({ collection }) => collection.deref() !== undefined);
  const sizes = collections.map(({ collection }) => collection.deref()?.size ?? 0);
  return {
    collections: collections.length,
    entries: sizes.reduce((sum, size) => sum + size, 0),
    timers: timers.size,
    heapMB: Math.round(process.memoryUsage().heapUsed / 100_000) / 10,
  };
}

let directory: string;
let openCode: OpenCodeInMemory;
let hooks: Hooks;
let ids = 0;
const fresh = (kind: string): string => `${MARK}-${kind}-${(ids += 1)}`;

beforeAll(async () => {
  follow();
  directory = await mkdtemp(join(tmpdir(), "gaia-forgetting-"));
  for (const base of BASES) process.env[base] = directory;
  openCode = createOpenCodeInMemory(directory, () => fresh("child"));
  const { default: plugin } = await import("../../src/index.ts");
  hooks = await plugin.server(openCode.input, {});
  await hooks.config?.({});
});
afterAll(async () => {
  Object.assign(globalThis, native);
  for (const base of BASES) delete process.env[base];
  await rm(directory, { recursive: true, force: true });
});

async function event(type: string, properties: object): Promise<void> {
  await hooks.event?.({ event: { type, properties } } as never);
}

async function callTool(
  sessionID: string,
  tool: string,
  args: object,
  run: (callID: string) => Promise<string>,
) {
  const callID = fresh("call");
  const part = { id: fresh("part"), messageID: fresh("message"), sessionID, type: "tool", tool, callID };
  await event("message.part.updated", { part: { ...part, state: { status: "running" } } });
  try {
    await hooks["tool.execute.before"]?.({ tool, sessionID, callID }, { args });
  } catch {
    await event("message.part.updated", { part: { ...part, state: { status: "error", error: "refused" } } });
    return;
  }
  const output = { title: "", output: await run(callID), metadata: { exit: 0, answers: [["Yes"]] } };
  await hooks["tool.execute.after"]?.({ tool, sessionID, callID, args }, output);
  await event("message.part.updated", { part: { ...part, state: { status: "completed" } } });
}

function addSession(id: string): object {
  const info = { id, title: "", metadata: {}, time: { created: 0, updated: 0 } };
  openCode.sessions.set(id, info);
  return info;
}

/** The user speaks to GAIA, who begins to work. @returns the message's id */
async function say(sessionID: string, text: string): Promise<string> {
  const id = fresh("message");
  const message = { id, sessionID, role: "user", agent: "gaia", model: MODEL, time: { created: 0 } };
  const parts = [{ id: "prt_1", sessionID, messageID: id, type: "text", text }];
  await hooks["chat.message"]?.({ sessionID, agent: "gaia" }, { message, parts } as never);
  await event("session.status", { sessionID, status: { type: "busy" } });
  return id;
}

const askFor = async (sessionID: string): Promise<void> =>
  event("permission.asked", { id: fresh("request"), sessionID, permission: "edit", patterns: [] });

/** A conversation with everything in it that the plugin remembers something of, and its end. */
async function converse(index: number): Promise<void> {
  const sessionID = fresh("root");
  const info = addSession(sessionID);
  await event("session.created", { info });
  if (index % 5 === 0) {
    const command = { command: "autopilot", sessionID, arguments: "" };
    await hooks["command.execute.before"]?.(command, { parts: [] });
  }
  const messageID = await say(sessionID, "Write it in a.ts");
  await hooks["experimental.chat.system.transform"]?.({ sessionID } as never, { system: ["You are"] });
  await event("todo.updated", { sessionID, todos: [{ status: "pending" }] });
  const question = { questions: [{ header: "Handshake", question: "How?", options: [] }] };
  await callTool(sessionID, "question", question, async () => "answered");
  await callTool(sessionID, "bash", { command: "ls" }, async () => "a.ts");
  const delegation = { agent: "minerva", goal: "Look around", background: index % 2 === 0 };
  const abort = new AbortController().signal;
  const context = { sessionID, messageID, agent: "gaia", abort };
  const delegate = hooks.tool?.["delegate_gaia"];
  await callTool(sessionID, "delegate_gaia", delegation, async (callID) =>
    JSON.stringify(await delegate?.execute(delegation, { ...context, callID } as never)),
  );
  const child = [...openCode.sessions.keys()].at(-1) ?? "";
  await callTool(child, "edit", { filePath: "a.ts", oldString: "a", newString: "b" }, async () => "done");
  await hooks["tool.execute.before"]?.(
    { tool: "bash", sessionID, callID: fresh("endless") },
    { args: { command: "ls" } },
  );
  await askFor(child);
  await hooks["experimental.session.compacting"]?.({ sessionID }, { context: [] });
  await event("session.status", { sessionID, status: { type: "idle" } });
  if (index % 3 === 0)
    await hooks["command.execute.before"]?.({ command: "next", sessionID, arguments: "" }, { parts: [] });
  for (const id of [child, sessionID]) {
    openCode.sessions.delete(id);
    await event("session.deleted", { info: { id } });
  }
  openCode.requests.length = 0;
}

const pause = async (): Promise<void> =>
  new Promise((resolve) => {
    native.setTimeout(resolve, 500);
  });

/** What is still on its way when the last session is deleted; on a busy machine that takes its time. What is kept stays. */
async function settled(): Promise<void> {
  for (let look = 0; look < 40; look += 1) {
    await pause();
    held();
    if (remembered().length === 0) return;
  }
}

it("keeps nothing of a session that is deleted, and no timer", { timeout: 60_000 + RUNS * 200 }, async () => {
  const seen: ReturnType<typeof held>[] = [];
  for (let look = 0; look < LOOKS; look += 1) {
    for (let run = 0; run < RUNS / LOOKS; run += 1) await converse(run);
    await settled();
    seen.push(held());
  }
  // Bytes are for the one who reads; what counts is what is held.
  console.table(seen);
  expect(remembered()).toEqual([]);
  const [first, ...later] = seen.map(({ heapMB: _heap, ...counts }) => counts);
  for (const counts of later) expect(counts).toEqual(first);
  expect(timers.size).toBe(0);
});

it(
  "leaves no timer when it is disposed of in the middle of a task, with a dialog open",
  { timeout: 30_000 },
  async () => {
    openCode.isSilent = true;
    const sessionID = fresh("root");
    addSession(sessionID);
    const messageID = await say(sessionID, "Write it");
    const abort = new AbortController().signal;
    const context = { sessionID, messageID, callID: fresh("call"), agent: "gaia", abort };
    const delegation = { agent: "hephaestus", goal: "write it" };
    await hooks["tool.execute.before"]?.({ ...context, tool: "delegate_gaia" }, { args: delegation });
    const waiting = hooks.tool?.["delegate_gaia"]?.execute(delegation, context as never);
    await vi.waitFor(() => {
      expect(
        openCode.requests.some(({ method, path }) => method === "POST" && path.endsWith("/message")),
      ).toBe(true);
    });
    const child = [...openCode.sessions.keys()].at(-1) ?? "";
    await askFor(child);
    expect(timers.size).toBeGreaterThan(0);
    await hooks.dispose?.();
    expect(JSON.stringify(await waiting)).toMatch(/OpenCode|stopped|ended/);
    await pause();
    expect(timers.size).toBe(0);
  },
);

import { ANSWER, createProbe, type HostRun, OWN_TOOL, SCENE, type Seen } from "../conformance/host-needs.ts";
import type { HostSession, HostSessions, HostTurn, ToolCall } from "../../src/host/port.ts";
import type { ToolEffect } from "../../src/host/tool-call.ts";
import { textOf, type JsonRecord } from "../../src/lib/json.ts";
import { createFakeHost, sessionOf, turn } from "./fake-host.ts";
import { keyed } from "./keyed.ts";

/** What a host calls its tools, each with the names of its arguments. */
export interface Vocabulary {
  readonly command: readonly [tool: string, command: string];
  readonly edit: readonly [tool: string, path: string, before: string, after: string];
  readonly write: readonly [tool: string, path: string, text: string];
  readonly read: readonly [tool: string, path: string];
  readonly patch: readonly [tool: string, patch: string];
  readonly subtask: readonly [tool: string, prompt: string];
  /**
   * What was seen of OpenCode 2: the hook of a prompt never fires, a session that is made loses parent and metadata without a word,
   * and the model sees every note. After a throw no after-hook is called, and a throw in `context` kills the turn, as everywhere here.
   */
  readonly isLossy: boolean;
}

/** What may be wrong with a host, or missing in its adapter: each has to turn the suite red. */
export type Fault =
  | "a command under another tool's name"
  | "a path under another argument's name"
  | "a patch under another tool's name"
  | "a delegation under another tool's name"
  | "the hook before a call never fires"
  | "a refusal is overheard"
  | "a refusal reaches the model without its words"
  | "a refusal ends the turn"
  | "no exit code"
  | "the hook of a prompt never fires"
  | "a throw in context kills the turn"
  | "the prompt's additions are dropped"
  | "a child's parent is dropped"
  | "a note is sent to the model"
  | "our tools are offered to everybody"
  | "a call has another name in its tool"
  | "a request that is refused is sent"
  | "a reading under another argument's name"
  | "a prompt ends before its answer";

interface Session {
  readonly id: string;
  readonly parent: string | null;
  readonly data: object;
  readonly messages: string[];
}
interface Call {
  readonly session: string;
  readonly id: string;
  readonly name: string;
  readonly input: JsonRecord;
}
interface Context {
  readonly session: string;
  readonly agent: string;
  readonly system: string[];
  messages: string[];
  readonly isFirst: boolean;
}
/** The host's hooks, by its own names. */
interface Hooks {
  prompt(event: { session: string; agent: string; text: string }): Promise<void>;
  context(event: Context): Promise<void>;
  before(event: Call): Promise<void>;
  after(event: Call & { readonly code: number | null; readonly text: string }): Promise<void>;
  created(event: { id: string; parent: string | null }): Promise<void>;
}

const NOTE_MARK = "[note] ";

/** Plays the scene in a host in memory, through an adapter of its own. */
export async function playInMemory(words: Vocabulary, fault: Fault | null = null): Promise<HostRun> {
  const run = { seen: [] as Seen[], requests: [] as HostRun["requests"][number][] };
  const files: Record<string, string> = { "a.txt": "old" };
  const sessions = new Map<string, Session>();
  let hooks: Hooks;
  let own: (call: Call & { readonly agent: string }) => Promise<void>;

  // The host.
  const create = async (parent: string | null, data: object): Promise<Session> => {
    const kept = words.isLossy ? { parent: null, data: {} } : { parent, data };
    const session = { id: `s${sessions.size + 1}`, messages: [], ...kept };
    sessions.set(session.id, session);
    await hooks.created({ id: session.id, parent: session.parent });
    return session;
  };
  const carryOut = async ({ name, input }: Call): Promise<{ code: number | null; text: string }> => {
    const given = (key: string): string => textOf(input[key]) ?? "";
    const { command, edit, write, patch } = words;
    const target = /> (\S+\.txt)/.exec(given(command[1]))?.[1];
    if (name === command[0] && target !== undefined) files[target] = "ran";
    if (name === edit[0]) files[given(edit[1])] = given(edit[3]);
    if (name === write[0]) files[given(write[1])] = given(write[2]);
    if (name === patch[0]) files["c.txt"] = "patched";
    return { code: name === command[0] ? 3 : null, text: "done" };
  };
  const perform = async (call: Call, agent: string): Promise<string> => {
    const isDeaf = fault === "the hook before a call never fires";
    try {
      if (!isDeaf) await hooks.before(call);
    } catch (error) {
      if (fault !== "a refusal is overheard") throw error;
    }
    if (call.name === OWN_TOOL) await own({ ...call, agent });
    const result = await carryOut(call);
    await hooks.after({ ...call, ...result });
    return result.text;
  };
  let calls = 0;
  const take = async (
    { id: session, messages }: Session,
    agent: string,
    text: string,
    steps: readonly (readonly [name: string, input: JsonRecord])[],
  ): Promise<HostTurn> => {
    messages.push(text);
    if (!words.isLossy && fault !== "the hook of a prompt never fires")
      await hooks.prompt({ session, agent, text });
    for (const [index, step] of [...steps, null].entries()) {
      const event = { session, agent, system: [agent], messages: [...messages], isFirst: index === 0 };
      try {
        await hooks.context(event);
        if (fault === "a throw in context kills the turn" && index === 1) throw new Error("odd");
      } catch (error) {
        if (fault !== "a request that is refused is sent")
          return turn("", { failure: { reason: "other", message: String(error), promptSaved: true } });
      }
      const isOurs = agent === "probe" || agent === "helper";
      const tools = isOurs || fault === "our tools are offered to everybody" ? [OWN_TOOL] : [];
      const system = fault === "the prompt's additions are dropped" ? [agent] : event.system;
      run.requests.push({ agent, text: [...system, ...event.messages].join("\n"), tools });
      if (step === null) break;
      calls += 1;
      const call = { session, id: `c${calls}`, name: step[0], input: step[1] };
      try {
        messages.push(await perform(call, agent));
      } catch (error) {
        if (fault === "a refusal ends the turn") break;
        const isMute = fault === "a refusal reaches the model without its words";
        messages.push(isMute ? "error" : String(error));
      }
    }
    const isAnswered = agent === "helper" && fault !== "a prompt ends before its answer";
    return turn(isAnswered ? ANSWER : "Done.");
  };

  // Its adapter.
  const parents = new Map<string, { parentId: string | null; metadata: Record<string, unknown> }>();
  const isForgetful = fault === "a child's parent is dropped";
  const read = ({ id, parent, data }: Session): HostSession =>
    sessionOf(id, { parentId: parent, metadata: { ...data }, ...(isForgetful ? {} : parents.get(id)) });
  const port: HostSessions = {
    ...createFakeHost().sessions,
    async create({ parentId, metadata = {} }) {
      const made = await create(isForgetful ? null : parentId, metadata);
      parents.set(made.id, { parentId, metadata });
      // The host has told of it without its parent.
      if (words.isLossy) await handlers["host-event"]?.({ type: "session.created", session: read(made) });
      return read(made);
    },
    get: async (id) => {
      const found = sessions.get(id);
      return found === undefined ? null : read(found);
    },
    children: async (id) => [...sessions.values()].map(read).filter(({ parentId }) => parentId === id),
    async prompt({ sessionId, speaker, text }) {
      const session = sessions.get(sessionId);
      return session === undefined ? turn("") : take(session, speaker.agent, text, []);
    },
    async note(id, _speaker, text) {
      sessions.get(id)?.messages.push(NOTE_MARK + text);
    },
  };
  const { handlers, tool } = createProbe(
    (seen) => run.seen.push(seen),
    () => port,
  );
  const effectOf = ({ name, input }: Call): ToolEffect => {
    const given = (key: string): string => textOf(input[key]) ?? "";
    const { command, edit, write, read: look, patch, subtask } = words;
    const edits = (path: string, before: string | null, after: string): ToolEffect => ({
      kind: "edit",
      isPatch: false,
      edits: [{ path: fault === "a path under another argument's name" ? "" : path, before, after }],
    });
    if (name === command[0] && fault !== "a command under another tool's name")
      return { kind: "command", command: given(command[1]), workdir: null };
    if (name === edit[0]) return edits(given(edit[1]), given(edit[2]), given(edit[3]));
    if (name === write[0]) return edits(given(write[1]), null, given(write[2]));
    if (name === look[0])
      return {
        kind: "read",
        paths: fault === "a reading under another argument's name" ? [] : [given(look[1])],
        patterns: [],
        addresses: [],
      };
    if (name === subtask[0] && fault !== "a delegation under another tool's name") return { kind: "subtask" };
    if (name !== patch[0] || fault === "a patch under another tool's name")
      return { kind: "other", paths: [], addresses: [] };
    const path = /File: (.+)/.exec(given(patch[1]))?.[1] ?? "";
    return { kind: "edit", isPatch: true, edits: [{ path, before: "", after: "" }] };
  };
  const tellPrompt = async (sessionId: string, agent: string, text: string): Promise<void> =>
    handlers["user-message"]?.({
      sessionId,
      agent,
      model: "a/one",
      said: { text, files: [] },
      useModel() {},
      useAgent() {},
      appendForModel() {},
      reword() {},
      showInstead() {},
    });
  hooks = {
    prompt: async ({ session, agent, text }) => tellPrompt(session, agent, text),
    async context(event) {
      const { session: sessionId, agent, system } = event;
      if (fault !== "a note is sent to the model")
        event.messages = event.messages.filter((text) => !text.startsWith(NOTE_MARK));
      // Where the hook of a prompt never fires, the first request of a turn says what was asked.
      if (words.isLossy && event.isFirst && fault !== "the hook of a prompt never fires")
        await tellPrompt(sessionId, agent, event.messages.at(-1) ?? "");
      const add = (text: string): void => void system.push(text);
      await handlers["before-request"]?.({ sessionId, parts: system, add, moveToEnd() {} });
      const amount = { limitOutput() {}, reason() {} };
      await handlers["request-parameters"]?.({ sessionId, agent, isSide: false, ...amount });
    },
    async before(call) {
      await handlers["before-tool"]?.({
        callId: keyed(call.id),
        sessionId: call.session,
        tool: call.name,
        args: call.input,
        effect: effectOf(call),
        target: { text: "" },
        moveInto() {},
        carryOut() {},
        askInstead() {},
      });
    },
    async after({ code, text, ...call }) {
      const exitCode = fault === "no exit code" ? null : code;
      await handlers["after-tool"]?.({
        callId: keyed(call.id),
        sessionId: call.session,
        tool: call.name,
        args: call.input,
        effect: effectOf(call),
        outcome: { text, exitCode, files: [], answers: [] },
        markLines() {},
        add() {},
        rewrite() {},
      });
    },
    async created({ id, parent }) {
      if (words.isLossy && parent === null && sessions.size > 1) return;
      const session = sessionOf(id, { parentId: parent });
      await handlers["host-event"]?.({ type: "session.created", session });
    },
  };
  own = async ({ session, id, agent, input }) => {
    const callId = keyed(fault === "a call has another name in its tool" ? `${id}'` : id);
    const abort = new AbortController().signal;
    const call: ToolCall = {
      sessionId: session,
      messageId: "m",
      callId,
      agent,
      abort,
      ask: async () => ({ approved: true }),
    };
    await tool.execute(input, call);
  };

  // The scene.
  const step = (
    [name = "", ...keys]: readonly string[],
    ...values: string[]
  ): readonly [string, JsonRecord] => [
    name,
    Object.fromEntries(keys.map((key, index) => [key, values[index] ?? ""])),
  ];
  const { edit, write } = SCENE;
  const root = await create(null, {});
  await take(root, "probe", "Begin", [
    step(words.command, SCENE.runs),
    step(words.command, SCENE.refused),
    step(words.subtask, "Look."),
    step(words.read, SCENE.read),
    step(words.edit, edit.path, edit.before, edit.after),
    step(words.write, write.path, write.after),
    [OWN_TOOL, { word: "go" }],
    step(words.patch, SCENE.patch),
  ]);
  await take(await create(null, {}), "native", "Hello", []);
  return { ...run, files };
}

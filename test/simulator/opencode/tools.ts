import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describeError } from "../../../src/lib/error.ts";
import { textOf, type JsonRecord } from "../../../src/lib/json.ts";
import { askPermission, askQuestions, type Asking } from "./permissions.ts";
import { isHidden, rulesOf } from "./rules.ts";
import {
  callHook,
  copy,
  never,
  publish,
  sleep,
  stillRuns,
  type Message,
  type Session,
  type ToolCallMove,
  type World,
} from "./world.ts";

/** How long a tool of OpenCode's own runs, in milliseconds. */
const TOOL_MS = 40;

interface Result {
  title: string;
  output: string;
  metadata: JsonRecord;
}

/** Runs one tool call of a message, with OpenCode's hooks around it. @returns the error that ended it, if any */
export async function runTool(
  world: World,
  session: Session,
  message: Message,
  { tool, args }: ToolCallMove,
): Promise<unknown> {
  const { loop } = session;
  const agent = String(message.info["agent"]);
  const callId = world.id("call");
  const providerId = `call_${message.parts.filter(({ type }) => type === "tool").length}`;
  const messageId = String(message.info["id"]);
  const part: JsonRecord = {
    id: world.id("prt"),
    sessionID: session.id,
    messageID: messageId,
    type: "tool",
    tool,
    callID: providerId,
  };
  const show = (state: JsonRecord): void => {
    part["state"] = state;
    publish(world, "message.part.updated", { part });
  };
  message.parts.push(part);
  const input = copy(args);
  show({ status: "pending", input: {}, raw: "" });
  show({ status: "running", input, time: { start: world.time.elapsed() } });
  const asking: Asking = { session, agent, callId, messageId, providerId };
  const given = { tool, sessionID: session.id, callID: providerId };
  world.oracle.called({ session, agent, callId, tool, args: input });
  try {
    if (isHidden(rulesOf(world.config, agent), tool))
      throw new Error(`Model tried to call unavailable tool '${tool}'.`);
    await callHook(world, "tool.execute.before", given, { args: input });
    await stillRuns(session, loop);
    const result = await execute(world, asking, tool, input);
    await stillRuns(session, loop);
    if (session.loop?.isAborted === true) throw new Error("Tool execution aborted");
    await callHook(world, "tool.execute.after", { ...given, args: input }, result as unknown as JsonRecord);
    world.oracle.returned(callId, result.output);
    world.trace(`${session.id} ${tool} gives ${result.output.slice(0, 300)}`);
    show({ status: "completed", input, ...result, time: { start: 0, end: world.time.elapsed() } });
    return null;
  } catch (error) {
    await stillRuns(session, loop);
    const isAborted = session.loop?.isAborted === true;
    const words = isAborted ? "Tool execution aborted" : describeError(error);
    world.oracle.failed(callId, words);
    world.trace(`${session.id} ${tool} fails: ${words.slice(0, 300)}`);
    show({ status: "error", input, error: words, time: { start: 0, end: world.time.elapsed() } });
    return error;
  }
}

async function execute(world: World, asking: Asking, tool: string, args: JsonRecord): Promise<Result> {
  const own = world.hooks?.tool?.[tool];
  if (own !== undefined) return runPluginTool(world, asking, own, args);
  const { session } = asking;
  const path = textOf(args["filePath"]) ?? "";
  if (tool === "question") {
    const answers = await askQuestions(world, asking, args["questions"]);
    return { title: "", output: `User has answered: ${JSON.stringify(answers)}`, metadata: { answers } };
  }
  if (tool === "todowrite") {
    publish(world, "todo.updated", { sessionID: session.id, todos: args["todos"] });
    return { title: "", output: "written", metadata: {} };
  }
  if (tool === "bash") return runShell(world, asking, textOf(args["command"]) ?? "");
  if (tool === "edit" || tool === "write") {
    await askPermission(world, asking, { permission: "edit", patterns: [path], metadata: {} });
    await sleep(world, TOOL_MS, session.loop);
    if (session.loop?.isAborted !== false) throw new Error("aborted");
    change(world, asking, path, textOf(args["content"]) ?? textOf(args["newString"]) ?? "");
    return {
      title: path,
      output: "done",
      metadata: { filediff: { file: path, additions: 1, deletions: 0 } },
    };
  }
  if (tool !== "read") throw new Error(`Model tried to call unavailable tool '${tool}'.`);
  await askPermission(world, asking, { permission: "read", patterns: [path], metadata: {} });
  await sleep(world, TOOL_MS, session.loop);
  return { title: path, output: read(world, path), metadata: {} };
}

type PluginTool = NonNullable<NonNullable<World["hooks"]>["tool"]>[string];

async function runPluginTool(
  world: World,
  asking: Asking,
  tool: PluginTool,
  args: JsonRecord,
): Promise<Result> {
  const { session, agent, callId, messageId, providerId } = asking;
  const { process } = world;
  const abort = new AbortController();
  const stop = (): void => {
    abort.abort();
  };
  session.loop?.stops.add(stop);
  const done = world.oracle.begins(`tool ${callId}`);
  const context = {
    sessionID: session.id,
    messageID: messageId,
    callID: providerId,
    agent,
    abort: abort.signal,
    metadata() {},
    async ask(wanted: { permission: string; patterns: string[]; metadata: JsonRecord }) {
      await askPermission(world, asking, wanted);
      if (process !== world.process) await never();
    },
  };
  try {
    const result = (await tool.execute(copy(args), context as never)) as string | Result;
    if (process !== world.process) await never();
    return typeof result === "string"
      ? { title: "", output: result, metadata: {} }
      : { title: result.title, output: result.output, metadata: {} };
  } catch (error) {
    if (process !== world.process) await never();
    world.oracle.threw("a tool of the plugin", error);
    throw error;
  } finally {
    done();
    session.loop?.stops.delete(stop);
    if (process === world.process) world.oracle.listens(callId, abort.signal);
  }
}

/** What the commands of the schedules do to the project. */
const COMMANDS: Readonly<Record<string, (world: World, asking: Asking) => void>> = {
  "touch made.ts": (world, asking) => {
    change(world, asking, "made.ts", "made\n");
  },
  "rm -rf src": (world, asking) => {
    change(world, asking, "src", null);
  },
};

async function runShell(world: World, asking: Asking, command: string): Promise<Result> {
  const { session, providerId } = asking;
  await askPermission(world, asking, { permission: "bash", patterns: [command], metadata: {} });
  await callHook(
    world,
    "shell.env",
    { cwd: world.directory, sessionID: session.id, callID: providerId },
    { env: {} },
  );
  await sleep(world, TOOL_MS, session.loop);
  if (session.loop?.isAborted !== false) throw new Error("aborted");
  const isCommit = /git\b.*\b(commit|merge|push)\b|make release/.test(command);
  if (isCommit) world.oracle.gates.committed({ ...asking, command });
  COMMANDS[command]?.(world, asking);
  return { title: command, output: "", metadata: { exit: command === "false" ? 1 : 0, output: "" } };
}

/** Changes a file of the project, or removes it. */
function change(world: World, { session, agent, callId }: Asking, path: string, text: string | null): void {
  const place = join(world.directory, path);
  if (text === null) rmSync(place, { recursive: true, force: true });
  else {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
  world.oracle.changed({ session, agent, callId, path });
}

function read(world: World, path: string): string {
  try {
    return readFileSync(join(world.directory, path), "utf8");
  } catch {
    return "File not found";
  }
}

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ReadBuffer, serializeMessage } from "@modelcontextprotocol/sdk/shared/stdio.js";
import { ListToolsResultSchema, ResultSchema } from "@modelcontextprotocol/sdk/types.js";
import type { SkillServer } from "../../context/catalogue.ts";
import { bounded, type Clock } from "../../lib/async.ts";
import { describeError } from "../../lib/error.ts";
import { head } from "../../lib/text.ts";
import { listOf, recordOf, textOf as textIn } from "../../lib/json.ts";
import { type PipedProcess, startPiped } from "../../process/piped-process.ts";
import type { RunningServer, ServerTool, SkillServers } from "./open.ts";

/** The protocol over the input and output of a process: a message is a line. What is no message is left out. */
function createTransport(process: PipedProcess): Transport {
  const lines = new ReadBuffer();
  const transport: Transport = {
    async start() {
      process.whenGone(() => transport.onclose?.());
      process.output.on("data", (chunk: Buffer) => {
        try {
          lines.append(chunk);
        } catch (error) {
          void process.end(describeError(error));
        }
        for (let message = take(); message !== null; message = take())
          if (message !== undefined) transport.onmessage?.(message);
      });
    },
    async send(message) {
      if (process.gone() !== null) throw new Error(process.gone() ?? "");
      process.input.write(serializeMessage(message));
    },
    close: async () => process.end(),
  };
  /** Undefined for a line that is no message: some print a greeting first. */
  const take = () => {
    try {
      return lines.readMessage();
    } catch {
      return undefined;
    }
  };
  return transport;
}

/** How long a server may take until it has told of its tools, in milliseconds: `npx` may have to fetch it first. */
const START_MS = 60_000;
/** How long a call may take, in milliseconds. */
const CALL_MS = 120_000;
/** Of one session, at once. */
const MAX_SERVERS = 4;
/** What a model is given of one answer, in characters. */
const MAX_TEXT = 20_000;
/** What a server says that its results look like is nobody's concern here. */
const ANY_SCHEMA = {
  getValidator: () => (data: unknown) => ({
    valid: true as const,
    data: data as never,
    errorMessage: undefined,
  }),
};
/** A server that has a further page after this many is not asked for it. */
const MAX_PAGES = 50;

/** What a program needs to find its way; nothing else of the user's environment reaches a server unasked. */
const GIVEN =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|TEMP|TMP|TZ|LANG|LC_\w+|XDG_\w+|SystemRoot|windir|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|ComSpec)$/i;
const REFERENCE = /\$\{(\w+)\}/g;

interface Entry {
  readonly process: PipedProcess;
  readonly ready: Promise<RunningServer>;
  running: RunningServer | null;
}

export function createSkillServers(clock: Clock, environment: NodeJS.ProcessEnv): SkillServers {
  const sessions = new Map<string, Map<string, Entry>>();
  let isDisposed = false;

  const alive = (sessionId: string, name: string): Entry | null => {
    const entry = sessions.get(sessionId)?.get(name);
    return entry === undefined || entry.process.gone() !== null ? null : entry;
  };
  const end = async (sessionId: string): Promise<void> => {
    const entries = [...(sessions.get(sessionId)?.values() ?? [])];
    sessions.delete(sessionId);
    await Promise.all(entries.map(async ({ process }) => process.end()));
  };

  const begin = (server: SkillServer, folder: string): Entry => {
    const { name, command } = server;
    const process = startPiped({
      command,
      cwd: folder,
      env: environmentFor(server, environment),
      clock,
    });
    const entry: Entry = {
      process,
      running: null,
      ready: bounded(connect(process), START_MS, clock, `The MCP server ${name}`).then(
        (running) => (entry.running = running),
        async (error: unknown) => {
          const words = process.words();
          const why =
            process.gone() ?? [describeError(error), words].filter((each) => each !== "").join("\n");
          await process.end();
          throw new Error(`The MCP server ${name} did not start: ${why}`, { cause: error });
        },
      ),
    };
    return entry;
  };

  return {
    running: (sessionId, name) => alive(sessionId, name)?.running ?? null,
    async start(sessionId, server, folder, signal) {
      const known = alive(sessionId, server.name);
      if (known !== null) return untilReady(known, signal);
      const own = sessions.get(sessionId) ?? new Map<string, Entry>();
      const others = [...own.keys()].filter((name) => alive(sessionId, name) !== null);
      if (others.length >= MAX_SERVERS)
        throw new Error(`No more than ${MAX_SERVERS} MCP servers run for one task: ${others.join(", ")}.`);
      if (isDisposed || signal.aborted) throw new Error("Stopped before the server was started.");
      const entry = begin(server, folder);
      sessions.set(sessionId, own.set(server.name, entry));
      return untilReady(entry, signal);
    },
    end,
    async dispose() {
      isDisposed = true;
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}

/** Waits for a server; who is stopped waits no longer, and it ends with its task at the latest. */
async function untilReady({ ready }: Entry, signal: AbortSignal): Promise<RunningServer> {
  const stopped = new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(new Error("Stopped before the server was started."));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  return Promise.race([ready, stopped]);
}

async function connect(process: PipedProcess): Promise<RunningServer> {
  const client = new Client(
    { name: "opencode-gaia", version: "1.0.0" },
    { capabilities: {}, jsonSchemaValidator: ANY_SCHEMA },
  );
  await client.connect(createTransport(process), { timeout: START_MS });
  return {
    tools: await listTools(client),
    async call(name, args, signal) {
      const bounds = { timeout: CALL_MS, maxTotalTimeout: CALL_MS, signal };
      const params = { name, arguments: args };
      const answer = await client
        .request({ method: "tools/call", params }, ResultSchema, bounds)
        .catch((error: unknown) => {
          throw new Error(`The MCP server gave no answer: ${process.gone() ?? describeError(error)}`, {
            cause: error,
          });
        });
      const text = head(textOf(answer), MAX_TEXT);
      if (answer["isError"] === true) throw new Error(text || "The tool failed and says nothing of it.");
      return text;
    },
  };
}

async function listTools(client: Client): Promise<readonly ServerTool[]> {
  const tools: ServerTool[] = [];
  let params = {};
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const request = { method: "tools/list", params } as const;
    const listed = await client.request(request, ListToolsResultSchema, { timeout: START_MS });
    for (const { name, description = "", inputSchema, annotations } of listed.tools)
      tools.push({ name, description, inputSchema, isReadOnly: annotations?.readOnlyHint === true });
    if (listed.nextCursor === undefined) break;
    params = { cursor: listed.nextCursor };
  }
  return tools;
}

/** What a tool said; of what is no text, what it is. */
function textOf({ content, structuredContent }: Readonly<Record<string, unknown>>): string {
  const texts = listOf(content).map((part) => {
    const { type, text, mimeType, resource } = recordOf(part);
    const whole = recordOf(resource);
    return (
      textIn(text) ?? textIn(whole["text"]) ?? `[${[type, mimeType, whole["uri"]].map(textIn).join(" ")}]`
    );
  });
  if (texts.length > 0 || structuredContent === undefined) return texts.join("\n");
  return JSON.stringify(structuredContent);
}

/** The environment of a server: the bare necessities, and what its skill names, `${NAME}` standing for the user's own value. Pure. */
function environmentFor(
  { environment: wanted }: SkillServer,
  environment: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const given = Object.entries(environment).filter(([name]) => GIVEN.test(name));
  const own = Object.entries(wanted).map(([name, value]) => [
    name,
    value.replaceAll(REFERENCE, (_whole, variable: string) => environment[variable] ?? ""),
  ]);
  return Object.fromEntries([...given, ...own]) as NodeJS.ProcessEnv;
}

import type { SkillServer } from "../../context/catalogue.ts";
import { bounded, type Clock, unlessAborted } from "../../lib/async.ts";
import { describeError } from "../../lib/error.ts";
import { type PipedProcess, startPiped } from "../../process/piped-process.ts";
import type { RunningServer } from "./client.ts";

/** How long a server may take until it has told of its tools, in milliseconds: `npx` may have to fetch it first. */
const START_MS = 60_000;
/** Of one session, at once. */
const MAX_SERVERS = 4;

/** What a program needs to find its way; nothing else of the user's environment reaches a server unasked. */
const GIVEN =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|TEMP|TMP|TZ|LANG|LC_\w+|XDG_\w+|SystemRoot|windir|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|ComSpec)$/i;
const REFERENCE = /\$\{(\w+)\}/g;

interface Entry {
  readonly process: PipedProcess;
  readonly ready: Promise<RunningServer>;
  running: RunningServer | null;
}

export type SkillServers = ReturnType<typeof createSkillServers>;

/** The MCP servers of skills: each runs for one session, from its first call to the end of its task. */
export function createSkillServers(clock: Clock, environment: NodeJS.ProcessEnv) {
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
    // The protocol's library is loaded with the first server.
    const connected = import("./client.ts").then(async ({ openClient }) => openClient(process, START_MS));
    const entry: Entry = {
      process,
      running: null,
      ready: bounded(connected, START_MS, clock, `The MCP server ${name}`).then(
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
    /** null where it does not run there. */
    running: (sessionId: string, name: string): RunningServer | null =>
      alive(sessionId, name)?.running ?? null,
    /** Starts a server, where it does not run. @throws Error where it does not start, with what it said */
    async start(
      sessionId: string,
      server: SkillServer,
      folder: string,
      signal: AbortSignal,
    ): Promise<RunningServer> {
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
    /** The task of a session is over: its servers end with everything that they started. Never rejects. */
    end,
    async dispose(): Promise<void> {
      isDisposed = true;
      await Promise.all([...sessions.keys()].map(end));
    },
  };
}

/** Waits for a server; who is stopped waits no longer, and it ends with its task at the latest. */
async function untilReady({ ready }: Entry, signal: AbortSignal): Promise<RunningServer> {
  const server = await unlessAborted(ready, signal);
  if (server === undefined) throw new Error("Stopped before the server was started.");
  return server;
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

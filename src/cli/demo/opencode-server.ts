import { spawn, type ChildProcess } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { createError, describeError } from "../../lib/error.ts";
import { tail } from "../../lib/excerpt.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import { openCodeBinary } from "./binaries.ts";

/** How long OpenCode may take until it answers, in milliseconds. A first start also makes its database. */
const START_LIMIT_MS = 60_000;
/** A probe's own bound: a request that comes before the server says that it listens can hang for good. */
const PROBE_MS = 1_000;
/** What it says then. */
const LISTENS = "listening on";
const BETWEEN_PROBES_MS = 50;
/** How much of what it prints is kept, in characters. */
const WORDS_LIMIT = 4_000;

export interface ServerOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** Where the process stands; the projects that it serves are named per request. */
  readonly cwd: string;
  readonly signal?: AbortSignal;
  /** Default: the installed OpenCode. */
  readonly binary?: string;
  /** How long one probe may hang, in milliseconds. Default: 1 s. */
  readonly probeMs?: number;
}

/** A running `opencode serve`. */
export interface OpenCodeProcess {
  readonly url: string;
  readonly version: string;
  /** Resolves with what it said last, when it has ended for whatever reason. */
  readonly exited: Promise<string>;
  /** Ends it and what it runs at once, as a crash would, and waits until it is gone. */
  kill(): Promise<void>;
}

/** Starts OpenCode on a free port of loopback. @throws GaiaError with its last words when it does not come up */
export async function startOpenCodeProcess(options: ServerOptions): Promise<OpenCodeProcess> {
  const binary = options.binary ?? openCodeBinary();
  await mkdir(options.cwd, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  // A process group of its own: Ctrl-C reaches the CLI alone, which then ends the whole group in order.
  const child = spawn(binary, ["serve", "--hostname", "127.0.0.1", "--port", String(port)], {
    cwd: options.cwd,
    env: options.environment,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const exited = lastWords(child);
  const endWithUs = (): void => {
    endGroup(child);
  };
  process.once("exit", endWithUs); // For the case that this process ends without having called kill.
  exited.then(
    () => process.off("exit", endWithUs),
    () => undefined,
  );
  const kill = async (): Promise<void> => {
    endGroup(child);
    await exited;
  };
  try {
    const version = await answering(url, child, options);
    return { url, version, exited, kill };
  } catch (error) {
    await kill();
    if (options.signal?.aborted === true) throw error;
    throw createError("demo", `OpenCode did not start (${describeError(error)}). ${saidLast(await exited)}`, {
      cause: error,
      hint: `\nTry it by hand: ${binary} serve`,
    });
  }
}

/** OpenCode's last words as a sentence of an error. */
export function saidLast(words: string): string {
  return words.trim() === "" ? "It said nothing." : `Its last words:\n${words.trim()}`;
}

async function lastWords(child: ChildProcess): Promise<string> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      output = tail(output + chunk.toString("utf8"), WORDS_LIMIT);
    });
  }
  return new Promise((resolve) => {
    child.once("error", (error) => {
      resolve(describeError(error));
    });
    child.once("close", () => {
      resolve(output);
    });
  });
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL"); // No group of that number: it ended in this very moment, or never led one.
  }
}

/** @returns OpenCode's version, once it answers */
async function answering(url: string, child: ChildProcess, options: ServerOptions): Promise<string> {
  const { signal, probeMs = PROBE_MS } = options;
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  let attempt = new AbortController();
  child.stdout?.on("data", (chunk: Buffer) => {
    if (chunk.includes(LISTENS)) attempt.abort(); // What was asked before may hang; the next one is answered.
  });
  for (;;) {
    signal?.throwIfAborted();
    if (limit.aborted) throw new Error(`no answer within ${START_LIMIT_MS / 1000} s`);
    if (child.pid === undefined) throw new Error("it could not be run");
    if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
    attempt = new AbortController();
    const version = await probe(url, attempt, probeMs);
    if (version !== null) return version;
    await new Promise((resolve) => {
      setTimeout(resolve, BETWEEN_PROBES_MS);
    });
  }
}

async function probe(url: string, attempt: AbortController, limitMs: number): Promise<string | null> {
  const timer = setTimeout(() => {
    attempt.abort();
  }, limitMs);
  try {
    const response = await fetch(`${url}/global/health`, { signal: attempt.signal });
    if (!response.ok) return null;
    return textOf(recordOf(await response.json())["version"]) ?? "";
  } catch {
    return null; // Not listening yet: the caller asks again.
  } finally {
    clearTimeout(timer);
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === "object" && address !== null ? address.port : 0);
      });
    });
  });
}

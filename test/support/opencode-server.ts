import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { createError, describeError } from "../../src/lib/error.ts";
import { tail } from "../../src/lib/text.ts";
import { type JsonRecord, recordOf, textOf } from "../../src/lib/json.ts";
import { openCodeBinary } from "../../src/cli/demo/environment.ts";

/** How long OpenCode may take until it answers, in milliseconds. A first start also makes its database. */
const START_LIMIT_MS = 60_000;
/** What it says when it listens. A request that comes before can hang for good. */
const LISTENS = "listening on";
/** What it says last where it may not listen on its port. */
const PORT_TAKEN = "ServeError";
/** On how many ports it is tried. */
const PORTS = 3;
/** How much of what it prints is kept, in characters. */
const WORDS_LIMIT = 4_000;

interface ServerOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** Where the process stands; the projects that it serves are named per request. */
  readonly cwd: string;
}

/** A running `opencode serve`. */
export type OpenCodeProcess = Awaited<ReturnType<typeof startOn>>;

/**
 * Starts OpenCode on a free port of loopback; on another one where somebody took it in the meantime.
 * @throws GaiaError with its last words when it does not come up
 */
export async function startOpenCodeProcess(options: ServerOptions): Promise<OpenCodeProcess> {
  await mkdir(options.cwd, { recursive: true });
  for (let left = PORTS - 1; left > 0; left -= 1) {
    try {
      return await startOn(await freePort(), options);
    } catch (error) {
      if (!describeError(error).includes(PORT_TAKEN)) throw error;
    }
  }
  return startOn(await freePort(), options);
}

async function startOn(port: number, { environment: env, cwd }: ServerOptions) {
  // Another release of OpenCode than the installed one, where it is named.
  const binary = process.env["OPENCODE_BINARY"] ?? openCodeBinary();
  const url = `http://127.0.0.1:${port}`;
  // A process group of its own: Ctrl-C reaches the CLI alone, which then ends the whole group in order.
  const child = spawn(binary, ["serve", "--hostname", "127.0.0.1", "--port", String(port)], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  const listens = new Promise<void>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        output = tail(output + chunk.toString("utf8"), WORDS_LIMIT);
        if (output.includes(LISTENS)) resolve();
      });
    }
  });
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(describeError(error)));
    child.once("close", () => resolve(output));
  });
  const endWithUs = endGroup.bind(null, child);
  process.once("exit", endWithUs); // For the case that this process ends without having called kill.
  child.once("close", () => process.off("exit", endWithUs));
  /** Ends it and what it runs at once, as a crash would, and waits until it is gone. */
  const kill = async (): Promise<void> => {
    endGroup(child);
    await exited;
  };
  try {
    const limit = AbortSignal.timeout(START_LIMIT_MS);
    await Promise.race([listens, aborted(limit), ended(exited, child)]);
    const response = await fetch(`${url}/global/health`, { signal: limit });
    return { url, version: textOf(recordOf(await response.json())["version"]) ?? "", kill };
  } catch (error) {
    await kill();
    const words = (await exited).trim() || "nothing";
    throw createError("demo", `OpenCode did not start (${describeError(error)}). It said: ${words}`, {
      cause: error,
      hint: `\nTry it by hand: ${binary} serve`,
    });
  }
}

async function aborted(signal: AbortSignal): Promise<never> {
  await once(signal, "abort");
  throw signal.reason;
}

async function ended(exited: Promise<string>, child: ChildProcess): Promise<never> {
  await exited;
  throw new Error(
    child.pid === undefined ? "it could not be run" : `it ended with exit code ${child.exitCode}`,
  );
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    child.kill("SIGKILL"); // No group of that number: it ended in this very moment, or never led one.
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** How long OpenCode may take to answer one request, in milliseconds. */
const REQUEST_LIMIT_MS = 30_000;

export interface OpenCodeEvent {
  readonly type: string;
  readonly properties: JsonRecord;
}

/** The part of OpenCode's HTTP API that tests need, for one project directory. Every call is bounded. */
export function createOpenCodeApi(url: string, directory: string, limitMs: number = REQUEST_LIMIT_MS) {
  const headers = {
    "content-type": "application/json",
    "x-opencode-directory": encodeURIComponent(directory),
  };
  /** @throws GaiaError with OpenCode's own words when it refuses */
  const call = async (method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(limitMs),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) {
      throw createError(
        "demo",
        `OpenCode refused ${method} ${path} (${response.status}): ${text.slice(0, 500)}`,
      );
    }
    return text === "" ? null : (JSON.parse(text) as unknown);
  };
  return {
    call,
    /** Follows the project's events until `signal` aborts; resolves once it listens. */
    async follow(onEvent: (event: OpenCodeEvent) => void, signal: AbortSignal): Promise<void> {
      const response = await fetch(`${url}/event`, { headers, signal });
      if (response.body === null) throw createError("demo", "OpenCode's event stream is empty.");
      readEvents(response.body, onEvent).catch(() => undefined); // Ends with the signal, or with OpenCode.
    },
  };
}

async function readEvents(body: ReadableStream<Uint8Array>, onEvent: (event: OpenCodeEvent) => void) {
  const decoder = new TextDecoder();
  let buffer = "";
  for await (const chunk of body) {
    buffer += decoder.decode(chunk, { stream: true });
    const blocks = buffer.split("\n\n");
    buffer = blocks.pop() ?? "";
    for (const block of blocks.filter((text) => text.startsWith("data: "))) {
      const { type, properties } = recordOf(JSON.parse(block.slice("data: ".length)));
      onEvent({ type: textOf(type) ?? "", properties: recordOf(properties) });
    }
  }
}

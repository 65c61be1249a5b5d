import { spawn, type ChildProcess } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:net";
import { delimiter, dirname, join } from "node:path";
import { createError, describeError } from "../../lib/error.ts";
import { tail } from "../../lib/excerpt.ts";
import { openCodeBinary, ripgrepFolder } from "./binaries.ts";

/** How long OpenCode may take until it answers, in milliseconds. A first start also makes its database. */
const START_LIMIT_MS = 60_000;
const PROBE_MS = 1_000;

export interface ServerOptions {
  readonly environment: NodeJS.ProcessEnv;
  /** Where the process stands; the projects that it serves are named per request. */
  readonly cwd: string;
  readonly signal?: AbortSignal;
}

/** A running `opencode serve`. */
export interface OpenCodeProcess {
  readonly url: string;
  /** Resolves with what it said last, when it has ended for whatever reason. */
  readonly exited: Promise<string>;
  /** Ends it at once and waits until it is gone. */
  kill(): Promise<void>;
}

/** The environment of an OpenCode that knows nothing of this machine's user: own home, nothing fetched or installed. */
export function hermeticEnvironment(home: string): NodeJS.ProcessEnv {
  return {
    PATH: [ripgrepFolder(), dirname(process.execPath), process.env["PATH"]].join(delimiter),
    HOME: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    npm_config_offline: "true",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
    LANG: "C.UTF-8",
  };
}

/** Starts OpenCode on a free port of loopback. @throws GaiaError with its last words when it does not come up */
export async function startOpenCodeProcess(options: ServerOptions): Promise<OpenCodeProcess> {
  await mkdir(options.cwd, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(openCodeBinary(), ["serve", "--hostname", "127.0.0.1", "--port", String(port)], {
    cwd: options.cwd,
    env: options.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output = tail(output + chunk.toString("utf8"), 4_000);
    });
  }
  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => {
      resolve(describeError(error));
    });
    child.once("exit", () => {
      resolve(output);
    });
  });
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  try {
    await answering(url, child, options.signal);
  } catch (error) {
    await kill();
    throw createError("demo", `OpenCode did not start. It said: ${output.trim() || "nothing"}`, {
      cause: error,
      hint: 'Try "opencode serve" by hand.',
    });
  }
  return { url, exited, kill };
}

/** The very first request can hang for good while the server has just begun to listen: short probes, one after another. */
async function answering(url: string, child: ChildProcess, signal: AbortSignal | undefined): Promise<void> {
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  for (;;) {
    signal?.throwIfAborted();
    limit.throwIfAborted();
    if (child.exitCode !== null || child.pid === undefined) throw new Error("It ended at once.");
    if (await answers(url)) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/global/health`, { signal: AbortSignal.timeout(PROBE_MS) })).ok;
  } catch {
    return false; // Not listening yet: the caller asks again.
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

import { spawn, type ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openCodeBinary, ripgrepFolder } from "../../src/cli/demo/binaries.ts";

/** How long OpenCode may take to answer for the first time, in milliseconds. */
const START_LIMIT_MS = 60_000;

/** A real OpenCode server with a home of its own; it knows nothing of the machine's user. */
export interface OpenCodeServer {
  readonly url: string;
  /** Holds the home and, below `projects`, whatever a test puts there. */
  readonly root: string;
  /** What it wrote into its log so far. */
  log(): Promise<string>;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Starts it again over the same data. */
  restart(): Promise<OpenCodeServer>;
  /** Ends it and removes its home. */
  close(): Promise<void>;
}

/** The environment of a hermetic OpenCode: own home, nothing fetched, nothing installed. */
export function hermeticEnvironment(root: string): NodeJS.ProcessEnv {
  const home = join(root, "home");
  return {
    PATH: [ripgrepFolder(), dirname(process.execPath), process.env["PATH"]].join(":"),
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
    LANG: "C.UTF-8",
  };
}

/** Starts `opencode serve`. @throws with the end of its output when it does not answer in time */
export async function startOpenCode(existingRoot?: string): Promise<OpenCodeServer> {
  const root = existingRoot ?? (await realpath(await mkdtemp(join(tmpdir(), "gaia-e2e-"))));
  const environment = hermeticEnvironment(root);
  await mkdir(join(root, "home"), { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(openCodeBinary(), ["serve", "--port", String(port)], {
    cwd: join(root, "home"),
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-4_000);
    });
  }
  const exited = exitOf(child);
  await answering(url, child, () => output);
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exited;
  };
  return {
    url,
    root,
    kill,
    log: async () =>
      readFile(join(environment["XDG_DATA_HOME"] ?? "", "opencode", "log", "opencode.log"), "utf8"),
    async restart() {
      await kill();
      return startOpenCode(root);
    },
    async close() {
      await kill();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The very first request can hang for good while the server has just begun to listen: short probes, then again. */
async function answering(url: string, child: ChildProcess, output: () => string): Promise<void> {
  const end = Date.now() + START_LIMIT_MS;
  while (Date.now() < end && child.exitCode === null) {
    try {
      const response = await fetch(`${url}/global/health`, { signal: AbortSignal.timeout(1_000) });
      if (response.ok) return;
    } catch {
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
    }
  }
  child.kill("SIGKILL");
  throw new Error(`OpenCode did not start within ${START_LIMIT_MS} ms. Its last words:\n${output()}`);
}

async function exitOf(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once("exit", () => {
      resolve();
    });
  });
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

import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hermeticEnvironment } from "../../src/cli/demo/hermetic-environment.ts";
import { startOpenCodeProcess } from "../../src/cli/demo/opencode-server.ts";

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

/** Starts `opencode serve` the way the demo does. @throws with the end of its output when it does not answer in time */
export async function startOpenCode(existingRoot?: string): Promise<OpenCodeServer> {
  const root = existingRoot ?? (await realpath(await mkdtemp(join(tmpdir(), "gaia-e2e-"))));
  const home = join(root, "home");
  const environment = hermeticEnvironment(home);
  const { url, kill } = await startOpenCodeProcess({ environment, cwd: home });
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

import { chmod, mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { hermeticEnvironment } from "../../src/cli/demo/environment.ts";
import { startOpenCodeProcess } from "./opencode-server.ts";
import { writeIn } from "./directory.ts";

/** A real OpenCode server with a home of its own; it knows nothing of the machine's user. */
export interface OpenCodeServer {
  readonly url: string;
  /** Holds the home and, below `projects`, whatever a test puts there. */
  readonly root: string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
  /** Kills it and starts another one over the same data, on another port. */
  restart(): Promise<OpenCodeServer>;
  /** Ends it and removes its home. */
  close(): Promise<void>;
}

/** Where OpenCode keeps its own files below the root of a server. */
export function homeOf(root: string): string {
  return join(root, "home");
}

/** What the server wrote into its log so far; empty before its first line. */
export async function readLog(root: string): Promise<string> {
  const path = join(homeOf(root), ".local", "share", "opencode", "log", "opencode.log");
  return readFile(path, "utf8").catch(() => "");
}

/**
 * Starts `opencode serve`.
 * @param variables of its environment beside those of a hermetic one
 * @throws GaiaError with the end of its output when it does not answer in time
 */
export async function startOpenCode(
  existingRoot?: string,
  variables: Record<string, string> = {},
): Promise<OpenCodeServer> {
  const root = existingRoot ?? (await realpath(await mkdtemp(join(tmpdir(), "gaia-e2e-"))));
  const home = homeOf(root);
  await furnishHome(home);
  const environment = hermeticEnvironment(home);
  const PATH = [join(home, "bin"), environment["PATH"]].join(delimiter);
  const server = await startOpenCodeProcess({
    environment: { ...environment, ...variables, PATH },
    cwd: home,
  });
  // It leads a process group of its own, so nothing else would end it with this process.
  const endWithUs = (): void => void server.kill();
  process.once("exit", endWithUs);
  const kill = async (): Promise<void> => {
    process.off("exit", endWithUs);
    await server.kill();
  };
  return {
    url: server.url,
    root,
    kill,
    async restart() {
      await kill();
      return startOpenCode(root, variables);
    },
    async close() {
      await kill();
      await rm(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Puts into a home what OpenCode would otherwise do for each project again, at a second and a half of its work: trying to
 * install its plugin package offline, and reading its whole catalogue of models, none of which a scenario uses.
 */
export async function furnishHome(home: string): Promise<void> {
  await pretendInstalled(join(home, ".config", "opencode"));
  await writeIn(home, ".cache/opencode/models.json", "{}");
  // A forge's program for scenes that have one: it does what a script in the project's repository says.
  await writeIn(home, "bin/gh", '#!/bin/sh\nexec sh "$(git rev-parse --git-common-dir)/fake-gh" "$@"\n');
  await chmod(join(home, "bin/gh"), 0o755);
}

/** Makes a configuration folder of OpenCode's look as if the types for plugins were installed there. */
export async function pretendInstalled(folder: string): Promise<void> {
  await mkdir(join(folder, "node_modules"), { recursive: true });
  const dependencies = { "@opencode-ai/plugin": "*" };
  await writeIn(folder, "package-lock.json", JSON.stringify({ packages: { "": { dependencies } } }));
}

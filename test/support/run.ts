import { spawn } from "node:child_process";
import { sharedServer } from "./shared-server.ts";
import { hermeticEnvironment, openCodeBinary } from "../../src/cli/demo/environment.ts";
import { recordOf } from "../../src/lib/json.ts";
import { homeOf } from "./opencode.ts";
import type { Project } from "./project.ts";

/** How long `opencode run` may take, in milliseconds. */
const LIMIT_MS = 110_000;

/**
 * `opencode run` in a project, with a slash command that takes the text where one is named: a process of its own that ends with
 * the turn and has no user to ask.
 * @param interrupt gives the signal that ends it, in its own time
 */
export async function runOpenCode(
  project: Project,
  agent: string,
  text: string,
  format: "json" | "default" = "json",
  command?: string,
  interrupt?: () => Promise<NodeJS.Signals>,
) {
  const typed = command === undefined ? [] : ["--command", command];
  const begin = Date.now();
  const child = spawn(openCodeBinary(), ["run", "--format", format, "--agent", agent, ...typed, text], {
    cwd: project.directory,
    env: hermeticEnvironment(homeOf(sharedServer().root)),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString("utf8");
  });
  const ended = new Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, signal) => resolve({ exitCode, signal }));
  });
  const interrupted = interrupt?.().then(
    (wanted) => child.kill(wanted),
    (error: unknown) => {
      child.kill("SIGKILL");
      throw error;
    },
  );
  const [{ exitCode, signal }] = await Promise.all([ended, interrupted]);
  const lines = stdout.split("\n").filter((line) => line.startsWith("{"));
  return {
    exitCode,
    /** What ended it; null where it ended of its own. */
    signal,
    stdout,
    stderr,
    ms: Date.now() - begin,
    /** What it printed, one JSON object per line. */
    events: lines.map((line) => recordOf(JSON.parse(line))),
  };
}

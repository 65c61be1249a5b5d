import { spawn } from "node:child_process";
import { createError } from "../../lib/error.ts";
import { listOf, parseJson, recordOf } from "../../lib/json.ts";
import type { McpProject } from "./project.ts";
import { TOKEN_VARIABLE } from "./token.ts";

/** Longer than all checks together may take by themselves. */
const LIMIT_MS = 3_600_000;
/** How long one that was ended may take to end what it has started, before it is killed. */
const GRACE_MS = 15_000;
const MAX_OUTPUT = 4_000_000;

let isRunning = false;

/**
 * Runs the Definition of Done as `opencode-gaia check` does, in a process of its own: it ends, and takes all that it started
 * along, when the pipe to this one closes, in whatever way this one comes to its end.
 * @throws GaiaError where nothing could be run, or something runs already
 */
export async function runDodChecks(
  { directory, environment }: McpProject,
  scope: string | undefined,
  signal: AbortSignal,
): Promise<object> {
  if (isRunning)
    throw createError("mcp", "The checks run already.", { hint: "Ask again when that run has ended." });
  isRunning = true;
  try {
    const answer = recordOf(parseJson(await outputOf(directory, environment, scope, signal)));
    const { passed, checks, artifacts, notes, problem } = answer;
    if (typeof problem === "string") throw createError("mcp", problem);
    if (typeof passed !== "boolean") throw createError("mcp", "The checks did not come to an end.");
    return { passed, results: listOf(checks), artifacts: listOf(artifacts), notes: listOf(notes) };
  } finally {
    isRunning = false;
  }
}

async function outputOf(
  cwd: string,
  environment: NodeJS.ProcessEnv,
  scope: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const { [TOKEN_VARIABLE]: _token, ...env } = environment;
  const script = process.argv[1] ?? "";
  const wanted = scope === undefined ? [] : [`--scope=${scope}`];
  const args = [...process.execArgv, script, "check", "--json", "--until-eof", ...wanted];
  // Away from this one's group: who ends that must leave it alone with its ends.
  const child = spawn(process.execPath, args, {
    cwd,
    env,
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  const chunks: Buffer[] = [];
  let left = MAX_OUTPUT;
  child.stdout.on("data", (chunk: Buffer) => {
    if ((left -= chunk.length) >= 0) chunks.push(chunk);
  });
  child.stdin.on("error", () => undefined);
  const end = (): void => {
    child.stdin.end();
    const late = setTimeout(() => child.kill("SIGKILL"), GRACE_MS);
    child.once("close", () => {
      clearTimeout(late);
    });
  };
  const limit = setTimeout(end, LIMIT_MS);
  signal.addEventListener("abort", end);
  if (signal.aborted) end();
  try {
    await new Promise((resolve, reject) => {
      child.once("close", resolve);
      child.once("error", reject);
    });
  } finally {
    clearTimeout(limit);
    signal.removeEventListener("abort", end);
  }
  return Buffer.concat(chunks).toString("utf8");
}

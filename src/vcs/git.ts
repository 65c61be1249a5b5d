import type { Clock } from "../lib/clock.ts";
import { runBoundedProcess } from "../process/bounded-process.ts";

/** A folder inside a repository, and who may end what is asked of it. */
export interface Repository {
  readonly directory: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** What a version control program printed. */
export interface VcsRun {
  readonly ok: boolean;
  /** False when there was more than the bound. */
  readonly whole: boolean;
  readonly text: string;
}

const TIMEOUT_MS = 10_000;

/**
 * Runs git so that looking takes no locks and pays no attention to the user's settings for people.
 * @param maxBytes what is kept of its output
 * @param sink takes the output in place of `text`
 */
export async function runGit(
  repository: Repository,
  args: readonly string[],
  maxBytes: number,
  sink?: (chunk: Buffer) => void,
): Promise<VcsRun> {
  const options = ["-c", "core.fsmonitor=false", "-c", "core.quotePath=false"];
  return runVcs(repository, ["git", ...options, ...args], maxBytes, sink);
}

/** Runs a version control program for at most ten seconds. Never throws. */
export async function runVcs(
  { directory, clock, signal }: Repository,
  command: readonly [program: string, ...args: string[]],
  maxBytes: number,
  sink?: (chunk: Buffer) => void,
): Promise<VcsRun> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const take = sink ?? ((chunk: Buffer) => chunks.push(chunk));
  const ending = await runBoundedProcess({
    command,
    cwd: directory,
    env: environment(),
    timeoutMs: TIMEOUT_MS,
    graceMs: 500,
    signal,
    clock,
    onOutput(source, chunk) {
      if (source === "stderr") return;
      if (bytes < maxBytes) take(chunk.subarray(0, maxBytes - bytes));
      bytes += chunk.length;
    },
  });
  const ok = ending.kind === "exited" && ending.code === 0;
  return { ok, whole: bytes <= maxBytes, text: Buffer.concat(chunks).toString("utf8") };
}

/** Only the directory says which repository it is, and looking never takes git's locks. */
function environment(): NodeJS.ProcessEnv {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...env } = process.env;
  return { ...env, GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}

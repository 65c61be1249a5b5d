import type { Clock } from "../lib/clock.ts";
import { runBoundedProcess } from "../process/bounded-process.ts";
import { withOutsidePath } from "../process/outside-path.ts";

/** Has Jujutsu print for programs; `jj` has no filters, hooks or attributes that a repository could bring. */
export function hostJj(args: readonly string[]): VcsStart {
  return {
    command: ["jj", "--no-pager", "--color=never", ...args],
    env: { ...process.env, LC_ALL: "C" },
  };
}

/** A folder inside a repository, and who may end what is asked of it. */
export interface Repository {
  readonly directory: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** How a version control program is started: by {@link hostGit} or {@link hostJj}. */
interface VcsStart {
  readonly command: readonly [program: string, ...args: string[]];
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
}

/** What a version control program printed, as far as its bound. */
export interface VcsRun {
  readonly ok: boolean;
  readonly text: string;
  /** null where it came to no end of its own. */
  readonly code: number | null;
  /** Why it failed, in its own words. */
  readonly words: string;
}

const TIMEOUT_MS = 10_000;
const GRACE_MS = 500;
const MAX_WORDS = 2_000;

/**
 * Runs a version control program, for at most ten seconds where it does not say. Never throws.
 * @param maxBytes what is read of its output
 * @param take takes the output in place of `text`
 */
export async function runVcs(
  { directory, clock, signal }: Repository,
  { command, env, timeoutMs = TIMEOUT_MS }: VcsStart,
  maxBytes: number,
  take?: (chunk: Buffer) => void,
): Promise<VcsRun> {
  const chunks: Buffer[] = [];
  let words = "";
  const ending = await runBoundedProcess({
    command,
    cwd: directory,
    env: withOutsidePath(env, directory),
    timeoutMs,
    graceMs: GRACE_MS,
    signal,
    clock,
    output: {
      maxBytes,
      write(source, chunk) {
        if (source === "stderr") words = (words + chunk.toString()).slice(0, MAX_WORDS);
        else if (take) take(chunk);
        else chunks.push(chunk);
      },
    },
  });
  const code = ending.kind === "exited" ? ending.code : null;
  if (ending.kind === "timeout") words += `${command[0]} did not answer within ${timeoutMs / 1_000} s`;
  if (ending.kind === "unstartable") words += ending.problem;
  return { ok: code === 0, code, text: Buffer.concat(chunks).toString("utf8"), words: words.trim() };
}

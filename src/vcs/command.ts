import type { Clock } from "../lib/clock.ts";
import { runBoundedProcess } from "../process/bounded-process.ts";

/** A folder inside a repository, and who may end what is asked of it. */
export interface Repository {
  readonly directory: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** What a version control program printed, as far as its bound. */
export interface VcsRun {
  readonly ok: boolean;
  readonly text: string;
}

const TIMEOUT_MS = 10_000;
const GRACE_MS = 500;

/**
 * Runs a version control program for at most ten seconds. Never throws.
 * @param maxBytes what is read of its output
 * @param take takes the output in place of `text`
 */
export async function runVcs(
  { directory, clock, signal }: Repository,
  command: readonly [program: string, ...args: string[]],
  maxBytes: number,
  take?: (chunk: Buffer) => void,
): Promise<VcsRun> {
  const chunks: Buffer[] = [];
  const ending = await runBoundedProcess({
    command,
    cwd: directory,
    env: environment(),
    timeoutMs: TIMEOUT_MS,
    graceMs: GRACE_MS,
    signal,
    clock,
    output: {
      maxBytes,
      write(source, chunk) {
        if (source === "stderr") return;
        if (take) take(chunk);
        else chunks.push(chunk);
      },
    },
  });
  const ok = ending.kind === "exited" && ending.code === 0;
  return { ok, text: Buffer.concat(chunks).toString("utf8") };
}

/**
 * What of the environment would have git look into another repository than the directory's, or read paths in another way: a hook
 * or an editor from which OpenCode was started has set it for its own.
 */
export const ELSEWHERE =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|NAMESPACE|PREFIX|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|\w+_PATHSPECS)$/;

/** Only the directory says which repository it is; looking never takes git's locks, and fetches nothing. */
function environment(): NodeJS.ProcessEnv {
  const env = Object.entries(process.env).filter(([name]) => !ELSEWHERE.test(name));
  const looking = { GIT_OPTIONAL_LOCKS: "0", GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };
  return { ...Object.fromEntries(env), ...looking, GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}

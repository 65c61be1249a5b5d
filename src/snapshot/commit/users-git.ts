import type { Clock } from "../../lib/clock.ts";
import { runBoundedProcess } from "../../process/bounded-process.ts";
import { hostGit } from "../../process/git.ts";
import { withOutsidePath } from "../../process/outside-path.ts";

export interface UsersGitPlace {
  readonly directory: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly filters?: readonly string[];
}

export interface UsersGitAnswer {
  readonly ok: boolean;
  readonly out: string;
  /** What it and its hooks said, the end of it. */
  readonly said: string;
}

export interface GitOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeoutMs?: number;
  /** Hooks may say why they refuse on either stream: git shows both. */
  readonly saysOnBoth?: boolean;
}

const TIMEOUT_MS = 60_000;
const GRACE_MS = 2_000;
const MAX_OUT_BYTES = 64_000_000;
const MAX_SAID_BYTES = 200_000;

/** Nothing of a commit lies elsewhere: a repository's settings could name programs that fetch it. */
const WITHOUT_REMOTES = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };

/**
 * Runs git with the user's configuration and identity. Hooks and filters are contained, see `hooks.ts` and `programs.ts`.
 * The environment does not name another repository. Never throws.
 */
export async function usersGit(
  place: UsersGitPlace,
  args: readonly string[],
  { namesHooks = false, ...options }: GitOptions & { readonly namesHooks?: boolean } = {},
): Promise<UsersGitAnswer> {
  const { filters = [] } = place;
  const { command, env } = hostGit(args, { isAgreed: true, namesHooks, filters });
  const own = { ...withOutsidePath(env, place.directory), ...WITHOUT_REMOTES, ...options.env };
  return runInPlace(place, command, { ...options, env: own });
}

/** Runs a program in the environment of {@link usersGit}. Never throws. */
export async function runInPlace(
  { directory, clock, signal }: UsersGitPlace,
  command: readonly string[],
  { input, env, timeoutMs = TIMEOUT_MS, saysOnBoth = false }: GitOptions = {},
): Promise<UsersGitAnswer> {
  const out: Buffer[] = [];
  let said = "";
  const [program = "", ...args] = command;
  const ending = await runBoundedProcess({
    command: [program, ...args],
    cwd: directory,
    env: hostGit([], { isAgreed: true, ...(env === undefined ? {} : { env }) }).env,
    timeoutMs,
    graceMs: GRACE_MS,
    signal,
    clock,
    input,
    output: {
      maxBytes: MAX_OUT_BYTES,
      write(source, chunk) {
        if (source === "stdout") out.push(chunk);
        if (source === "stderr" || saysOnBoth) said = (said + chunk.toString("utf8")).slice(-MAX_SAID_BYTES);
      },
    },
  });
  if (ending.kind === "unstartable") said = ending.problem;
  if (ending.kind === "timeout") said += `\nIt was ended after ${timeoutMs / 1_000} s.`;
  const ok = ending.kind === "exited" && ending.code === 0;
  return { ok, out: Buffer.concat(out).toString("utf8"), said: said.trim() };
}

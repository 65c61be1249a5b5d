import type { Clock } from "../lib/clock.ts";
import { runBoundedProcess } from "../process/bounded-process.ts";
import { hostGit } from "../process/git.ts";
import { withOutsidePath } from "../process/outside-path.ts";

export interface UsersGitPlace {
  readonly directory: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly filters?: readonly string[];
}

/** A repository that a commit is to be made in, as it is at that moment. */
export interface CommitRepository {
  readonly place: UsersGitPlace;
  readonly top: string;
  /** Holds HEAD and the index of this working tree. */
  readonly gitFolder: string;
  /** The project, relative to the top: "" or ending in "/". */
  readonly prefix: string;
  readonly head: string | null;
  /** What HEAD names; "HEAD" where it is detached. */
  readonly ref: string;
}

export interface UsersGitAnswer {
  readonly ok: boolean;
  readonly out: string;
  readonly said: string;
}

interface GitOptions {
  readonly input?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Why no commit can be made here, in git's words where they are git's. */
export interface CommitProblem {
  readonly kind: "problem";
  readonly why: string;
}

/** Is thrown within this folder alone, see {@link orProblem}. */
export class Refused extends Error {}

/** Work whose refusals are told, and not thrown. */
export async function orProblem<T>(work: () => Promise<T>): Promise<T | CommitProblem> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Refused) return { kind: "problem", why: error.message };
    throw error;
  }
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
  options: GitOptions = {},
): Promise<UsersGitAnswer> {
  const { filters = [] } = place;
  const { command, env } = hostGit(args, { isAgreed: true, namesHooks: false, filters });
  const own = { ...withOutsidePath(env, place.directory), ...WITHOUT_REMOTES, ...options.env };
  return runInPlace(place, command, { ...options, env: own });
}

/** The same where a failure leaves nothing to go on with. @throws Refused with git's own words */
export async function mustGit(
  place: UsersGitPlace,
  args: readonly string[],
  options: GitOptions = {},
): Promise<string> {
  const { ok, out, said } = await usersGit(place, args, options);
  if (!ok) throw new Refused(`git refuses: ${firstLine(said)}`);
  return out;
}

/**
 * Runs a program in the environment of {@link usersGit}. Never throws.
 * @param saysOnBoth hooks may say why they refuse on either stream: git shows both
 */
export async function runInPlace(
  { directory, clock, signal }: UsersGitPlace,
  command: readonly string[],
  { input, env }: GitOptions,
  timeoutMs = TIMEOUT_MS,
  saysOnBoth = false,
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

export function firstLine(said: string): string {
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /^(?:fatal|error): /u.test(line)) ?? lines[0] ?? "it said nothing";
}

export function nulEnded(rows: readonly string[]): string {
  return rows.map((row) => `${row}\0`).join("");
}

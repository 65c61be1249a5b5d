import { createError, type GaiaError } from "../lib/error.ts";
import { hostGit } from "../process/git.ts";
import { withOutsidePath } from "../process/outside-path.ts";
import { type Limits, type ProgramEnd, runProgram } from "../process/bounded-process.ts";

export interface UsersGitPlace {
  readonly directory: string;
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

interface GitOptions extends Pick<Limits, "input"> {
  readonly env?: NodeJS.ProcessEnv;
}

/** Why no commit can be made here, in git's words where they are git's. */
export function refused(why: string): GaiaError {
  return createError("commit", why);
}

const TIMEOUT_MS = 60_000;

/** Nothing of a commit lies elsewhere: a repository's settings could name programs that fetch it. */
const WITHOUT_REMOTES = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "none" };

/**
 * Runs git with the user's configuration and identity. Hooks and filters are contained, see `hooks.ts` and `programs.ts`.
 * The environment does not name another repository. Never throws.
 */
export async function usersGit(
  { directory, signal, filters = [] }: UsersGitPlace,
  args: readonly string[],
  { env, ...options }: GitOptions = {},
): Promise<ProgramEnd> {
  const start = hostGit(args, { isAgreed: true, namesHooks: false, filters });
  const own = { ...withOutsidePath(start.env, directory), ...WITHOUT_REMOTES, ...env };
  const limits = { ...options, timeoutMs: TIMEOUT_MS, signal, startsProjects: true };
  return runProgram({ command: start.command, env: own }, directory, limits);
}

/** The same where a failure leaves nothing to go on with. @throws {@link refused} with git's own words */
export async function mustGit(place: UsersGitPlace, args: readonly string[]): Promise<string> {
  const { ok, text, words } = await usersGit(place, args);
  if (!ok) throw refused(`git refuses: ${firstLine(words)}`);
  return text;
}

export function firstLine(said: string): string {
  const lines = said.split("\n").filter((line) => line.trim() !== "");
  return lines.find((line) => /^(?:fatal|error): /u.test(line)) ?? lines[0] ?? "it said nothing";
}

export function nulEnded(rows: readonly string[]): string {
  return rows.map((row) => `${row}\0`).join("");
}

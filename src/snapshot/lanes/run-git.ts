import { execFile } from "node:child_process";
import { createError } from "../../lib/error.ts";
import { withOutsidePath } from "../../process/outside-path.ts";
import { hostGit, LIST_FILTERS, mayFilter, withoutFilters } from "../../process/git.ts";

/** Making a lane of a large project takes a while; nothing of it hangs. */
const LIMIT_MS = 120_000;
/** Of the contents of a lane's files. */
export const MAX_BYTES = 512_000_000;
const MAX_WORDS = 2_000;

/** What git answered. */
export interface GitAnswer {
  readonly code: number;
  readonly bytes: Buffer;
  readonly text: string;
  readonly words: string;
}

/** Where git works: nothing of the environment says otherwise. */
export interface GitPlace {
  readonly folder: string;
  /** Whose settings count, see {@link hostGit}; those of the plugin's own repositories by default. */
  readonly settings?: "user" | "own";
  /** Set for git alone. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const OWN_OPTIONS = [
  // What is kept in a store is read again soon: to compress it takes ten times as long as to write it.
  "core.compression=0",
  "user.name=GAIA",
  "user.email=gaia@localhost",
].flatMap((option) => ["-c", option]);

/** Runs git with a time-out of its own; a failure is an answer. Never rejects. */
export async function askGit(place: GitPlace, args: readonly string[], input = ""): Promise<GitAnswer> {
  // The plugin's own repositories have attributes by which no filter is run.
  if (place.settings !== "user" || !mayFilter(args)) return start(place, args, input);
  const filters = withoutFilters(await start(place, LIST_FILTERS, ""));
  if (typeof filters === "string") return { code: -1, bytes: Buffer.of(), text: "", words: filters };
  return start(place, args, input, filters);
}

async function start(
  { folder, settings = "own", env: own = {} }: GitPlace,
  args: readonly string[],
  input: string,
  filters: readonly string[] = [],
): Promise<GitAnswer> {
  const { command, env } = hostGit([...OWN_OPTIONS, ...args], { settings, filters, env: own });
  const [program, ...rest] = command;
  const options = {
    cwd: folder,
    env: withOutsidePath(env, folder),
    windowsHide: true,
    encoding: "buffer",
    maxBuffer: MAX_BYTES,
  } as const;
  return new Promise((resolve) => {
    let isLate = false;
    const child = execFile(program, rest, options, (error, bytes, told) => {
      clearTimeout(timer);
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      // Why it came to no end of its own.
      const ended = isLate
        ? `It was ended after ${LIMIT_MS / 1_000} s.`
        : `${error?.message} (is ${folder} there?)`;
      const words = `${told.toString()}${code === -1 ? ended : ""}`.slice(0, MAX_WORDS);
      resolve({ code, bytes, text: bytes.toString().replace(/\n$/u, ""), words });
    });
    const timer = setTimeout(() => {
      isLate = true;
      child.kill("SIGKILL");
      // A filter of the user's holds them open, and nobody waits for it.
      for (const pipe of [child.stdout, child.stderr]) pipe?.destroy();
    }, LIMIT_MS);
    // It may have ended before it read all of it.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}

/** Asks in the user's own repository, by their settings; their hooks are for their own commits. */
export async function askUsers(folder: string, ...args: string[]): Promise<GitAnswer> {
  return askGit({ folder, settings: "user" }, args);
}

/** The same where a failure leaves nothing to go on with. @throws GaiaError with git's own words */
export async function git(place: GitPlace, args: readonly string[], input = ""): Promise<string> {
  const { code, text, words } = await askGit(place, args, input);
  if (code === 0) return text;
  const verb = args.find((arg, at) => arg !== "-c" && args[at - 1] !== "-c");
  throw failed(`git ${verb} failed in ${place.folder}: ${words}`);
}

export function failed(message: string): Error {
  return createError("worktrees", message);
}

/** What git lists with NUL between. */
export function nulRows(text: string): string[] {
  return text.split("\0").filter(Boolean);
}

import { spawn } from "node:child_process";
import { createError } from "../../lib/error.ts";
import { withOutsidePath } from "../../process/outside-path.ts";
import { hostGit, LIST_FILTERS, mayFilter, withoutFilters } from "../../process/git.ts";

/** Making a lane of a large project takes a while; nothing of it hangs. */
const LIMIT_MS = 120_000;
/** Of the contents of a lane's files. */
const MAX_BYTES = 512_000_000;
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
  const git = hostGit([...OWN_OPTIONS, ...args], { settings, filters, env: own });
  const [program, ...rest] = git.command;
  return new Promise((resolve) => {
    const env = withOutsidePath(git.env, folder);
    const child = spawn(program, rest, { cwd: folder, env, windowsHide: true });
    const out: Buffer[] = [];
    let size = 0;
    let words = "";
    const stop = (why: string): void => {
      words += why;
      child.kill("SIGKILL");
      // A filter of the user's holds them open, and nobody waits for it.
      for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
    };
    const timer = setTimeout(() => stop(`It was ended after ${LIMIT_MS / 1_000} s.`), LIMIT_MS);
    const end = (code: number): void => {
      clearTimeout(timer);
      const bytes = Buffer.concat(out);
      resolve({ code, bytes, text: bytes.toString().replace(/\n$/u, ""), words: words.slice(0, 2_000) });
    };
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) stop(`It printed more than ${MAX_BYTES / 1_000_000} MB.`);
      else out.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => (words = (words + chunk.toString()).slice(0, MAX_WORDS)));
    child.on("error", (error) => {
      words += `${error.message} (is ${folder} there?)`;
      end(-1);
    });
    child.on("close", (code) => end(code ?? -1));
    // It may have ended before it read all of it.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
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
export function rowsOf(text: string): string[] {
  return text.split("\0").filter(Boolean);
}

import { spawn } from "node:child_process";
import { devNull } from "node:os";
import { createError } from "../lib/error.ts";

/** Making a lane of a large project takes a while; nothing of it hangs. */
const LIMIT_MS = 120_000;

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
  /** Set for git alone. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Neither the user's settings nor the system's: they name filters, hooks and programs, and change line ends. */
const OWN = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: devNull,
  GIT_TERMINAL_PROMPT: "0",
  GIT_NO_REPLACE_OBJECTS: "1",
  LC_ALL: "C",
};
const OPTIONS = [
  `core.hooksPath=${devNull}`,
  "core.fsmonitor=false",
  "core.quotePath=false",
  // What is kept in a store is read again soon: to compress it takes ten times as long as to write it.
  "core.compression=0",
  "user.name=GAIA",
  "user.email=gaia@localhost",
].flatMap((option) => ["-c", option]);

/** The user's own repository is only asked, and by their own settings, those of the environment included. */
export function users(): Readonly<Record<string, string | undefined>> {
  const set = Object.entries(process.env).filter(([name]) => name.startsWith("GIT_CONFIG"));
  return {
    GIT_OPTIONAL_LOCKS: "0",
    GIT_CONFIG_GLOBAL: undefined,
    GIT_CONFIG_NOSYSTEM: undefined,
    ...Object.fromEntries(set),
  };
}

/** Runs git with a time-out of its own; a failure is an answer. Never rejects. */
export async function askGit(
  { folder, env }: GitPlace,
  args: readonly string[],
  input = "",
): Promise<GitAnswer> {
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("GIT_")));
  return new Promise((resolve) => {
    const child = spawn("git", [...OPTIONS, ...args], {
      cwd: folder,
      env: { ...clean, ...OWN, ...env },
      windowsHide: true,
    });
    const out: Buffer[] = [];
    let words = "";
    const timer = setTimeout(() => {
      words += `It was ended after ${LIMIT_MS / 1_000} s.`;
      child.kill("SIGKILL");
      // A filter of the user's holds them open, and nobody waits for it.
      for (const pipe of [child.stdout, child.stderr]) pipe.destroy();
    }, LIMIT_MS);
    const end = (code: number): void => {
      clearTimeout(timer);
      const bytes = Buffer.concat(out);
      resolve({ code, bytes, text: bytes.toString().replace(/\n$/u, ""), words: words.slice(0, 2_000) });
    };
    child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => (words += chunk.toString()));
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
  return askGit({ folder, env: users() }, args);
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

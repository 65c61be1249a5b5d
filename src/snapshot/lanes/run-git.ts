import { createError } from "../../lib/error.ts";
import { askGit as ask, type GitPlace } from "../../process/git.ts";
import { nulRows, OPAQUE } from "../version.ts";
import type { ProgramEnd } from "../../process/bounded-process.ts";

/** Making a lane of a large project takes a while; nothing of it hangs. */
const LIMIT_MS = 120_000;
export const MAX_BYTES = 512_000_000;
const OWN_OPTIONS = [
  // What is kept in a store is read again soon: to compress it takes ten times as long as to write it.
  "core.compression=0",
  "user.name=GAIA",
  "user.email=gaia@localhost",
].flatMap((option) => ["-c", option]);

/** Asks git, in a repository of the plugin's own where the place does not say otherwise; the answer is without its last line break. */
export async function askLaneGit(place: GitPlace, args: readonly string[], input = ""): Promise<ProgramEnd> {
  const limits = { input, timeoutMs: LIMIT_MS, maxBytes: MAX_BYTES };
  const told = await ask({ settings: "own", ...place }, [...OWN_OPTIONS, ...args], limits);
  return { ...told, code: told.isCut ? -1 : told.code, text: told.text.replace(/\n$/u, "") };
}

/** Asks in the user's own repository, by their settings; their hooks are for their own commits. */
export async function askUsers(folder: string, ...args: string[]): Promise<ProgramEnd> {
  return askLaneGit({ folder, settings: "user" }, args);
}

/** The same where a failure leaves nothing to go on with. @throws GaiaError with git's own words */
export async function git(place: GitPlace, args: readonly string[], input = ""): Promise<string> {
  const { code, text, words } = await askLaneGit(place, args, input);
  if (code === 0) return text;
  const verb = args.find((arg, at) => arg !== "-c" && args[at - 1] !== "-c");
  throw failed(`git ${verb} failed in ${place.folder}: ${words}`);
}

/** Repositories inside that the index of one names, with the commit of each. */
export async function modulesOf(place: GitPlace): Promise<{ path: string; commit: string }[]> {
  const { text } = await askLaneGit({ settings: "user", ...place }, ["ls-files", "-z", "--stage"]);
  return nulRows(text).flatMap((row) => {
    const [mode, commit = ""] = row.split(" ");
    return mode === OPAQUE ? [{ path: row.slice(row.indexOf("\t") + 1), commit }] : [];
  });
}

export function failed(message: string): Error {
  return createError("worktrees", message);
}

import type { Repository } from "./command.ts";
import { runGit } from "./git-command.ts";

/** Moves of HEAD that are looked at. */
const MAX_MOVES = 50;
const MAX_BYTES = 500_000;
const MAX_FILE_BYTES = 16_000_000;
/** A commit that was made here, and none that a merge, a pull, a rebase or another branch brought. */
const MADE_HERE = /^commit(?: \((?:amend|initial)\))?: /u;
const ENTRY = "\u001E";
const FIELD = "\u001F";
const LOG = `log -g -n${MAX_MOVES} --date=unix --format=%x1e%gd%x1f%gs -m --first-parent --raw --no-abbrev --no-renames --relative --no-ext-diff`;

/**
 * Whether a file is as a commit left it that was made in this working tree, by HEAD's own log.
 * @param name relative to the repository's folder @param bytes as it lies there; null for no file
 * @param since seconds since the epoch
 */
export async function committedHere(
  repository: Repository,
  name: string,
  bytes: Buffer | null,
  since: number,
): Promise<boolean> {
  const { ok, text } = await runGit(repository, [...LOG.split(" "), "--", `:(literal)${name}`], MAX_BYTES);
  if (!ok) return false;
  const made = text.split(ENTRY).flatMap((entry) => {
    const [when = "", rest = ""] = entry.split(FIELD);
    const [how = ""] = rest.split("\n");
    const [, id = ""] = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [A-Z]\t/mu.exec(rest) ?? [];
    const isMade = id !== "" && MADE_HERE.test(how) && Number(/@\{(\d+)\}/u.exec(when)?.[1]) >= since;
    return isMade ? [id] : [];
  });
  for (const id of made) {
    const left = /^0+$/u.test(id) ? null : await checkedOut(repository, name, id);
    if (bytes === null ? left === null : left?.equals(bytes) === true) return true;
  }
  return false;
}

/** An object's bytes as they would lie in the folder at a name; null where there is none. */
export async function checkedOut(
  repository: Repository,
  name: string,
  object: string,
): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  const args = ["cat-file", "--filters", `--path=${name}`, object];
  const { ok } = await runGit(repository, args, MAX_FILE_BYTES, (chunk) => void chunks.push(chunk));
  return ok ? Buffer.concat(chunks) : null;
}

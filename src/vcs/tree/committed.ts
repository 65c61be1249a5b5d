import type { Repository } from "../command.ts";
import { runGit } from "../git-command.ts";
import { type FileVersion, isSame, NO_FILE } from "./state.ts";

/** Moves of HEAD that are looked at. */
const MAX_MOVES = 50;
const MAX_BYTES = 500_000;
/** A commit that was made here, and none that a merge, a pull, a rebase or another branch brought. */
const MADE_HERE = /^commit(?: \((?:amend|initial)\))?: /u;
const ENTRY = "\u001E";
const FIELD = "\u001F";
const LOG = `log -g -n${MAX_MOVES} --date=unix --format=%x1e%gd%x1f%gs -m --first-parent --raw --no-abbrev --no-renames --relative --no-ext-diff`;

/**
 * Whether a file is as a commit left it that was made in this working tree, by HEAD's own log.
 * @param name relative to the repository's folder @param since seconds since the epoch
 */
export async function isCommittedHere(
  repository: Repository,
  name: string,
  version: FileVersion,
  since: number,
): Promise<boolean> {
  const { ok, text } = await runGit(repository, [...LOG.split(" "), "--", `:(literal)${name}`], MAX_BYTES);
  if (!ok) return false;
  return text.split(ENTRY).some((entry) => {
    const [when = "", rest = ""] = entry.split(FIELD);
    const [how = ""] = rest.split("\n");
    const [, mode = "", id = ""] = /^:\d+ (\d+) [0-9a-f]+ ([0-9a-f]+) [A-Z]\t/mu.exec(rest) ?? [];
    if (id === "" || !MADE_HERE.test(how)) return false;
    const left = /^0+$/u.test(id) ? NO_FILE : { id, mode };
    return Number(/@\{(\d+)\}/u.exec(when)?.[1]) >= since && isSame(left, version);
  });
}

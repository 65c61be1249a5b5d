import { join } from "node:path";
import type { Repository } from "./command.ts";
import { WITHOUT_RECORD } from "./exclusions.ts";
import { runGit } from "./git-command.ts";
import type { UncommittedFile } from "./port.ts";

const MAX_LIST_BYTES = 4_000_000;
/** Fields before the path, by the kind of the row. */
const FIELDS: Readonly<Record<string, number>> = { "1": 8, "2": 9, u: 10, "?": 1 };

/**
 * Files that differ from the newest commit, with what a commit would take of each; null where git does not answer, or has
 * too much to say.
 * @param top the folder that git names them from
 */
export async function readUncommitted(git: Repository, top: string): Promise<UncommittedFile[] | null> {
  const args = ["status", "--porcelain=v2", "-z", "--untracked-files=all", "--no-renames"];
  const { ok, text } = await runGit(git, [...args, ...WITHOUT_RECORD], MAX_LIST_BYTES);
  if (!ok || text.length >= MAX_LIST_BYTES / 4) return null;
  return text.split("\0").flatMap((row) => {
    const kind = row.charAt(0);
    const fields = FIELDS[kind];
    if (fields === undefined) return [];
    const words = row.split(" ");
    const path = join(top, words.slice(fields).join(" "));
    const [, codes = "..", submodule = "N..."] = words;
    const isDirtyInside = submodule.startsWith("S") && /[MU]$|M.$/u.test(submodule);
    const isStaged = (kind === "1" || kind === "2") && codes.endsWith(".");
    const isInIndex = kind !== "?" && !codes.startsWith(".");
    return [{ path, isTracked: kind !== "?", isStaged, isInIndex, canStage: kind !== "u" && !isDirtyInside }];
  });
}

/** See {@link Vcs.filesMeant}. */
export async function readFilesMeant(
  git: Repository,
  specs: readonly string[],
  tracked: boolean,
): Promise<string[] | null> {
  const top = await runGit(git, ["rev-parse", "--show-toplevel"], MAX_LIST_BYTES);
  const which = tracked ? ["--cached"] : ["--cached", "--others", "--exclude-standard"];
  const list = ["ls-files", ...which, "--error-unmatch", "--full-name", "-z", "--", ...specs];
  const { ok, text } = await runGit(git, list, MAX_LIST_BYTES);
  if (!top.ok || !ok || text.length >= MAX_LIST_BYTES / 4) return null;
  const root = top.text.replace(/\n$/u, "");
  return [...new Set(text.split("\0").filter(Boolean))].map((path) => join(root, path));
}

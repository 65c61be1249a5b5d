import { relative } from "node:path";
import type { UncommittedFile } from "../../vcs/port.ts";

/** More files than this are nothing for one command line. */
const MAX_FILES = 200;
const MAX_MESSAGE = 2_000;
/** What needs no second thought as a path of git's, and of a shell's. */
const PLAIN_PATH = /^(?![-:~])[\p{L}\p{N} _./@+,=()[\]-]+$/u;

/** What a commit would be made of. */
export interface CommitFacts {
  readonly message: string;
  readonly uncommitted: readonly UncommittedFile[];
  /** Those of the user's own, by absolute path; `isMixed`: the work has changed something in it as well. */
  readonly users: ReadonlyMap<string, { readonly isMixed: boolean }>;
  /** From where the command runs. */
  readonly folder: string;
}

/**
 * The command that commits exactly the files of the work, where a machine can tell which these are; null where someone has to
 * look: no message, parts of files, conflicts, names that a shell or git might read otherwise. Pure.
 */
export function commandOfCommit({ message, uncommitted, users, folder }: CommitFacts): string | null {
  const text = message.replaceAll("\r\n", "\n").trim();
  const files = uncommitted.filter(({ path }) => users.get(path)?.isMixed !== false);
  if (text === "" || text.length > MAX_MESSAGE || text.includes("\0")) return null;
  if (files.length === 0 || files.length > MAX_FILES) return null;
  if (files.some(({ path, canStage, isStaged }) => users.has(path) || !(canStage || isStaged))) return null;
  const named = files.map((file) => ({ ...file, name: relative(folder, file.path).replaceAll("\\", "/") }));
  if (named.some(({ name }) => !PLAIN_PATH.test(name))) return null;
  const list = (of: readonly { readonly name: string }[]): string =>
    of.map(({ name }) => quoted(name)).join(" ");
  const open = named.filter(({ isStaged }) => !isStaged);
  // What the user has staged of their own stays where it is.
  const only = users.size === 0 ? "" : ` -- ${list(named)}`;
  const stage = open.length === 0 ? "" : `git add -A -- ${list(open)} && `;
  return `${stage}git commit -q -m ${quoted(text)}${only}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

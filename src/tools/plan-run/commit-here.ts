import { relative, sep } from "node:path";
import type { UncommittedFile } from "../../vcs/port.ts";

/** More files than this are nothing for one command line. */
const MAX_FILES = 200;
/** No system takes a longer argument than a few times this, and no history wants one, in characters. */
export const MAX_MESSAGE = 8_000;
/** What a line of a shell, or git on another system, might read otherwise. */
// oxlint-disable-next-line no-control-regex
const ODD_NAME = /[\u0000-\u001F\u007F\\]/u;

/** What a commit would be made of. */
export interface CommitFacts {
  readonly message: string;
  readonly uncommitted: readonly UncommittedFile[];
  /** Those of the user's own, by absolute path; `isMixed`: the work has changed something in it as well. */
  readonly users: ReadonlyMap<string, { readonly isMixed: boolean }>;
  /** From where the command runs. */
  readonly folder: string;
}

/** Of what is uncommitted, that which is not the user's alone. */
export function workAmong({
  uncommitted,
  users,
}: Pick<CommitFacts, "uncommitted" | "users">): readonly UncommittedFile[] {
  return uncommitted.filter(({ path }) => users.get(path)?.isMixed !== false);
}

/** Whether a commit of all that is staged would take something of the user's own. */
export function hasStagedOwn({ uncommitted, users }: Pick<CommitFacts, "uncommitted" | "users">): boolean {
  return uncommitted.some(({ path, isInIndex }) => isInIndex && users.has(path));
}

/**
 * The command that commits exactly the files of the work, where a machine can tell which these are; null where someone has to
 * look: no message, parts of files, conflicts, names with signs that end a line. Pure.
 */
export function commandOfCommit(facts: CommitFacts): string | null {
  const { message, users, folder } = facts;
  const text = message.replaceAll("\r\n", "\n").trim();
  const files = workAmong(facts);
  if (text === "" || text.length > MAX_MESSAGE || text.includes("\0")) return null;
  if (files.length === 0 || files.length > MAX_FILES) return null;
  if (files.some(({ path, canStage, isStaged }) => users.has(path) || !(canStage || isStaged))) return null;
  const named = files.map((file) => ({ ...file, name: relative(folder, file.path).split(sep).join("/") }));
  if (named.some(({ name }) => ODD_NAME.test(name))) return null;
  const list = (of: readonly { readonly name: string }[]): string =>
    of.map(({ name }) => quoted(pathspecOf(name))).join(" ");
  const open = named.filter(({ isStaged }) => !isStaged);
  // What the user has staged of their own stays where it is.
  const only = hasStagedOwn(facts) ? ` -- ${list(named)}` : "";
  const stage = open.length === 0 ? "" : `git add -A -- ${list(open)} && `;
  return `${stage}git commit -q -m ${quoted(text)}${only}`;
}

/** A name as git reads it: no magic, and no pattern that means another file as well. */
function pathspecOf(name: string): string {
  const literal = name.replaceAll(/[*?[\]]/gu, String.raw`\$&`);
  return literal.startsWith(":") ? `./${literal}` : literal;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

import type { Conversation } from "../../conversation/conversation.ts";
import { refuse, type Refusal } from "../../lib/refusal.ts";
import { isNamed } from "../../plan/files.ts";

/** What of the changed files is committed. */
export interface WorkFiles {
  /** As they were given. */
  readonly paths: readonly string[];
  readonly usersAlso: readonly string[];
  /** Changed files of the user's alone, which stay uncommitted. */
  readonly users: readonly string[];
  readonly isUnknown: boolean;
}

/** What tells the work from the user's own. */
export interface Whose {
  /** Paths of the plan: what it names may have been made by something that no call is known for. */
  readonly planned: readonly string[];
  /** To these files and folders it is narrowed, relative to the project; undefined for all of the work. */
  readonly only: readonly string[] | undefined;
}

/** @param changed relative to the project */
export async function sortFiles(
  { tree, parts }: Pick<Conversation, "tree" | "parts">,
  changed: readonly string[],
  { planned, only }: Whose,
): Promise<WorkFiles | Refusal> {
  const isWanted = (path: string): boolean => only === undefined || only.some((name) => isIn(path, name));
  const unmet = only?.find((name) => !changed.some((path) => isIn(path, name)));
  if (unmet !== undefined)
    return refuse(`${unmet} holds nothing that is uncommitted.`, "Call again with the files as they are.");
  // In a unit's own tree there is nothing of the user's.
  const theirs = tree.place.unit === null ? await parts.ownWork.usersOwnAmong(changed) : [];
  const users = new Map((theirs ?? []).map((file) => [file.path, file.isMixed]));
  const isMeant = (path: string): boolean =>
    users.get(path) !== false || only !== undefined || isNamed(planned, path);
  const paths = changed.filter((path) => isWanted(path) && isMeant(path));
  return {
    paths,
    usersAlso: paths.filter((path) => users.has(path)),
    users: changed.filter((path) => users.get(path) === false && !paths.includes(path)),
    isUnknown: theirs === null,
  };
}

function isIn(path: string, name: string): boolean {
  return name === "" || name === "." || path === name || path.startsWith(`${name.replace(/\/$/u, "")}/`);
}

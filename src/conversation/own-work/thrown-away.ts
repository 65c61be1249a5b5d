import { NO_FILE, isSame, type TreeChange, type TreeState } from "../../vcs/tree/state.ts";
import { type Ledger, usersFiles } from "./ledger.ts";

/**
 * The changes by which work of the user's is gone that nothing else holds: the file is away, or again as the newest commit
 * has it, and what it held stands under no other name. Without a commit, all that GAIA's calls did not write is such work.
 * @param from the state before them @param to the state after them @param ledger as it was before them
 */
export function thrownAway(
  changes: readonly TreeChange[],
  from: TreeState,
  to: TreeState,
  ledger: Ledger,
): TreeChange[] {
  const users = new Set(usersFiles(ledger, from).map(({ path }) => path));
  const hasCommit = from.heads.get("") !== "";
  const isUsers = (path: string): boolean => users.has(path) || (!hasCommit && !from.dirty.has(path));
  const standing = new Set([...to.dirty.values()].map(({ now }) => now.id));
  return changes.filter(({ path, before, after }) => {
    const isGone = isSame(after, NO_FILE) || !to.dirty.has(path);
    return isGone && !isSame(before, NO_FILE) && isUsers(path) && !standing.has(before.id);
  });
}

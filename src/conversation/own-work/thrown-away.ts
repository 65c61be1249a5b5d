import { NO_FILE, isSame, type TreeChange, type TreeState } from "../../vcs/tree/state.ts";
import { type Ledger, usersFiles } from "./ledger.ts";

/** Git's names of nothing, with SHA-1 and SHA-256. */
const EMPTY: ReadonlySet<string> = new Set([
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
]);

/**
 * The changes by which work of the user's is gone that nothing else holds: the file is away, empty, or again as the newest
 * commit has it, and what it held stands under no other name. Without a commit, all that GAIA's calls did not write is such work.
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
    const isGone = isSame(after, NO_FILE) || EMPTY.has(after.id) || !to.dirty.has(path);
    const held = !isSame(before, NO_FILE) && !EMPTY.has(before.id);
    return isGone && held && isUsers(path) && !standing.has(before.id);
  });
}

import { isSame, NO_FILE, type TreeChange } from "../../vcs/tree/state.ts";

/** Of files that are new and hold what another one held that is gone, that one: they were only moved. */
export function originsOf(changes: readonly TreeChange[]): ReadonlyMap<TreeChange, TreeChange> {
  const gone = new Map<string, TreeChange[]>();
  for (const change of changes) {
    if (!isSame(change.after, NO_FILE)) continue;
    gone.set(change.before.id, [...(gone.get(change.before.id) ?? []), change]);
  }
  const origins = new Map<TreeChange, TreeChange>();
  for (const fresh of changes) {
    const from = isSame(fresh.before, NO_FILE) ? gone.get(fresh.after.id)?.shift() : undefined;
    if (from !== undefined) origins.set(fresh, from);
  }
  return origins;
}

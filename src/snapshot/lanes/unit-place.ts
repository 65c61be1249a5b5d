import { createHash } from "node:crypto";
import { join } from "node:path";
import { ownDataFolder } from "../../lib/folders.ts";

export type UnitPlace = NonNullable<ReturnType<typeof unitPlaceOf>>;

/** Slugs of units are plain names; what else a session's metadata holds is no folder. */
const UNIT = /^[a-z\d][\w.-]*$/iu;

/** The folder of all worktrees of a repository. @param top the real path of its working tree's top */
export function storeFolder(top: string, environment: NodeJS.ProcessEnv): string {
  const key = createHash("sha256").update(top).digest("hex").slice(0, 12);
  return join(ownDataFolder(environment), "worktree", key);
}

/** The trees of all units' branches, of whatever repository, as a pattern of OpenCode's. */
export function unitFolders(environment: NodeJS.ProcessEnv): string {
  return join(ownDataFolder(environment), "worktree/*/units/*");
}

/**
 * `note` is what the plugin knows of it, as JSON; there as long as the unit's work stands there and nowhere else. Files are moved aside
 * to `landing` while something lands there: in the same file system.
 * @param store {@link storeFolder} @returns null for what is no unit's name
 */
export function unitPlaceOf(store: string, unit: string) {
  if (!UNIT.test(unit)) return null;
  const own = join(store, "unit-notes", unit);
  return {
    branch: `gaia/${unit}`,
    folder: join(store, "units", unit),
    note: join(own, "note.json"),
    landing: join(own, "landing"),
  };
}

/** Where a project keeps what is left of lanes. */
export function keptFolder(project: string): string {
  return join(project, ".gaia/.local/lanes");
}

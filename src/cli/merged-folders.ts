import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** A file of OpenCode's in these folders under both its names, the preferred one first. */
export function bothNames(folders: readonly string[], name: string): string[] {
  return folders.flatMap((folder) => ["jsonc", "json"].map((end) => join(folder, `${name}.${end}`)));
}

/**
 * The folders whose files OpenCode 1.18 merges for a project: from `directory` up to the repository's root (to the top
 * without a repository), the `.opencode` of each, and the user's own two.
 */
export function mergedFolders(directory: string, userFolder: string): string[] {
  const folders = [directory];
  let folder = directory;
  while (!existsSync(join(folder, ".git")) && dirname(folder) !== folder) {
    folder = dirname(folder);
    folders.push(folder);
  }
  const project = folders.flatMap((path) => [path, join(path, ".opencode")]);
  return [...new Set([...project, join(homedir(), ".opencode"), userFolder])];
}

import { lstat } from "node:fs/promises";
import { relative, resolve } from "node:path";

/**
 * What someone means by a path who is in a folder of a project: what is there of that name, from their folder or else from the
 * project's. @returns the path from the project; null where there is nothing of the name
 */
export async function pathIn(project: string, from: string, name: string): Promise<string | null> {
  for (const folder of new Set([from, project])) {
    const path = resolve(folder, name);
    if ((await lstat(path).catch(() => null)) !== null) return relative(project, path);
  }
  return null;
}

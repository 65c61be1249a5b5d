import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ProjectFolder, READ_FILES } from "./suggestion.ts";

/** Folders directly below the project that are looked into; enough for `frontend` and `backend`. */
const MAX_FOLDERS = 12;
const MAX_TEXT_BYTES = 200_000;
const NEVER = new Set(["node_modules", "vendor", "target", "dist", "build"]);

/**
 * Reads what {@link suggestChecks} needs: the project itself and, when nothing there names a check, the folders
 * directly below it. Unreadable files count as absent.
 */
export async function readProjectFolders(directory: string): Promise<ProjectFolder[]> {
  const root = await readFolder(directory, "");
  if (READ_FILES.some((name) => root.texts[name] !== undefined)) return [root];
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  const names = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !NEVER.has(entry.name))
    .map((entry) => entry.name)
    .toSorted();
  const below = names.slice(0, MAX_FOLDERS).map((name) => readFolder(directory, name));
  return [root, ...(await Promise.all(below))];
}

async function readFolder(directory: string, path: string): Promise<ProjectFolder> {
  const folder = join(directory, path);
  const names = await readdir(folder).catch((): string[] => []);
  const texts: Record<string, string> = {};
  for (const name of READ_FILES) {
    if (!names.includes(name)) continue;
    const text = await readFile(join(folder, name), "utf8").catch(() => "");
    texts[name] = text.slice(0, MAX_TEXT_BYTES);
  }
  return { path, names, texts };
}

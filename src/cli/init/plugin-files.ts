import { dirname, join } from "node:path";
import { createError } from "../../lib/error.ts";
import { readTextFile, type TextFile } from "../../workspace/store/text-file.ts";
import { mergedFolders } from "../merged-folders.ts";
import { placeOf, readPluginList } from "../plugin-list.ts";
import { isOwnEntry } from "../plugin-spec.ts";
import type { Target } from "./targets.ts";

/** A file that lists plugins, as it is now. */
export interface PluginFile {
  readonly path: string;
  readonly file: TextFile;
  /** Everything that it sets. */
  readonly keys: readonly string[];
  /** Whether it has a list at all. */
  readonly declared: boolean;
  /** Whether this package is in the list. */
  readonly listed: boolean;
}

/** The files of one target in a folder that exist, the preferred one first. @throws GaiaError for a broken one */
export async function readPluginFiles(folder: string, target: Target): Promise<PluginFile[]> {
  const names = [`${target.name}.jsonc`, `${target.name}.json`];
  const files = await Promise.all(names.map(async (name) => readPluginFile(join(folder, name))));
  return files.filter((file) => file !== null);
}

async function readPluginFile(path: string): Promise<PluginFile | null> {
  const file = await readTextFile(path, path);
  if (file === null) return null;
  const list = readPluginList(file.text);
  if (!list.ok) {
    throw createError("init", `${placeOf(path, list)}: ${list.problem}.`, {
      hint: "Correct it and run init again. Nothing was changed.",
    });
  }
  const own = await Promise.all(list.entries.map((entry) => isOwnEntry(entry, dirname(path))));
  return { path, file, keys: list.keys, declared: list.declared, listed: own.includes(true) };
}

/** The files in which OpenCode would find an entry for this target beside the one that `init` edits. */
export async function readMergedFiles(
  target: Target,
  directory: string,
  userFolder: string,
): Promise<PluginFile[]> {
  const folders = mergedFolders(directory, userFolder);
  const files = await Promise.all(folders.map(async (path) => readPluginFiles(path, target)));
  return files.flat();
}

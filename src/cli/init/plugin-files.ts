import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { createError } from "../../lib/error.ts";
import { readTextFile, type TextFile } from "../../workspace/store/text-file.ts";
import { bothNames } from "../merged-folders.ts";
import { placeOf, readPluginList } from "../plugin-list.ts";
import { PACKAGE_NAME } from "../own-package.ts";
import { isOwnEntry, pathOf, specOf } from "../plugin-spec.ts";

/** A file of OpenCode that lists plugins; `init` adds this package to each. */
export interface Target {
  /** File name without extension: `.json` and `.jsonc` mean the same to OpenCode. */
  readonly name: string;
  /** Address of its JSON Schema, for a file that does not exist yet. */
  readonly schema: string;
  /**
   * Keys of an old opencode.json that OpenCode moves into this file at its next start, as long as the file is not there:
   * making it first would lose them.
   */
  readonly movedIn?: readonly string[];
}

/** The plugin itself, and its panel in the terminal. */
export const TARGETS: readonly Target[] = [
  { name: "opencode", schema: "https://opencode.ai/config.json" },
  { name: "tui", schema: "https://opencode.ai/tui.json", movedIn: ["theme", "keybinds", "tui"] },
];

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
  /** Places in the list of entries for this package that lead nowhere any more. */
  readonly dead: readonly number[];
}

/** The files of one target in these folders that exist, the preferred one first. @throws GaiaError for a broken one */
export async function readPluginFiles(target: Target, ...folders: string[]): Promise<PluginFile[]> {
  const files = await Promise.all(bothNames(folders, target.name).map(readPluginFile));
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
  const isDead = list.entries.map((entry) => isDeadEntry(entry, dirname(path)));
  const dead = list.entries.flatMap((_entry, index) => (isDead[index] === true ? [index] : []));
  const listed = own.some((isOwn, index) => isOwn && isDead[index] !== true);
  return { path, file, keys: list.keys, declared: list.declared, listed, dead };
}

/** A path that is gone, and by its name was this package. */
function isDeadEntry(entry: unknown, folder: string): boolean {
  const path = pathOf(specOf(entry) ?? "", folder);
  return path !== null && !existsSync(path) && path.split(/[\\/]/).includes(PACKAGE_NAME);
}

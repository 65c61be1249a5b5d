import { parseTree } from "jsonc-parser";
import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject, ownValue } from "../config/json-value.ts";
import { parseSourceText } from "../config/source-text.ts";
import { createError } from "../lib/error.ts";
import { textOf } from "../lib/json.ts";
import { readText } from "../lib/read-source.ts";
import { openCodeConfigFolder } from "../lib/user-folders.ts";
import { readTextFile, type TextFile } from "../record/store/atomic-file.ts";
import { PACKAGE_NAME, packageFolderAbove } from "./own-package.ts";

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
  return [...new Set([...project, ...foldersForAll(userFolder)])];
}

/** Those of them that hold for all projects. */
export function foldersForAll(userFolder: string): string[] {
  return [join(homedir(), ".opencode"), userFolder];
}

/** The key under which OpenCode's files list plugins. */
export const PLUGIN_KEY = "plugin";
/** As OpenCode reads its files. */
export const PARSE_OPTIONS = { allowTrailingComma: true, allowEmptyContent: true };
const BYTE_ORDER_MARK = "\uFEFF";

/** The entries of `plugin`, or why the text cannot be used: what is wrong, and where when there is a place. */
type PluginList =
  | {
      readonly ok: true;
      readonly entries: readonly unknown[];
      readonly declared: boolean;
      /** All keys of the file. */
      readonly keys: readonly string[];
    }
  | { readonly ok: false; readonly problem: string; readonly line?: number; readonly column?: number };

/** Reads the list from a text of opencode.json or tui.json, with comments or without. Pure; never throws. */
export function readPluginList(text: string): PluginList {
  const source = parseSourceText(withoutMark(text).body);
  const slip = source.findings.find(({ kind }) => kind === "syntax");
  if (slip !== undefined) return { ok: false, problem: slip.message, ...slip.position };
  if (isEmpty(text)) return { ok: true, entries: [], declared: false, keys: [] };
  if (!isJsonObject(source.value))
    return { ok: false, problem: "an object was expected", line: 1, column: 1 };
  const list = ownValue(source.value, PLUGIN_KEY);
  const keys = Object.keys(source.value);
  if (list === undefined) return { ok: true, entries: [], declared: false, keys };
  if (Array.isArray(list)) return { ok: true, entries: list, declared: true, keys };
  return { ok: false, problem: `"${PLUGIN_KEY}" is not a list`, ...source.locate([PLUGIN_KEY], "value") };
}

/** A file that lists plugins, as it is now. */
export interface PluginFile {
  readonly path: string;
  readonly file: TextFile;
  /** Everything that it sets. */
  readonly keys: readonly string[];
  /** Whether it has a list at all. */
  readonly declared: boolean;
  readonly entries: readonly {
    readonly spec: string;
    /** Whether it means this package. */
    readonly isOwn: boolean;
    /** Whether it is a path that is gone, and by its name was this package. */
    readonly isDead: boolean;
  }[];
}

/**
 * The files of this name in these folders that exist, the preferred one first.
 * @throws GaiaError for one that cannot be read
 */
export async function readPluginFiles(folders: readonly string[], name: string): Promise<PluginFile[]> {
  const files = await Promise.all(bothNames(folders, name).map(readPluginFile));
  return files.filter((file) => file !== null);
}

async function readPluginFile(path: string): Promise<PluginFile | null> {
  const file = await readTextFile(path, path);
  if (file === null) return null;
  const list = readPluginList(file.text);
  if (!list.ok)
    throw createError("cli", `${pluginPlace(path, list)}: ${list.problem}.`, {
      hint: "Correct it and run this again. Nothing was changed.",
    });
  const folder = dirname(path);
  const entries = list.entries.map(async (entry) => {
    const spec = specOf(entry) ?? "";
    const target = pathOf(spec, folder);
    const isGone = target !== null && !existsSync(target);
    const isDead = isGone && target.split(/[\\/]/).includes(PACKAGE_NAME);
    return { spec, isOwn: await isOwnEntry(entry, folder), isDead };
  });
  return { path, file, keys: list.keys, declared: list.declared, entries: await Promise.all(entries) };
}

/** Whether a text has no content but comments. */
export function isEmpty(text: string): boolean {
  return parseTree(withoutMark(text).body, [], PARSE_OPTIONS) === undefined;
}

/** A text in two: its byte order mark, if it has one, and the rest. */
export function withoutMark(text: string): { mark: string; body: string } {
  const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
  return { mark, body: text.slice(mark.length) };
}

/** Where a list goes wrong, as `file:line:column`. */
export function pluginPlace(file: string, { line, column }: Extract<PluginList, { ok: false }>): string {
  return [file, line, column].filter((part) => part !== undefined).join(":");
}

/** The text of an entry of `plugin`: the entry itself, or the first element of a `[spec, options]` tuple. */
export function specOf(entry: unknown): string | null {
  return textOf(Array.isArray(entry) ? entry[0] : entry) ?? null;
}

/**
 * Whether an entry of `plugin` means this package: by its npm name, with or without a version, or by a path into it.
 * @param folder of the file that holds the entry; relative paths start there
 */
export async function isOwnEntry(entry: unknown, folder: string): Promise<boolean> {
  const spec = specOf(entry);
  if (spec === null) return false;
  if (new RegExp(`^(npm:)?${PACKAGE_NAME}(@|$)`).test(spec)) return true;
  const path = pathOf(spec, folder);
  if (path === null) return false;
  return (await packageFolderAbove(await realpath(path).catch(() => path))) !== null;
}

/** The path that a spec stands for, or null for an npm name. */
export function pathOf(spec: string, folder: string): string | null {
  if (spec.startsWith("file://")) return URL.canParse(spec) ? fileURLToPath(spec) : null;
  return isAbsolute(spec) || /^\.{1,2}[/\\]/.test(spec) ? resolve(folder, spec) : null;
}

/** The options that opencode.json gives this plugin here, the nearest file first; undefined where there are none. */
export async function findOwnOptions(directory: string, environment: NodeJS.ProcessEnv): Promise<unknown> {
  const folders = mergedFolders(directory, openCodeConfigFolder(environment));
  for (const path of bothNames(folders, "opencode")) {
    const list = readPluginList(await readText(path));
    for (const entry of list.ok ? list.entries : [])
      if (Array.isArray(entry) && (await isOwnEntry(entry, dirname(path)))) return entry[1];
  }
  return undefined;
}

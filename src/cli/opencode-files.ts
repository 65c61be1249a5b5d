import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, extname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isJsonObject, ownValue } from "../config/json-value.ts";
import type { Position } from "../config/problem.ts";
import { parseSourceText } from "../config/source-text.ts";
import { createError } from "../lib/error.ts";
import { recordOf, textOf } from "../lib/json.ts";
import { readText } from "../lib/read-source.ts";
import { systemClock } from "../lib/async.ts";
import { findProject, openCodeConfigFolder, repositoryRoot } from "../lib/folders.ts";
import { openWithTrust } from "../project/trust.ts";
import { readTextFile, type TextFile } from "../record/store.ts";
import { PACKAGE_NAME, packageFolderAbove, readManifest } from "./own-package.ts";

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

export const PLUGIN_KEY = "plugin";

interface PluginList {
  readonly entries: readonly unknown[];
  readonly keys: readonly string[];
  /** Why the text cannot be used, with its place in front, to be written behind the file's name. */
  readonly problem?: string;
}

/** Reads the list from a text of opencode.json or tui.json, with comments or without. Pure; never throws. */
export function readPluginList(text: string): PluginList {
  const source = parseSourceText(withoutMark(text).body);
  const broken = (why: string, { line = 1, column = 1 }: Position = {}): PluginList => {
    return { entries: [], keys: [], problem: `:${line}:${column}: ${why}` };
  };
  const slip = source.problems.find(({ kind }) => kind === "syntax");
  if (slip !== undefined) return broken(slip.message, slip);
  if (!isJsonObject(source.value)) return broken("an object was expected");
  const list = ownValue(source.value, PLUGIN_KEY);
  if (list === undefined) return { entries: [], keys: Object.keys(source.value) };
  if (Array.isArray(list)) return { entries: list, keys: Object.keys(source.value) };
  return broken(`"${PLUGIN_KEY}" is not a list`, source.locate([PLUGIN_KEY], "value"));
}

/** A file that lists plugins, as it is now. */
export interface PluginFile {
  readonly path: string;
  readonly file: TextFile;
  readonly keys: readonly string[];
  readonly entries: readonly PluginEntry[];
}

/** The files of this name in these folders that exist, the preferred one first. @throws GaiaError for one that cannot be read */
export async function readPluginFiles(folders: readonly string[], name: string): Promise<PluginFile[]> {
  const files = await Promise.all(bothNames(folders, name).map(readPluginFile));
  return files.filter((file) => file !== null);
}

async function readPluginFile(path: string): Promise<PluginFile | null> {
  const file = await readTextFile(path, path);
  if (file === null) return null;
  const { entries, keys, problem } = readPluginList(file.text);
  if (problem !== undefined)
    throw createError("cli", `${path}${problem}.`, {
      hint: "Correct it and run this again. Nothing was changed.",
    });
  const read = await Promise.all(entries.map(async (each) => readPluginEntry(each, path)));
  return { path, file, keys, entries: read };
}

/** A text in two: its byte order mark, if it has one, and the rest. */
export function withoutMark(text: string): { mark: string; body: string } {
  const mark = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  return { mark, body: text.slice(mark.length) };
}

/** What an entry of `plugin` means to us. */
export interface PluginEntry {
  /** The entry itself, or the first element of a `[spec, options]` tuple; empty for neither. */
  readonly spec: string;
  readonly options: unknown;
  /** The file that holds it; relative paths start in its folder. */
  readonly file: string;
  /** The entry and its file, as findings name it. */
  readonly name: string;
  /** The path that it stands for; of a folder of ours the module in it that is loaded from there. null for a name of npm's. */
  readonly path: string | null;
  /**
   * `ours`: what its file asks for, by this package's npm name or a path into it; `astray`: something else of this package;
   * `gone`: a path that does not exist.
   */
  readonly means: "ours" | "astray" | "gone" | "other";
}

/** @param file a tui.json asks for the panel, an opencode.json for the plugin */
export async function readPluginEntry(entry: unknown, file: string): Promise<PluginEntry> {
  const [first, options]: unknown[] = Array.isArray(entry) ? entry : [entry];
  const spec = textOf(first) ?? "";
  const path = pathOf(spec, dirname(file));
  const wantsPanel = basename(file).startsWith("tui.");
  const named = { spec, options, file, path, name: `"${spec}" in ${file}` };
  if (path === null) return { ...named, means: meaningOf(spec) };
  if ((await packageFolderAbove(await realpath(path).catch(() => path))) === null)
    return { ...named, means: existsSync(path) ? "other" : "gone" };
  const manifest = await readManifest(path);
  // A file stands for itself: built it is `dist/tui.js`, in the sources `src/tui/index.ts`.
  const isPanel = basename(path, extname(path)) === "tui" || basename(dirname(path)) === "tui";
  if (manifest === null) return { ...named, means: isPanel === wantsPanel ? "ours" : "astray" };
  const { import: target } = recordOf(recordOf(manifest["exports"])[wantsPanel ? "./tui" : "./server"]);
  return { ...named, path: join(path, textOf(target) ?? "."), means: "ours" };
}

/** Of a name of npm's, with a version or without. */
function meaningOf(spec: string): PluginEntry["means"] {
  const name = spec.replace(/^npm:/, "").replace(/(?<!^)@.*/, "");
  if (name === PACKAGE_NAME) return "ours";
  // What a program would import of it is another package to OpenCode.
  return name.startsWith(`${PACKAGE_NAME}/`) ? "astray" : "other";
}

export function isOwnEntry({ means }: PluginEntry): boolean {
  return means === "ours";
}

/** Whether it is a path that is gone, and by its name was this package. */
export function isDeadEntry({ means, path }: PluginEntry): boolean {
  return means === "gone" && path !== null && path.split(/[\\/]/).includes(PACKAGE_NAME);
}

/** The path that a spec stands for, or null for an npm name. */
function pathOf(spec: string, folder: string): string | null {
  if (spec.startsWith("file://")) return URL.canParse(spec) ? fileURLToPath(spec) : null;
  return isAbsolute(spec) || /^\.{1,2}[/\\]/.test(spec) ? resolve(folder, spec) : null;
}

/** The project that one is in with its settings, as OpenCode's files hand them to the plugin, and the user's trust in it. */
export async function openProjectAround(from: string, environment: NodeJS.ProcessEnv) {
  const top = repositoryRoot(from);
  const directory = findProject(from, top);
  const options = await findOwnOptions(from, environment);
  const project = await openWithTrust({ directory, options, environment, clock: systemClock });
  return { ...project, top, directory };
}

/** The options that opencode.json gives this plugin here, the nearest file first; undefined where there are none. */
async function findOwnOptions(directory: string, environment: NodeJS.ProcessEnv): Promise<unknown> {
  const folders = mergedFolders(directory, openCodeConfigFolder(environment));
  for (const path of bothNames(folders, "opencode"))
    for (const each of readPluginList(await readText(path)).entries) {
      const entry = await readPluginEntry(each, path);
      if (isOwnEntry(entry) && entry.options !== undefined) return entry.options;
    }
  return undefined;
}

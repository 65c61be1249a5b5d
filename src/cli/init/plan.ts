import { existsSync } from "node:fs";
import { mkdir, readFile, realpath, rm } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { createError } from "../../lib/error.ts";
import { findProject, repositoryRoot } from "../../lib/folders.ts";
import { isWritable } from "../../lib/find-below.ts";
import { parseJson, recordOf, textOf } from "../../lib/json.ts";
import { readText } from "../../lib/read-source.ts";
import { GAIA_FOLDER, NO_FILE, signatureOf, writeFileAtomic } from "../../record/store.ts";
import { ownKeepOutFiles } from "../../record/keep-out.ts";
import {
  isDeadEntry,
  isOwnEntry,
  mergedFolders,
  PLUGIN_KEY,
  type PluginEntry,
  type PluginFile,
  readPluginFiles,
} from "../opencode-files.ts";
import { type OwnPackage, PACKAGE_NAME } from "../own-package.ts";
import { changePlugins } from "./edit-list.ts";

const PUBLISHED_SCHEMA = `https://unpkg.com/${PACKAGE_NAME}/dist/gaia.schema.json`;

/**
 * A copy in `node_modules` of this folder or of one above it is what the project pins, so OpenCode should load that one. One
 * that npm took from a registry OpenCode can install by name. Everything else (a clone, a tarball, `npx`) is loaded from where
 * it is: a name would lead nowhere.
 * @param packageFolder the real folder of the package that runs
 * @returns its `spec`, the value of `$schema` in a file of `configFolder`, and why this spec and not another one, as half a sentence
 */
export async function chooseReference(packageFolder: string, directory: string, configFolder: string) {
  const local = await installedAbove(directory, packageFolder);
  const schemaIn = (folder: string): string => join(folder, "dist", "gaia.schema.json");
  if (local !== null) {
    return {
      spec: asPath(relative(directory, local)),
      schema: relative(configFolder, schemaIn(local)).split(sep).join("/"),
      reason: "the version that this project has installed",
    };
  }
  if (await isFromRegistry(packageFolder))
    return { spec: PACKAGE_NAME, schema: PUBLISHED_SCHEMA, reason: "OpenCode installs it at its next start" };
  const schema = pathToFileURL(schemaIn(packageFolder)).href;
  return { spec: packageFolder, schema, reason: "the copy that you ran this from" };
}

/** The entry of the nearest `node_modules` from a folder upwards that is this very package; null for none. */
async function installedAbove(directory: string, packageFolder: string): Promise<string | null> {
  for (let folder = directory; ; folder = dirname(folder)) {
    const local = join(folder, "node_modules", PACKAGE_NAME);
    if ((await realpath(local).catch(() => null)) === packageFolder) return local;
    if (dirname(folder) === folder) return null;
  }
}

/** Whether npm's own record of the `node_modules` around a package says that it came from a registry. */
async function isFromRegistry(packageFolder: string): Promise<boolean> {
  const lock = await readText(join(dirname(packageFolder), ".package-lock.json"));
  const packages = recordOf(recordOf(parseJson(lock))["packages"]);
  const resolved = textOf(recordOf(packages[`node_modules/${PACKAGE_NAME}`])["resolved"]) ?? "";
  return resolved.startsWith("https://") || resolved.startsWith("http://");
}

/** A relative path as OpenCode tells it from a name. */
function asPath(path: string): string {
  const parts = path.split(sep);
  return (parts[0] === ".." ? parts : [".", ...parts]).join("/");
}

/** The files of OpenCode that list plugins: `init` adds this package to each, and `uninstall` takes it out again. */
export const TARGETS: readonly Target[] = [
  { name: "opencode", schema: "https://opencode.ai/config.json", movedIn: [] },
  { name: "tui", schema: "https://opencode.ai/tui.json", movedIn: ["theme", "keybinds", "tui"] },
];

interface Target {
  /** File name without extension: `.json` and `.jsonc` mean the same to OpenCode. */
  readonly name: string;
  /** Address of its JSON Schema, for a file that does not exist yet. */
  readonly schema: string;
  /**
   * Keys of an old opencode.json that OpenCode moves into this file at its next start, as long as the file is not there:
   * making it first would lose them.
   */
  readonly movedIn: readonly string[];
}

/** The starter file: `$schema`, and examples in comments. */
export async function renderStarterConfig(packageFolder: string, schema: string): Promise<string> {
  const template = join(packageFolder, "templates", "init", "config.jsonc");
  return (await readFile(template, "utf8")).replace("{{schema}}", () => schema);
}

export interface SetupChange {
  readonly path: string;
  /** null takes the file away. */
  readonly after: string | null;
  /** As `TextFile.signature`, so that an edit made meanwhile is not lost. */
  readonly signature: string;
  /** What happens, for example `lists "opencode-gaia"`. */
  readonly what: string;
}

/**
 * Makes all changes, each file whole or not at all; nothing is begun while one of them cannot be written.
 * A link is followed, so that a file kept elsewhere is changed there and the link stays.
 * @throws GaiaError naming the file
 */
export async function applyChanges(changes: readonly SetupChange[]): Promise<void> {
  for (const { path, signature } of changes)
    if (signature !== NO_FILE && !(await isWritable(path)))
      throw createError("init", `${path} is read-only, so nothing was changed.`, {
        hint: "Make it writable, or change what lists the plugin where this file is made.",
      });
  for (const { path, after, signature } of changes) {
    const isNew = signature === NO_FILE;
    if (isNew) await mkdir(dirname(path), { recursive: true });
    const target = isNew ? path : await realpath(path);
    const isSame = async (): Promise<boolean> => (await signatureOf(target)) === signature;
    const isDone =
      after === null
        ? (await isSame()) && (await rm(path), true)
        : await writeFileAtomic(target, after, isSame);
    if (!isDone)
      throw createError("init", `${path} was changed by somebody else at this moment and was left alone.`, {
        hint: "Run this again.",
      });
  }
}

/** @param path as the user knows the file */
export function renderChange({ after, signature, what }: SetupChange, path: string): string {
  if (after === null) return `removed ${path}`;
  return `${signature === NO_FILE ? "created" : "changed"} ${path}: ${what}`;
}

interface Kept {
  readonly path: string;
  readonly what: string;
}

interface InitInput {
  readonly scope: "project" | "global";
  readonly directory: string;
  readonly userFolder: string;
  readonly own: OwnPackage;
}

/** Decides everything before anything is written. @throws GaiaError for a file that cannot be read or edited */
export async function planInit({ scope, directory, userFolder, own }: InitInput) {
  const isGlobal = scope === "global";
  const folder = isGlobal ? userFolder : directory;
  const folders = isGlobal ? [userFolder] : mergedFolders(directory, userFolder);
  // Another `.gaia` here would hide the one above, with its settings and all that it knows.
  const project = findProject(directory, repositoryRoot(directory));
  const base = isGlobal ? join(userFolder, "gaia") : join(project, GAIA_FOLDER, "config");
  const reference = await chooseReference(own.folder, folder, dirname(base));
  const steps: (SetupChange | Kept)[] = [];
  for (const target of TARGETS) steps.push(await planTarget(folders, folder, target, reference));
  const config = [`${base}.jsonc`, `${base}.json`].find((path) => existsSync(path));
  if (config === undefined) {
    const after = await renderStarterConfig(own.folder, reference.schema);
    steps.push({ path: `${base}.jsonc`, after, signature: NO_FILE, what: "examples to uncomment" });
  } else steps.push({ path: config, what: "is there already" });
  for (const { name, text } of isGlobal ? [] : await ownKeepOutFiles(project)) {
    const path = join(project, GAIA_FOLDER, name);
    const what = "keeps .gaia/ out of the project's own tools";
    if (!existsSync(path)) steps.push({ path, after: text, signature: NO_FILE, what });
  }
  return {
    changes: steps.filter((step) => "after" in step),
    kept: steps.filter((step) => !("after" in step)),
  };
}

async function planTarget(
  folders: readonly string[],
  folder: string,
  target: Target,
  reference: Awaited<ReturnType<typeof chooseReference>>,
): Promise<SetupChange | Kept> {
  const files = await readPluginFiles(folders, target.name);
  const listed = files.find(({ entries }) => entries.some(isOwnEntry));
  const here = files.filter(({ path }) => dirname(path) === folder);
  const stale = files.find(({ entries }) => entries.some(isDeadEntry));
  if (listed !== undefined && stale === undefined)
    return { path: listed.path, what: "lists the plugin already" };
  // With both a .json and a .jsonc, the one that has a list already.
  const chosen =
    listed === undefined ? (here.find(({ keys }) => keys.includes(PLUGIN_KEY)) ?? here[0]) : stale;
  const path = chosen?.path ?? join(folder, `${target.name}.json`);
  const main = chosen === undefined ? await readPluginFiles([folder], "opencode") : [];
  const moving = target.movedIn.filter((key) => main.some(({ keys }) => keys.includes(key)));
  if (moving.length > 0) {
    const what = `OpenCode will move ${moving.join(", ")} there; start it once, then run init again for the panel`;
    return { path, what };
  }
  const spec = listed === undefined ? reference.spec : null;
  const what = spec === null ? "lists no path of it that is gone" : `lists "${spec}" (${reference.reason})`;
  return changeList(path, chosen, target, isDeadEntry, spec, what);
}

/**
 * Changes what a file of OpenCode's lists, see `changePlugins`.
 * @param file what it holds now; undefined for one that is to be made
 * @param goes which entries go
 * @throws GaiaError where nothing but that could not be changed
 */
export function changeList(
  path: string,
  file: PluginFile | undefined,
  { schema }: Target,
  goes: (entry: PluginEntry) => boolean,
  spec: string | null,
  what: string,
): SetupChange {
  const gone = (file?.entries ?? []).flatMap((entry, at) => (goes(entry) ? [at] : []));
  const after = changePlugins(file?.file.text ?? "", gone, spec, schema);
  if (after === null)
    throw createError("init", `${path} could not be edited safely, so nothing was changed.`, {
      hint:
        spec === null
          ? `Take "${PACKAGE_NAME}" out of it by hand.`
          : `Add it by hand: "plugin": [${JSON.stringify(spec)}]`,
    });
  return { path, after: after || null, signature: file?.file.signature ?? NO_FILE, what };
}

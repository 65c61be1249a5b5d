import { existsSync } from "node:fs";
import { mkdir, realpath, rm } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { createError } from "../../lib/error.ts";
import { findProject, repositoryRoot } from "../../lib/folders.ts";
import { isWritable } from "../../lib/find-below.ts";
import { GAIA_FOLDER, NO_FILE, signatureOf, writeFileAtomic } from "../../record/store.ts";
import { ownKeepOutFiles } from "../../record/keep-out.ts";
import { fillTemplate, templatePath } from "../../record/templates.ts";
import {
  isDeadEntry,
  isOwnEntry,
  mergedFolders,
  PLUGIN_KEY,
  type PluginEntry,
  type PluginFile,
  readPluginFiles,
} from "../opencode-files.ts";
import { installedAbove, isFromRegistry, type OwnPackage, PACKAGE_NAME } from "../own-package.ts";
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
  const file = join(local ?? packageFolder, "dist", "gaia.schema.json");
  if (local !== null) {
    const schema = relative(configFolder, file).split(sep).join("/");
    return {
      spec: asPath(relative(directory, local)),
      schema,
      reason: "the version that this project has installed",
    };
  }
  if (await isFromRegistry(packageFolder))
    return { spec: PACKAGE_NAME, schema: PUBLISHED_SCHEMA, reason: "OpenCode installs it at its next start" };
  return { spec: packageFolder, schema: pathToFileURL(file).href, reason: "the copy that you ran this from" };
}

/** A relative path as OpenCode tells it from a name. */
function asPath(path: string): string {
  const parts = path.split(sep);
  return (parts[0] === ".." ? parts : [".", ...parts]).join("/");
}

/**
 * The files of OpenCode that list plugins, `.json` or `.jsonc`: `init` adds this package to each, and `uninstall` takes it out
 * again. OpenCode moves the keys `movedIn` of an old opencode.json there at its next start, unless the file is there already.
 */
export const TARGETS: readonly Target[] = [
  { name: "opencode", schema: "https://opencode.ai/config.json", movedIn: [] },
  { name: "tui", schema: "https://opencode.ai/tui.json", movedIn: ["theme", "keybinds", "tui"] },
];

interface Target {
  readonly name: string;
  readonly schema: string;
  readonly movedIn: readonly string[];
}

/** The starter file: `$schema`, and examples in comments. */
export async function renderStarterConfig(schema: string): Promise<string> {
  return fillTemplate(templatePath("init", "config.jsonc"), { schema });
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
  for (const { path, signature } of changes) {
    // A file is written beside the old one, and then takes its place.
    let folder = dirname(signature === NO_FILE ? path : await realpath(path));
    while (!existsSync(folder)) folder = dirname(folder);
    for (const each of signature === NO_FILE ? [folder] : [path, folder])
      if (!(await isWritable(each)))
        throw createError("init", `${each} is read-only, so nothing was changed.`, {
          hint: "Make it writable, or change what lists the plugin where this file is made.",
        });
  }
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

type Kept = Pick<SetupChange, "path" | "what">;

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
    const after = await renderStarterConfig(reference.schema);
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
  // npm knows no package of this name, so that only a copy from a registry can be found by it.
  const isLost = (entry: PluginEntry): boolean =>
    isDeadEntry(entry) ||
    (isOwnEntry(entry) &&
      entry.path === null &&
      dirname(entry.file) === folder &&
      reference.spec !== PACKAGE_NAME);
  const listed = files.find(({ entries }) => entries.some((entry) => isOwnEntry(entry) && !isLost(entry)));
  const here = files.filter(({ path }) => dirname(path) === folder);
  const stale = files.find(({ entries }) => entries.some(isLost));
  if (listed !== undefined && stale === undefined)
    return { path: listed.path, what: "lists the plugin already" };
  // With both a .json and a .jsonc, the one that lists a copy which is gone, or has a list at all.
  const inPlace =
    here.find(({ entries }) => entries.some(isLost)) ?? here.find(({ keys }) => keys.includes(PLUGIN_KEY));
  const chosen = listed === undefined ? (inPlace ?? here[0]) : stale;
  const path = chosen?.path ?? join(folder, `${target.name}.json`);
  const main = chosen === undefined ? await readPluginFiles([folder], "opencode") : [];
  const moving = target.movedIn.filter((key) => main.some(({ keys }) => keys.includes(key)));
  if (moving.length > 0) {
    const what = `OpenCode will move ${moving.join(", ")} there; start it once, then run init again for the panel`;
    return { path, what };
  }
  const spec = listed === undefined ? reference.spec : null;
  const what =
    spec === null ? "lists no copy of it that cannot be loaded" : `lists "${spec}" (${reference.reason})`;
  return changeList(path, chosen, target, isLost, spec, what);
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
  const after = changePlugins(file?.file.text ?? null, gone, spec, schema);
  if (after === undefined)
    throw createError("init", `${path} could not be edited safely, so nothing was changed.`, {
      hint:
        spec === null
          ? `Take "${PACKAGE_NAME}" out of it by hand.`
          : `Add it by hand: "plugin": [${JSON.stringify(spec)}]`,
    });
  return { path, after, signature: file?.file.signature ?? NO_FILE, what };
}

import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { createError } from "../../lib/error.ts";
import { findProject, repositoryRoot } from "../../lib/find-project.ts";
import { parseJson, recordOf, textOf } from "../../lib/json.ts";
import { readText } from "../../lib/read-source.ts";
import { GAIA_FOLDER, NO_FILE } from "../../record/store.ts";
import { ownKeepOutFiles } from "../../record/keep-out.ts";
import {
  isDeadEntry,
  isOwnEntry,
  mergedFolders,
  type PluginFile,
  readPluginFiles,
} from "../opencode-files.ts";
import { type OwnPackage, PACKAGE_NAME } from "../own-package.ts";
import { addPlugin, removeEntries } from "./edit-list.ts";

interface Reference {
  readonly spec: string;
  /** The value of `$schema` in a file of `configFolder`. */
  readonly schema: string;
  /** Why this spec and not another one, as half a sentence. */
  readonly reason: string;
}

const PUBLISHED_SCHEMA = `https://unpkg.com/${PACKAGE_NAME}/dist/gaia.schema.json`;

/**
 * A copy in `node_modules` of this folder or of one above it is what the project pins, so OpenCode should load that one. One
 * that npm took from a registry OpenCode can install by name. Everything else (a clone, a tarball, `npx`) is loaded from where
 * it is: a name would lead nowhere.
 * @param packageFolder the real folder of the package that runs
 */
export async function chooseReference(
  packageFolder: string,
  directory: string,
  configFolder: string,
): Promise<Reference> {
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

/** A file of OpenCode that lists plugins; `init` adds this package to each. */
interface Target {
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

const MAIN: Target = { name: "opencode", schema: "https://opencode.ai/config.json" };

export const TARGETS: readonly Target[] = [
  MAIN,
  { name: "tui", schema: "https://opencode.ai/tui.json", movedIn: ["theme", "keybinds", "tui"] },
];

/** Where this package is listed by a path that leads nowhere any more. */
function deadPlaces({ entries }: PluginFile): number[] {
  return entries.flatMap((entry, index) => (isDeadEntry(entry) ? [index] : []));
}

interface ConfigFile {
  readonly path: string;
  readonly exists: boolean;
}

function findConfigFile(scope: "project" | "global", folder: string): ConfigFile {
  const base = scope === "project" ? join(folder, ".gaia", "config") : join(folder, "gaia");
  const found = [`${base}.jsonc`, `${base}.json`].find((path) => existsSync(path));
  return { path: found ?? `${base}.jsonc`, exists: found !== undefined };
}

/** The starter file: `$schema`, and examples in comments. */
export async function renderStarterConfig(packageFolder: string, schema: string): Promise<string> {
  const template = join(packageFolder, "templates", "init", "config.jsonc");
  return (await readFile(template, "utf8")).replace("{{schema}}", () => schema);
}

export interface SetupChange {
  readonly path: string;
  /** null for a file that does not exist. */
  readonly before: string | null;
  readonly after: string;
  /** As `TextFile.signature`, so that an edit made meanwhile is not lost. */
  readonly signature: string;
  /** What happens, for example `lists "opencode-gaia"`. */
  readonly what: string;
}

interface Kept {
  readonly path: string;
  readonly what: string;
}

export interface InitPlan {
  readonly changes: readonly SetupChange[];
  readonly kept: readonly Kept[];
}

interface InitInput {
  readonly scope: "project" | "global";
  readonly directory: string;
  readonly userFolder: string;
  readonly own: OwnPackage;
}

/** Decides everything before anything is written. @throws GaiaError for a file that cannot be read or edited */
export async function planInit(input: InitInput): Promise<InitPlan> {
  const folder = input.scope === "project" ? input.directory : input.userFolder;
  // Another `.gaia` here would hide the one above, with its settings and all that it knows.
  const project = findProject(input.directory, repositoryRoot(input.directory));
  const configFile = findConfigFile(input.scope, input.scope === "project" ? project : folder);
  const reference = await chooseReference(input.own.folder, folder, join(configFile.path, ".."));
  const steps: (SetupChange | Kept)[] = [];
  for (const target of TARGETS) steps.push(await planTarget(input, folder, target, reference));
  steps.push(await planConfig(input.own.folder, configFile, reference));
  if (input.scope === "project") steps.push(...(await planKeepOut(project)));
  return {
    changes: steps.filter((step): step is SetupChange => "after" in step),
    kept: steps.filter((step) => !("after" in step)),
  };
}

async function planTarget(
  { scope, directory, userFolder }: InitInput,
  folder: string,
  { name, schema, movedIn }: Target,
  { spec, reason }: Reference,
): Promise<SetupChange | Kept> {
  const folders = scope === "global" ? [userFolder] : mergedFolders(directory, userFolder);
  const files = await readPluginFiles(folders, name);
  const listed = files.find(({ entries }) => entries.some(isOwnEntry));
  if (listed !== undefined) {
    const { file, path } = listed;
    const dead = deadPlaces(listed);
    const after = dead.length === 0 ? null : removeEntries(file.text, dead);
    if (after === null) return { path, what: "lists the plugin already" };
    const what = "takes out what leads nowhere any more";
    return { path, before: file.text, after, signature: file.signature, what };
  }
  // With both a .json and a .jsonc, the one that has a list already.
  const here = await readPluginFiles([folder], name);
  const chosen = here.find(({ declared }) => declared) ?? here[0];
  const path = chosen?.path ?? join(folder, `${name}.json`);
  const moving = chosen === undefined ? await keysToMove(folder, movedIn) : [];
  if (moving.length > 0) {
    const what = `OpenCode will move ${moving.join(", ")} there; start it once, then run init again for the panel`;
    return { path, what };
  }
  const before = chosen?.file.text ?? "";
  const dead = chosen === undefined ? [] : deadPlaces(chosen);
  const alive = dead.length === 0 ? before : removeEntries(before, dead);
  const after = addPlugin(alive ?? before, spec, schema);
  if (after === null) {
    throw createError("init", `${path} could not be edited safely, so it was left alone.`, {
      hint: `Add it by hand: "plugin": [${JSON.stringify(spec)}]`,
    });
  }
  return {
    path,
    before: chosen?.file.text ?? null,
    after,
    signature: chosen?.file.signature ?? NO_FILE,
    what: `lists "${spec}" (${reason})`,
  };
}

/** What OpenCode has still to move out of the main file of this folder. */
async function keysToMove(folder: string, movedIn: readonly string[] = []): Promise<string[]> {
  const files = movedIn.length === 0 ? [] : await readPluginFiles([folder], MAIN.name);
  return movedIn.filter((key) => files.some(({ keys }) => keys.includes(key)));
}

/** Files in `.gaia/` itself, so that the project's formatters and packages pass over it. */
async function planKeepOut(directory: string): Promise<SetupChange[]> {
  return (await ownKeepOutFiles(directory)).flatMap(({ name, text }) => {
    const path = join(directory, GAIA_FOLDER, name);
    const what = "keeps .gaia/ out of the project's own tools";
    return existsSync(path) ? [] : [{ path, before: null, after: text, signature: NO_FILE, what }];
  });
}

async function planConfig(
  packageFolder: string,
  { path, exists }: ConfigFile,
  { schema }: Reference,
): Promise<SetupChange | Kept> {
  if (exists) return { path, what: "is there already" };
  const after = await renderStarterConfig(packageFolder, schema);
  return { path, before: null, after, signature: NO_FILE, what: "examples to uncomment" };
}

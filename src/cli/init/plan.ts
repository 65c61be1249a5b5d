import { existsSync } from "node:fs";
import { join } from "node:path";
import { createError } from "../../lib/error.ts";
import { findProject, repositoryRoot } from "../../lib/find-project.ts";
import { GAIA_FOLDER } from "../../workspace/gaia-path.ts";
import { readRoot, adviseKeepOut, ownKeepOutFiles } from "../../workspace/keep-out.ts";
import { NO_FILE } from "../../workspace/store/text-file.ts";
import { mergedFolders } from "../merged-folders.ts";
import type { OwnPackage } from "../own-package.ts";
import { addPlugin, removeEntries } from "./add-plugin.ts";
import { chooseReference, type Reference } from "./choose-spec.ts";
import { readPluginFiles, TARGETS, type PluginFile, type Target } from "./plugin-files.ts";
import { findConfigFile, renderStarterConfig, type ConfigFile } from "./starter-config.ts";

/** One file that `init` is about to write. */
export interface Change {
  readonly path: string;
  /** null for a file that does not exist. */
  readonly before: string | null;
  readonly after: string;
  /** As `TextFile.signature`, so that an edit made meanwhile is not lost. */
  readonly signature: string;
  /** What happens, for example `lists "opencode-gaia"`. */
  readonly what: string;
}

/** What is there already. */
export interface Kept {
  readonly path: string;
  readonly what: string;
}

export interface Plan {
  readonly changes: readonly Change[];
  readonly kept: readonly Kept[];
  /** What only the user can do, a sentence each. */
  readonly advice: readonly string[];
}

export interface InitInput {
  readonly scope: "project" | "global";
  readonly directory: string;
  /** OpenCode's configuration folder of the user. */
  readonly userFolder: string;
  readonly own: OwnPackage;
}

/** Decides everything before anything is written. @throws GaiaError for a file that cannot be read or edited */
export async function planInit(input: InitInput): Promise<Plan> {
  const folder = input.scope === "project" ? input.directory : input.userFolder;
  // Another `.gaia` here would hide the one above, with its settings and all that it knows.
  const project = findProject(input.directory, repositoryRoot(input.directory));
  const configFile = findConfigFile(input.scope, input.scope === "project" ? project : folder);
  const reference = await chooseReference(input.own.folder, folder, join(configFile.path, ".."));
  const steps: (Change | Kept)[] = [];
  for (const target of TARGETS) steps.push(await planTarget(input, folder, target, reference));
  steps.push(await planConfig(input.own.folder, configFile, reference));
  if (input.scope === "project") steps.push(...(await planKeepOut(project)));
  return {
    changes: steps.filter((step): step is Change => "after" in step),
    kept: steps.filter((step) => !("after" in step)),
    advice: input.scope === "project" ? await adviceFor(project) : [],
  };
}

async function planTarget(
  { scope, directory, userFolder }: InitInput,
  folder: string,
  target: Target,
  { spec, reason }: Reference,
): Promise<Change | Kept> {
  const folders = scope === "global" ? [userFolder] : mergedFolders(directory, userFolder);
  const files = await readPluginFiles(target, ...folders);
  const listed = files.find((file) => file.listed);
  if (listed !== undefined) {
    const { dead, file, path } = listed;
    const after = dead.length === 0 ? null : removeEntries(file.text, dead);
    if (after === null) return { path, what: "lists the plugin already" };
    return {
      path,
      before: file.text,
      after,
      signature: file.signature,
      what: "takes out what leads nowhere any more",
    };
  }
  const chosen = await fileToEdit(folder, target);
  const path = chosen?.path ?? join(folder, `${target.name}.json`);
  const moving = chosen === undefined ? await keysToMove(folder, target) : [];
  if (moving.length > 0) {
    const what = `OpenCode will move ${moving.join(", ")} there; start it once, then run init again for the panel`;
    return { path, what };
  }
  const before = chosen?.file.text ?? "";
  const alive =
    chosen === undefined || chosen.dead.length === 0 ? before : removeEntries(before, chosen.dead);
  const after = addPlugin(alive ?? before, spec, target.schema);
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
async function keysToMove(folder: string, { movedIn = [] }: Target): Promise<string[]> {
  const main = TARGETS[0];
  const files = main === undefined || movedIn.length === 0 ? [] : await readPluginFiles(main, folder);
  return movedIn.filter((key) => files.some(({ keys }) => keys.includes(key)));
}

/** With both a .json and a .jsonc, the one that has a list already. */
async function fileToEdit(folder: string, target: Target): Promise<PluginFile | undefined> {
  const files = await readPluginFiles(target, folder);
  return files.find(({ declared }) => declared) ?? files[0];
}

async function adviceFor(directory: string): Promise<string[]> {
  const { files } = await readRoot(directory);
  return adviseKeepOut(files).map(({ what, fix }) => `${what}. ${fix}`);
}

/** Files in `.gaia/` itself, so that the project's formatters and packages pass over it. */
async function planKeepOut(directory: string): Promise<Change[]> {
  const { names, files } = await readRoot(directory);
  return ownKeepOutFiles(names, files).flatMap(({ name, text }) => {
    const path = join(directory, GAIA_FOLDER, name);
    const what = "keeps .gaia/ out of the project's own tools";
    return existsSync(path) ? [] : [{ path, before: null, after: text, signature: NO_FILE, what }];
  });
}

async function planConfig(
  packageFolder: string,
  { path, exists }: ConfigFile,
  { schema }: Reference,
): Promise<Change | Kept> {
  if (exists) return { path, what: "is there already" };
  const after = await renderStarterConfig(packageFolder, schema);
  return { path, before: null, after, signature: NO_FILE, what: "examples to uncomment" };
}

import { existsSync } from "node:fs";
import { readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  findProject,
  repositoryRoot,
  openCodeConfigFolder,
  ownCacheFolder,
  ownDataFolder,
} from "../lib/folders.ts";
import { readText } from "../lib/read-source.ts";
import { GAIA_FOLDER } from "../record/store.ts";
import { isOwnKeepOutFile } from "../record/keep-out.ts";
import {
  applyChanges,
  changeList,
  renderChange,
  type SetupChange,
  renderStarterConfig,
  TARGETS,
} from "./init/plan.ts";
import { defineCommand } from "./main.ts";
import {
  foldersForAll,
  isDeadEntry,
  isOwnEntry,
  mergedFolders,
  type PluginEntry,
  readPluginFiles,
} from "./opencode-files.ts";
import { installedAbove, PACKAGE_NAME } from "./own-package.ts";

export const uninstall = defineCommand({
  name: "uninstall",
  summary: "take GAIA out of this project, or with --global of all of them",
  options: { global: { type: "boolean", short: "g" } },
  async run({ global: isGlobal = false }, { print, from: directory, environment }) {
    const userFolder = openCodeConfigFolder(environment);
    const users = foldersForAll(userFolder);
    const projects = mergedFolders(directory, userFolder).filter((folder) => !users.includes(folder));
    const changes = await planEntries(isGlobal ? users : projects);
    const { gone, folder, left } = isGlobal ? await planUser(environment) : await planProject(directory);
    const others = isGlobal ? [] : (await planEntries(users)).map(({ path }) => path);
    await applyChanges(changes);
    for (const path of gone) await rm(path, { recursive: true, force: true });
    await rmdir(folder).catch(() => undefined); // It holds something else, or is not there.
    const lines = [
      ...changes.map((change) => renderChange(change, change.path)),
      ...gone.map((path) => `removed ${path}`),
    ];
    print((lines.length === 0 ? ["Nothing of GAIA's is there."] : lines).join("\n"));
    for (const text of left) print(`left: ${text}`);
    if (others.length > 0)
      print(
        `left: ${others.join(", ")}, which holds for all your projects: ${PACKAGE_NAME} uninstall --global`,
      );
    return 0;
  },
});

/** Takes out what leads into this package, be it to what its file asks for or not. @throws GaiaError for a file that cannot be read or edited */
async function planEntries(folders: readonly string[]): Promise<SetupChange[]> {
  const isOurs = (entry: PluginEntry): boolean =>
    isOwnEntry(entry) || entry.means === "astray" || isDeadEntry(entry);
  const changes: SetupChange[] = [];
  for (const target of TARGETS)
    for (const file of await readPluginFiles(folders, target.name))
      if (file.entries.some(isOurs))
        changes.push(changeList(file.path, file, target, isOurs, null, "lists the plugin no more"));
  return changes;
}

/**
 * What goes beside the entries in OpenCode's files: files and folders that are ours alone, and the folder in which they lie, when
 * nothing else is in it.
 */
async function planProject(directory: string) {
  const project = findProject(directory, repositoryRoot(directory));
  const folder = join(project, GAIA_FOLDER);
  const names = await readdir(folder).catch(() => []);
  const untouched = await Promise.all(
    names.map(async (name) => ((await isUntouched(join(folder, name), name)) ? [name] : [])),
  );
  const isEmpty = untouched.flat().length === names.length;
  // What keeps the record out of other tools stays with it.
  const gone = untouched.flat().filter((name) => isEmpty || name === "config.jsonc");
  const installed = await installedAbove(directory);
  return {
    folder,
    gone: gone.map((name) => join(folder, name)),
    left: [
      ...(isEmpty ? [] : [`${folder}, your record and settings: delete it if you want none of it`]),
      ...[installed ?? []]
        .flat()
        .map((path) => `the package itself: npm uninstall ${PACKAGE_NAME} in ${dirname(dirname(path))}`),
    ],
  };
}

/** Whether a file of `.gaia/` is as `init` wrote it. */
async function isUntouched(path: string, name: string): Promise<boolean> {
  const text = await readText(path);
  return isOwnKeepOutFile(name, text) || (name === "config.jsonc" && (await isStarter(text)));
}

async function isStarter(text: string): Promise<boolean> {
  const [, behind = ""] = text.split('"$schema": "', 2);
  const [schema = ""] = behind.split('"', 1);
  return schema !== "" && text === (await renderStarterConfig(schema));
}

/** The same for all projects. */
async function planUser(environment: NodeJS.ProcessEnv) {
  const [data, cache] = [ownDataFolder(environment), ownCacheFolder(environment)];
  const config = join(openCodeConfigFolder(environment), "gaia.jsonc");
  const isOurs = await isStarter(await readText(config));
  const lanes = await lanesLeft(join(data, "worktree"));
  const names = await readdir(data).catch(() => []);
  const kept = lanes.length === 0 ? [] : ["worktree"];
  return {
    folder: data,
    gone: [
      ...names.filter((name) => !kept.includes(name)).map((name) => join(data, name)),
      ...(existsSync(cache) ? [cache] : []),
      ...(isOurs ? [config] : []),
    ],
    left: [
      ...(isOurs || !existsSync(config) ? [] : [`${config}, your settings`]),
      ...lanes.map((folder) => `${folder}: work that has not landed; see opencode-gaia lanes in its project`),
      "what OpenCode keeps of your conversations",
    ],
  };
}

async function lanesLeft(worktrees: string): Promise<string[]> {
  const list = async (...names: string[]) => readdir(join(worktrees, ...names)).catch(() => []);
  const found = (await list()).map(async (store) => {
    const work = [...(await list(store, "lanes")), ...(await list(store, "units"))];
    return work.length > 0 ? [join(worktrees, store)] : [];
  });
  return (await Promise.all(found)).flat();
}

import { existsSync } from "node:fs";
import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { isJsonObject, ownValue } from "../config/json-value.ts";
import { parseSourceText } from "../config/source-text.ts";
import { createError } from "../lib/error.ts";
import { findProject, repositoryRoot } from "../lib/find-project.ts";
import { textOf } from "../lib/json.ts";
import { readText } from "../lib/read-source.ts";
import { openCodeConfigFolder, ownCacheFolder, ownDataFolder } from "../lib/user-folders.ts";
import { GAIA_FOLDER } from "../record/store.ts";
import { isOwnKeepOutFile } from "../record/keep-out.ts";
import { applyChanges } from "./init/command.ts";
import { isFresh, removeEntries } from "./init/edit-list.ts";
import { type SetupChange, renderStarterConfig, TARGETS } from "./init/plan.ts";
import { defineCommand } from "./main.ts";
import { foldersForAll, mergedFolders, type PluginEntry, readPluginFiles } from "./opencode-files.ts";
import { PACKAGE_NAME, readOwnPackage } from "./own-package.ts";

const HELP = `opencode-gaia uninstall [--global] [--dry-run]

Takes GAIA out of this project: its entries in opencode.json and tui.json, and the files
in .gaia/ that nobody has written into. Your record in .gaia/ stays.

  --global   For all your projects instead: its entries in OpenCode's configuration folder, and its
             own folders with keys, answers about trust, copies and caches. Worktrees whose work has
             not landed stay.
  --dry-run  Show what would go, and change nothing.

Exit code 0: GAIA is out. 1: a file is broken or cannot be written; nothing is lost.`;

interface Plan {
  readonly changes: readonly SetupChange[];
  /** Files and folders that are ours alone. */
  readonly gone: readonly string[];
  /** The folder in which they lie, if it is ours: it goes when nothing else is in it. */
  readonly folder: string;
  readonly left: readonly string[];
}

export const uninstall = defineCommand({
  name: "uninstall",
  summary: "take GAIA out of this project, or with --global of all of them",
  help: HELP,
  options: { global: { type: "boolean", short: "g" }, "dry-run": { type: "boolean" } },
  async run(
    { global: isGlobal = false, "dry-run": isDryRun = false },
    { print, from: directory, environment },
  ) {
    const userFolder = openCodeConfigFolder(environment);
    const users = foldersForAll(userFolder);
    const projects = mergedFolders(directory, userFolder).filter((folder) => !users.includes(folder));
    const folders = isGlobal ? users : projects;
    const entries = await withoutEntries(folders);
    const rest = isGlobal ? await planUser(environment) : await planProject(directory);
    const plan: Plan = {
      changes: entries.changes,
      gone: [...entries.gone, ...rest.gone],
      folder: rest.folder,
      left: [...rest.left, ...(await othersThatList(isGlobal ? [] : users))],
    };
    if (!isDryRun) {
      await applyChanges(plan.changes);
      for (const path of plan.gone) await rm(path, { recursive: true, force: true });
      await rmdir(plan.folder).catch(() => undefined); // It holds something else, or is not there.
    }
    const did = (done: string, would: string): string => (isDryRun ? would : done);
    const lines = [
      ...plan.changes.map(({ path, what }) => `${did("changed", "would change")} ${path}: ${what}`),
      ...plan.gone.map((path) => `${did("removed", "would remove")} ${path}`),
    ];
    print(
      [
        ...(lines.length === 0 ? ["Nothing of GAIA's is there."] : lines),
        ...plan.left.map((text) => `left: ${text}`),
      ].join("\n"),
    );
    return 0;
  },
});

/** Whether an entry leads into this package, be it to what its file asks for or not. */
function isOwn({ means }: PluginEntry): boolean {
  return means === "ours" || means === "astray";
}

/** @throws GaiaError for a file that cannot be read or edited; nothing was changed then */
async function withoutEntries(folders: readonly string[]): Promise<Pick<Plan, "changes" | "gone">> {
  const changes: SetupChange[] = [];
  const gone: string[] = [];
  for (const { name, schema } of TARGETS)
    for (const { path, file, entries } of await readPluginFiles(folders, name)) {
      const places = entries.flatMap((entry, index) => (isOwn(entry) ? [index] : []));
      const [first] = places;
      if (first === undefined) continue;
      if (isFresh(file.text, entries[first]?.spec ?? "", schema)) {
        gone.push(path);
        continue;
      }
      const after = removeEntries(file.text, places);
      if (after === null)
        throw createError("uninstall", `${path} could not be edited safely, so nothing was changed.`, {
          hint: `Take "${PACKAGE_NAME}" out of "plugin" by hand.`,
        });
      const what = "lists the plugin no more";
      changes.push({ path, before: file.text, after, signature: file.signature, what });
    }
  return { changes, gone };
}

async function othersThatList(folders: readonly string[]): Promise<string[]> {
  const files = await Promise.all(TARGETS.map(async ({ name }) => readPluginFiles(folders, name)));
  const listing = files.flat().filter(({ entries }) => entries.some(isOwn));
  const left = listing.map(({ path }) => path);
  return left.length === 0
    ? []
    : [`${left.join(", ")}, which holds for all your projects: ${PACKAGE_NAME} uninstall --global`];
}

async function planProject(directory: string): Promise<Omit<Plan, "changes">> {
  const project = findProject(directory, repositoryRoot(directory));
  const folder = join(project, GAIA_FOLDER);
  const names = await readdir(folder).catch(() => []);
  const isOurs = await Promise.all(names.map(async (name) => isUntouched(join(folder, name), name)));
  const isEmpty = isOurs.every(Boolean);
  const installed = existsSync(join(directory, "node_modules", PACKAGE_NAME));
  return {
    folder,
    gone: isEmpty ? names.map((name) => join(folder, name)) : [],
    left: [
      ...(isEmpty ? [] : [`${folder}, your record and settings: delete it if you want none of it`]),
      ...(installed ? [`the package itself: npm uninstall ${PACKAGE_NAME}`] : []),
    ],
  };
}

/** Whether a file of `.gaia/` is as `init` wrote it. */
async function isUntouched(path: string, name: string): Promise<boolean> {
  const text = await readText(path);
  return isOwnKeepOutFile(name, text) || (name === "config.jsonc" && (await isStarter(text)));
}

async function isStarter(text: string): Promise<boolean> {
  const { value } = parseSourceText(text);
  const schema = isJsonObject(value) ? textOf(ownValue(value, "$schema")) : undefined;
  return (
    schema !== undefined && text === (await renderStarterConfig((await readOwnPackage()).folder, schema))
  );
}

async function planUser(environment: NodeJS.ProcessEnv): Promise<Omit<Plan, "changes">> {
  const [data, cache] = [ownDataFolder(environment), ownCacheFolder(environment)];
  const config = join(openCodeConfigFolder(environment), "gaia.jsonc");
  const isOurs = await isStarter(await readText(config));
  const lanes = await lanesLeft(join(data, "worktree"));
  const names = await readdir(data).catch(() => []);
  const kept = lanes.length === 0 ? [] : ["worktree"];
  const knowledge = join(openCodeConfigFolder(environment), "gaia-knowledge");
  return {
    folder: data,
    gone: [
      ...names.filter((name) => !kept.includes(name)).map((name) => join(data, name)),
      ...(existsSync(cache) ? [cache] : []),
      ...(isOurs ? [config] : []),
    ],
    left: [
      ...(isOurs || !existsSync(config) ? [] : [`${config}, your settings`]),
      ...(existsSync(knowledge) ? [`${knowledge}, your knowledge`] : []),
      ...lanes.map((folder) => `${folder}: work that has not landed; see opencode-gaia lanes in its project`),
      "what OpenCode keeps of your conversations",
    ],
  };
}

async function lanesLeft(worktrees: string): Promise<string[]> {
  const stores = await readdir(worktrees).catch(() => []);
  const found = await Promise.all(
    stores.map(async (store) => {
      const inside = await readdir(join(worktrees, store)).catch(() => []);
      const work = inside.filter((name) => name === "lanes" || name === "units");
      const held = await Promise.all(
        work.map(async (name) => (await readdir(join(worktrees, store, name)).catch(() => [])).length > 0),
      );
      return held.includes(true) ? [join(worktrees, store)] : [];
    }),
  );
  return found.flat();
}

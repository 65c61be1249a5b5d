import { join } from "node:path";
import type { WrittenDefinition } from "../../../config/definition-of-done.ts";
import { listOf, parseJson, recordOf, textOf } from "../../../lib/json.ts";
import { listFolder } from "../../../lib/read-source.ts";
import {
  suggestTools,
  type CheckSuggestion,
  type ProjectFolder,
  kindOfName,
  readFolder,
} from "./language-tools.ts";

/** Folders directly below the project that are looked into; enough for `frontend` and `backend`. */
const MAX_FOLDERS = 12;
const MAX_MEMBERS = 60;
const NEVER = new Set(["node_modules", "vendor", "target", "dist", "build"]);

/**
 * Proposes checks for a project that has no Definition of Done (SPEC 11): of the project itself with the packages of its
 * workspace and, where nothing there names a check, of the folders directly below it. Nothing is run, and nothing counts until
 * the user accepts it. Scripts that the project's authors wrote come first; a tool's default is proposed only for a kind of
 * proof that they do not offer.
 */
export async function suggestChecks(directory: string): Promise<CheckSuggestion[]> {
  const root = await readFolder(directory);
  const own = suggestIn(root, root, await readMembers(directory, root));
  if (own.length > 0) return own;
  const names = (await foldersIn(directory)).slice(0, MAX_FOLDERS);
  const below = names.map(async (cwd) => {
    const found = suggestIn(await readFolder(join(directory, cwd)), root, []);
    return found.map((each) => ({ ...each, id: `${cwd}-${each.id}`, source: `${cwd}/${each.source}`, cwd }));
  });
  return (await Promise.all(below)).flat();
}

/** The suggestions as a definition that can be written into the config as it stands. */
export function definitionFrom(suggestions: readonly CheckSuggestion[]): WrittenDefinition {
  return { checks: suggestions.map(({ id, command, cwd }) => ({ id, command, ...(cwd ? { cwd } : {}) })) };
}

/** @param root where a workspace keeps its lock file @param members the manifests of a workspace's packages */
function suggestIn(
  folder: ProjectFolder,
  root: ProjectFolder,
  members: readonly Manifest[],
): CheckSuggestion[] {
  const recipes = suggestRecipes(folder);
  const offered = new Set(recipes.map(({ kind }) => kind));
  const tools = suggestTools(folder).filter(({ kind }) => !offered.has(kind));
  const ids = new Set<string>();
  return [...suggestScripts(folder, root, members), ...recipes, ...tools].filter(
    ({ id }) => !ids.has(id) && ids.add(id),
  );
}

/** The packages that a workspace names: by their folder, or all below one. */
async function readMembers(directory: string, root: ProjectFolder): Promise<Manifest[]> {
  const quoted = root.textOf("pnpm-workspace.yaml").matchAll(/^\s*-\s*["']?([^"'#\s]+)/gm);
  const patterns = [...readManifest(root).workspaces, ...Array.from(quoted, ([, path = ""]) => path)];
  const inside = patterns.filter((path) => !path.startsWith("!") && !path.split("/").includes(".."));
  const paths = inside.map(async (pattern) => {
    const folder = /^(?:\.\/)?([^*]*)\/\*\*?$/.exec(pattern)?.[1];
    if (folder === undefined) return [pattern];
    return (await foldersIn(join(directory, folder))).map((name) => `${folder}/${name}`);
  });
  const folders = (await Promise.all(paths)).flat().slice(0, MAX_MEMBERS);
  return Promise.all(folders.map(async (path) => readManifest(await readFolder(join(directory, path)))));
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = (await listFolder(folder)) ?? [];
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !NEVER.has(entry.name))
    .map((entry) => entry.name)
    .toSorted();
}

/** Lock file → package manager; the first that is there decides. */
const LOCK_FILES: readonly [file: string, manager: string][] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
];
/** How a package manager runs a script in every package of a workspace that has it. */
const EVERYWHERE: Readonly<Record<string, (name: string) => string>> = {
  npm: (name) => `npm run ${name} --workspaces --if-present`,
  pnpm: (name) => `pnpm -r --if-present run ${name}`,
  yarn: (name) => `yarn workspaces run ${name}`,
  bun: (name) => `bun run --filter '*' ${name}`,
};
const PLACEHOLDER = "no test specified";

interface Manifest {
  readonly scripts: readonly (readonly [name: string, script: string])[];
  readonly manager: string | undefined;
  readonly workspaces: readonly string[];
}

/** One that does not parse offers no scripts; its own tools will complain about it. */
function readManifest(folder: ProjectFolder): Manifest {
  const { scripts, packageManager, workspaces } = recordOf(parseJson(folder.textOf("package.json")));
  const listed = Array.isArray(workspaces) ? workspaces : recordOf(workspaces)["packages"];
  return {
    scripts: Object.entries(recordOf(scripts)).flatMap(([name, script]) =>
      typeof script === "string" ? [[name, script] as const] : [],
    ),
    manager: /^(npm|pnpm|yarn|bun)@/.exec(textOf(packageManager) ?? "")?.[1],
    workspaces: listOf(listed).filter((path) => typeof path === "string"),
  };
}

/**
 * Checks from the scripts of `package.json`, by their names: what one of them does is the user's to judge, who says yes to it,
 * and what it writes is put back. What the root of a workspace does not offer itself is run in its packages.
 */
function suggestScripts(
  folder: ProjectFolder,
  root: ProjectFolder,
  members: readonly Manifest[],
): CheckSuggestion[] {
  const { manager: declared, scripts } = readManifest(folder);
  const lock = (names: readonly string[]) => LOCK_FILES.find(([file]) => names.includes(file))?.[1];
  const manager = declared ?? lock(folder.names) ?? lock(root.names) ?? "npm";
  const found: CheckSuggestion[] = [];
  const add = (name: string, command: string): void => {
    const kind = kindOfName(name);
    if (kind !== null) found.push({ id: name.replaceAll(":", "-"), command, kind, source: "package.json" });
  };
  for (const name of checksIn(scripts)) add(name, `${manager} run ${name}`);
  for (const name of new Set(members.flatMap((member) => checksIn(member.scripts)))) {
    const isOffered = found.some(({ kind }) => kind === kindOfName(name));
    const isEverywhere = members.every((member) => member.scripts.some(([each]) => each === name));
    // The first yarn stops at a package that lacks it.
    if (!isOffered && (manager !== "yarn" || isEverywhere)) add(name, EVERYWHERE[manager]?.(name) ?? "");
  }
  return found;
}

/** Scripts whose names say that they prove something, without npm's placeholder and those that another one of them runs. */
function checksIn(scripts: Manifest["scripts"]): string[] {
  const usable = scripts.filter(
    ([name, script]) => kindOfName(name) !== null && !script.includes(PLACEHOLDER),
  );
  const isRun = (name: string): boolean =>
    usable.some(([other, script]) => other !== name && runs(script, name));
  return usable.map(([name]) => name).filter((name) => !isRun(name));
}

function runs(script: string, name: string): boolean {
  const words = script.split(/[\s&|;()]+/);
  return words.some(
    (word, at) => word === name && ["run", ...Object.keys(EVERYWHERE)].includes(words[at - 1] ?? ""),
  );
}

/** A file of recipes: its names, the program that runs one, and how the head of one is written. */
const RECIPES = [
  {
    names: ["GNUmakefile", "makefile", "Makefile"],
    program: "make",
    head: /^([\w.-]+(?:[ \t]+[\w.-]+)*)[ \t]*::?(?!=)/,
  },
  // A recipe that wants to be told something is none that a check can run.
  {
    names: ["justfile", "Justfile", ".justfile"],
    program: "just",
    head: /^@?([a-z][\w-]*)(?:[ \t]+\w+=\S+)*[ \t]*:(?!=)/,
  },
];

/** Checks from the recipes of a `Makefile` or `justfile` whose names say that they prove something. */
function suggestRecipes(folder: ProjectFolder): CheckSuggestion[] {
  return RECIPES.flatMap(({ names, program, head }) => {
    const source = names.find((name) => folder.names.includes(name));
    if (source === undefined) return [];
    const lines = folder.textOf(source).split(/\r?\n/);
    const recipes = new Set(lines.flatMap((line) => head.exec(line)?.[1]?.split(/\s+/) ?? []));
    return [...recipes].flatMap((name): CheckSuggestion[] => {
      const kind = kindOfName(name);
      return kind === null ? [] : [{ id: name, command: `${program} ${name}`, kind, source }];
    });
  });
}

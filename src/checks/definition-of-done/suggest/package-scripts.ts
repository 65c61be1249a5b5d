import { parseJson, recordOf, textOf } from "../../../lib/json.ts";
import { proves, watches } from "./scripts-that-prove.ts";
import { type CheckSuggestion, kindOfName, type ProjectFolder } from "./suggestion.ts";

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
const MAX_DEPTH = 5;

type Scripts = ReadonlyMap<string, string>;

/**
 * Checks from the scripts of `package.json`. Left out: npm's placeholder test, scripts that watch and so never end, those that
 * write, by themselves or through another one, and scripts that another suggested one runs anyway. What the root of a
 * workspace does not offer itself is run in its packages.
 * @param inherited names of the project's root, where a workspace keeps its lock file
 */
export function suggestPackageScripts(
  folder: ProjectFolder,
  inherited: readonly string[] = [],
): CheckSuggestion[] {
  const manifest = parseManifest(folder.texts["package.json"]);
  const manager = manifest.manager ?? managerByLock(folder.names) ?? managerByLock(inherited) ?? "npm";
  const found = usableScripts(manifest.scripts).flatMap(([name, script]): CheckSuggestion[] => {
    const kind = kindOfName(name);
    // Windows' shell knows no variables in front of a command.
    const prefix = watches(script) && process.platform !== "win32" ? "CI=true " : "";
    const id = name.replaceAll(":", "-");
    return kind === null
      ? []
      : [{ id, command: `${prefix}${manager} run ${name}`, kind, source: "package.json" }];
  });
  const members = (folder.members ?? []).map(({ texts }) => parseManifest(texts["package.json"]).scripts);
  const names = new Set(members.flatMap((scripts) => usableScripts(scripts).map(([name]) => name)));
  const run = EVERYWHERE[manager];
  for (const name of names) {
    const kind = kindOfName(name);
    const isSafe = members.every((scripts) => !scripts.has(name) || isUsable(scripts, name));
    if (kind === null || !isSafe || run === undefined || found.some((each) => each.kind === kind)) continue;
    const missing = members.some((scripts) => !scripts.has(name));
    // The first yarn stops at a package that lacks it.
    if (manager === "yarn" && missing) continue;
    found.push({ id: name.replaceAll(":", "-"), command: run(name), kind, source: "package.json" });
  }
  return found;
}

function usableScripts(scripts: Scripts): [string, string][] {
  const usable = [...scripts].filter(([name]) => kindOfName(name) !== null && isUsable(scripts, name));
  return usable.filter(([name]) => !usable.some(([other, script]) => other !== name && runs(script, name)));
}

/** Whether a script and everything that it runs by itself only looks. */
function isUsable(scripts: Scripts, name: string, depth = 0): boolean {
  const own = [`pre${name}`, name, `post${name}`].flatMap((each) => scripts.get(each) ?? []);
  if (depth > MAX_DEPTH || !own.every(proves)) return false;
  return [...scripts.keys()].every(
    (other) =>
      other === name || !own.some((script) => runs(script, other)) || isUsable(scripts, other, depth + 1),
  );
}

function runs(script: string, name: string): boolean {
  const words = script.split(/[\s&|;()]+/);
  return words.some((word, index) => {
    const before = words[index - 1] ?? "";
    return word === name && (before === "run" || /^(npm|pnpm|yarn|bun)$/.test(before));
  });
}

function managerByLock(names: readonly string[]): string | undefined {
  return LOCK_FILES.find(([file]) => names.includes(file))?.[1];
}

function parseManifest(text: string | undefined): { scripts: Scripts; manager?: string } {
  // One that does not parse offers no scripts; its own tools will complain about it.
  const manifest = recordOf(parseJson(text ?? ""));
  const entries = Object.entries(recordOf(manifest["scripts"]));
  const declared = /^(npm|pnpm|yarn|bun)@/.exec(textOf(manifest["packageManager"]) ?? "")?.[1];
  return {
    scripts: new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string")),
    ...(declared ? { manager: declared } : {}),
  };
}

import { parseJson, recordOf, textOf } from "../../../lib/json.ts";
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
const PLACEHOLDER = "no test specified";

type Scripts = ReadonlyMap<string, string>;

/**
 * Checks from the scripts of `package.json`, by their names: what one of them does is the user's to judge, who says yes to it, and
 * what it writes is put back. Left out: npm's placeholder test, and what another suggested script runs anyway. What the root of a
 * workspace does not offer itself is run in its packages.
 * @param inherited names of the project's root, where a workspace keeps its lock file
 */
export function suggestPackageScripts(
  folder: ProjectFolder,
  inherited: readonly string[] = [],
): CheckSuggestion[] {
  const manifest = parseManifest(folder.texts["package.json"]);
  const manager = manifest.manager ?? managerByLock(folder.names) ?? managerByLock(inherited) ?? "npm";
  const found = usableScripts(manifest.scripts).flatMap(([name]): CheckSuggestion[] => {
    const kind = kindOfName(name);
    const id = name.replaceAll(":", "-");
    return kind === null ? [] : [{ id, command: `${manager} run ${name}`, kind, source: "package.json" }];
  });
  const members = (folder.members ?? []).map(({ texts }) => parseManifest(texts["package.json"]).scripts);
  const names = new Set(members.flatMap((scripts) => usableScripts(scripts).map(([name]) => name)));
  const run = EVERYWHERE[manager];
  for (const name of names) {
    const kind = kindOfName(name);
    if (kind === null || run === undefined || found.some((each) => each.kind === kind)) continue;
    const missing = members.some((scripts) => !scripts.has(name));
    // The first yarn stops at a package that lacks it.
    if (manager === "yarn" && missing) continue;
    found.push({ id: name.replaceAll(":", "-"), command: run(name), kind, source: "package.json" });
  }
  return found;
}

/** Those whose names say that they prove something, without those that another one of them runs. */
function usableScripts(scripts: Scripts): [string, string][] {
  const usable = [...scripts].filter(
    ([name, script]) => kindOfName(name) !== null && !script.includes(PLACEHOLDER),
  );
  return usable.filter(([name]) => !usable.some(([other, script]) => other !== name && runs(script, name)));
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

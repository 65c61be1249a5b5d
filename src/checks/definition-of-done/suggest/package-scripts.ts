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

/**
 * Checks from the scripts of `package.json`. Left out: npm's placeholder test, scripts that watch and so never end,
 * and scripts that another suggested one runs anyway.
 * @param inherited names of the project's root, where a workspace keeps its lock file
 */
export function suggestPackageScripts(
  folder: ProjectFolder,
  inherited: readonly string[] = [],
): CheckSuggestion[] {
  const manifest = parseManifest(folder.texts["package.json"]);
  const manager = manifest.manager ?? managerByLock(folder.names) ?? managerByLock(inherited) ?? "npm";
  const usable = [...manifest.scripts].filter(([name, script]) => kindOfName(name) && ends(script));
  return usable.flatMap(([name]) => {
    const kind = kindOfName(name);
    const covered = usable.some(([other, script]) => other !== name && runs(script, name));
    if (!kind || covered) return [];
    return [
      { id: name.replaceAll(":", "-"), command: `${manager} run ${name}`, kind, source: "package.json" },
    ];
  });
}

function ends(script: string): boolean {
  return !/no test specified/.test(script) && !/(^|\s)(--watch(All)?(?!=false)|-w|watch)(\s|$)/.test(script);
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

function parseManifest(text: string | undefined): { scripts: Map<string, string>; manager?: string } {
  // One that does not parse offers no scripts; its own tools will complain about it.
  const manifest = recordOf(parseJson(text ?? ""));
  const entries = Object.entries(recordOf(manifest["scripts"]));
  const declared = /^(npm|pnpm|yarn|bun)@/.exec(textOf(manifest["packageManager"]) ?? "")?.[1];
  return {
    scripts: new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string")),
    ...(declared ? { manager: declared } : {}),
  };
}

import type { WrittenDefinition } from "../../../config/definition-of-done.ts";
import { suggestTools } from "./language-tools.ts";
import { suggestPackageScripts } from "./package-scripts.ts";
import { type CheckSuggestion, type ProjectFolder, kindOfName } from "./suggestion.ts";

/**
 * Proposes checks for a project that has no Definition of Done (SPEC 11). Pure over file contents: nothing is run,
 * and nothing counts until the user accepts it. Scripts that the project's authors wrote come first; a tool's default
 * is proposed only for a kind of proof that they do not offer.
 * @param folders the project itself first, then folders below it, such as `frontend`
 */
export function suggestChecks(folders: readonly ProjectFolder[]): CheckSuggestion[] {
  const root = folders.find((folder) => folder.path === "");
  const found = folders.flatMap((folder) =>
    suggestForFolder(folder, root?.names ?? []).map((suggestion) => placeIn(folder.path, suggestion)),
  );
  const ids = new Set<string>();
  return found.filter(({ id }) => !ids.has(id) && ids.add(id));
}

/** The suggestions as a definition that can be written into the config as it stands. */
export function definitionFrom(suggestions: readonly CheckSuggestion[]): WrittenDefinition {
  return { checks: suggestions.map(({ id, command, cwd }) => ({ id, command, ...(cwd ? { cwd } : {}) })) };
}

function suggestForFolder(folder: ProjectFolder, rootNames: readonly string[]): CheckSuggestion[] {
  const scripts = suggestPackageScripts(folder, rootNames);
  const recipes = suggestRecipes(folder).filter(({ id }) => !scripts.some((script) => script.id === id));
  const offered = new Set(recipes.map(({ kind }) => kind));
  return [...scripts, ...recipes, ...suggestTools(folder).filter(({ kind }) => !offered.has(kind))];
}

function placeIn(path: string, suggestion: CheckSuggestion): CheckSuggestion {
  if (path === "") return suggestion;
  const source = `${path}/${suggestion.source}`;
  return { ...suggestion, id: `${path.replaceAll("/", "-")}-${suggestion.id}`, source, cwd: path };
}

/** A file of recipes: its names, the program that runs one, and how the head of one is written. */
const KINDS = [
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
  return KINDS.flatMap(({ names, program, head }) => {
    const source = names.find((name) => folder.texts[name] !== undefined);
    if (source === undefined) return [];
    const named = (texts: string): string[] => head.exec(texts)?.[1]?.split(/\s+/) ?? [];
    const recipes = new Set((folder.texts[source] ?? "").split(/\r?\n/).flatMap(named));
    return [...recipes].flatMap((name): CheckSuggestion[] => {
      const kind = kindOfName(name);
      return kind === null ? [] : [{ id: name, command: `${program} ${name}`, kind, source }];
    });
  });
}

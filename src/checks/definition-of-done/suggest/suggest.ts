import type { WrittenDefinition } from "../../../config/definition-of-done.ts";
import { suggestBuildTools, suggestGo, suggestPython, suggestRust } from "./language-tools.ts";
import { suggestPackageScripts } from "./package-scripts.ts";
import { suggestPreCommit } from "./pre-commit.ts";
import { suggestRecipes } from "./recipes.ts";
import type { CheckSuggestion, ProjectFolder } from "./suggestion.ts";

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
  const defaults = [suggestPython, suggestGo, suggestRust, suggestBuildTools, suggestPreCommit].flatMap(
    (suggest) => suggest(folder),
  );
  return [...scripts, ...recipes, ...defaults.filter(({ kind }) => !offered.has(kind))];
}

function placeIn(path: string, suggestion: CheckSuggestion): CheckSuggestion {
  if (path === "") return suggestion;
  const source = `${path}/${suggestion.source}`;
  return { ...suggestion, id: `${path.replaceAll("/", "-")}-${suggestion.id}`, source, cwd: path };
}

import { type CheckSuggestion, kindOfName, type ProjectFolder } from "./suggestion.ts";

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
export function suggestRecipes(folder: ProjectFolder): CheckSuggestion[] {
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

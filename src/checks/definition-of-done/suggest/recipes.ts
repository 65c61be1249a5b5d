import { proves } from "./scripts-that-prove.ts";
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

/** Checks from the recipes of a `Makefile` or `justfile` whose names say that they prove something, and that only look. */
export function suggestRecipes(folder: ProjectFolder): CheckSuggestion[] {
  return KINDS.flatMap(({ names, program, head }) => {
    const source = names.find((name) => folder.texts[name] !== undefined);
    if (source === undefined) return [];
    const recipes = readRecipes(folder.texts[source] ?? "", head);
    return [...recipes].flatMap(([name, body]): CheckSuggestion[] => {
      const kind = kindOfName(name);
      return kind !== null && proves(body) ? [{ id: name, command: `${program} ${name}`, kind, source }] : [];
    });
  });
}

function readRecipes(text: string, head: RegExp): Map<string, string> {
  const recipes = new Map<string, string>();
  let open: readonly string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const names = head.exec(line)?.[1]?.split(/\s+/);
    if (names !== undefined) open = names;
    else if (/^\S/.test(line)) open = [];
    for (const name of open)
      recipes.set(name, `${recipes.get(name) ?? ""}${names === undefined ? line : ""}\n`);
  }
  return recipes;
}

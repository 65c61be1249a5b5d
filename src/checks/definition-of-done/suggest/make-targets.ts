import { type CheckSuggestion, kindOfName, type ProjectFolder } from "./suggestion.ts";

/** Checks from the targets of a `Makefile` whose names say that they prove something. */
export function suggestMakeTargets(folder: ProjectFolder): CheckSuggestion[] {
  const names = [...(folder.texts["Makefile"] ?? "").matchAll(/^([\w.-]+(?:[ \t]+[\w.-]+)*)[ \t]*::?(?!=)/gm)]
    .flatMap((rule) => (rule[1] ?? "").split(/\s+/))
    .filter((name, index, all) => all.indexOf(name) === index);
  return names.flatMap((name) => {
    const kind = kindOfName(name);
    return kind ? [{ id: name, command: `make ${name}`, kind, source: "Makefile" }] : [];
  });
}

import { sequencesMeet } from "./path-pattern.ts";

/** OpenCode's own matching of permissions: `*` is any text, `?` any one character, and ` *` at the end may be missing. */
export function matchesWildcard(text: string, pattern: string): boolean {
  if (pattern.endsWith(" *") && matchesStars(text, pattern.slice(0, -2), "?")) return true;
  return matchesStars(text, pattern, "?");
}

/** Whether a whole text fits a pattern in which `*` is any text. @param one the sign for any one character */
export function matchesStars(text: string, pattern: string, one?: "?"): boolean {
  const fits = (character: string, mark: string): boolean =>
    mark === character || mark === "*" || mark === one;
  return sequencesMeet(text.split(""), pattern.split(""), fits, (mark) => mark === "*");
}

import { globTest } from "./glob.ts";
import type { LineWord } from "./simple-commands.ts";

/**
 * A user's own commands, dangerous or allowed: words separated by blanks, matched against the parsed words of a command, never
 * against its text. `*` inside a word stands for any characters, `*` as a word for any number of words. So
 * `helm uninstall *` means that command with any arguments, `helm * uninstall *` also with options before the verb.
 */
export type CommandPattern = string;

/** Words of a command that patterns are matched against; later ones are cut off. */
const MAX_WORDS = 500;

/** `anywhere`: a program matches by its name in whatever folder it lies. */
type Program = "exactly" | "anywhere";

function wordMatches(pattern: string, { text, kind }: LineWord, isByName: boolean): boolean {
  // What is only known at run time could be that word.
  if (kind === "unknown") return !isByName;
  return globTest(pattern)(isByName && !pattern.includes("/") ? (text.split("/").at(-1) ?? text) : text);
}

/** Matches words against pattern words in time proportional to their product. */
function matches(patterns: readonly string[], words: readonly LineWord[], program: Program): boolean {
  const open = (places: Set<number>): Set<number> => {
    for (const place of places) if (patterns[place] === "*") places.add(place + 1);
    return places;
  };
  let reached = open(new Set([0]));
  for (const [index, word] of words.entries()) {
    const next = new Set<number>();
    for (const place of reached) {
      const pattern = patterns[place];
      if (pattern === "*") next.add(place);
      else if (pattern !== undefined && wordMatches(pattern, word, index === 0 && program === "anywhere"))
        next.add(place + 1);
    }
    reached = open(next);
  }
  return reached.has(patterns.length);
}

/** The first pattern that a command matches; undefined when none does. */
export function matchPattern(
  patterns: readonly CommandPattern[],
  words: readonly LineWord[],
  program: Program = "anywhere",
): CommandPattern | undefined {
  return patterns.find((pattern) => {
    const parts = pattern.trim().split(/\s+/u);
    return parts[0] !== "" && matches(parts, words.slice(0, MAX_WORDS), program);
  });
}

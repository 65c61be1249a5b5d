import { globTest } from "../glob.ts";
import { type Arg, textOf } from "../shell/arg.ts";

/**
 * A user's own commands, dangerous or allowed: words separated by blanks, matched against the parsed words of a command, never
 * against its text. `*` inside a word stands for any characters, `*` as a word for any number of words. So
 * `helm uninstall *` means that command with any arguments, `helm * uninstall *` also with options before the verb.
 * A word that is only known at run time matches every pattern word, because it could be it.
 */
export type DangerPattern = string;

/** Words of a command that patterns are matched against; later ones are cut off. */
const MAX_WORDS = 500;

function wordMatches(pattern: string, arg: Arg, first: boolean): boolean {
  const text = textOf(arg);
  if (text === undefined) return !first;
  const name = first ? (text.split("/").at(-1) ?? text) : text;
  return globTest(pattern)(name);
}

/** Matches words against pattern words in time proportional to their product. */
function matches(words: readonly string[], argv: readonly Arg[]): boolean {
  let reached = new Set([0]);
  const open = (places: Set<number>): Set<number> => {
    for (const place of places) if (words[place] === "*") places.add(place + 1);
    return places;
  };
  open(reached);
  for (const [index, arg] of argv.entries()) {
    const next = new Set<number>();
    for (const place of reached) {
      const word = words[place];
      if (word === "*" || (arg.many && index > 0)) next.add(place);
      if (word !== undefined && word !== "*" && wordMatches(word, arg, index === 0)) next.add(place + 1);
    }
    reached = open(next);
  }
  return reached.has(words.length);
}

/**
 * The first pattern that a command matches, undefined when none does.
 * @param how `in full`: a command of which a word is only known at run time matches none
 */
export function matchPattern(
  patterns: readonly DangerPattern[],
  argv: readonly Arg[],
  how: "as far as known" | "in full" = "as far as known",
): DangerPattern | undefined {
  if (patterns.length === 0 || (how === "in full" && argv.some((arg) => textOf(arg) === undefined)))
    return undefined;
  return patterns.find((pattern) => {
    const words = pattern.trim().split(/\s+/u);
    return words[0] !== "" && matches(words, argv.slice(0, MAX_WORDS));
  });
}

import { matchesParsed, parsePattern } from "../../lib/path-pattern.ts";
import type { Matcher, When } from "../catalogue.ts";

const MAX_MARKS = 100;
const MAX_LENGTH = 300;
/** As much of a task as says what it is about. */
const MAX_TEXT = 20_000;
/** What is no part of a word: `c++` and `c#` are, a mark in front is not. */
const NO_WORD = /[^\p{L}\p{N}\p{M}+#]+|(?<![\p{L}\p{N}+#])[+#]+/gu;
/** Between two ways to read a text; it stands in none of them. */
const OR = "\n";
/** Written without spaces between the words, or, as Korean, between a word and what says its part in the sentence. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;

/** Pure. Each question takes time in proportion to the text and to what is looked for, whatever they are. */
export function createMatcher({ paths, words, always }: When): Matcher {
  const patterns = paths.slice(0, MAX_MARKS).map((path) => ({ path, steps: readPattern(path) }));
  const matches = (path: string, isNot: boolean): boolean =>
    patterns.some(
      ({ path: { 0: mark }, steps }) => (mark === "!") === isNot && matchesParsed(path, steps ?? []),
    );
  const wanted = words
    .slice(0, MAX_MARKS)
    .flatMap((word) => asWords(word).split(OR))
    .filter((word) => word !== "  ");
  const meetsTask = (text: string): boolean => always || wanted.some((word) => text.includes(word));
  return {
    useless: patterns.flatMap(({ path, steps }) => (steps === null ? path : [])),
    meetsTask,
    meetsPath: (path) =>
      always ||
      (matches(path, false) && !matches(path, true)) ||
      // The record is named after tasks, and is about none of the project's files.
      (!path.startsWith(".gaia/") && meetsTask(asWords(path))),
  };
}

/** A name without wildcards is that of a file, or of a folder and all that is in it. */
function readPattern(path: string): ReturnType<typeof parsePattern> {
  const pattern = path.replace(/^!?(?:\.?\/)?/, "").replace(/\/$/, "");
  if (pattern.length > MAX_LENGTH) return null;
  return parsePattern(/[*?]/.test(pattern) ? pattern : `{${pattern},${pattern}/**}`, true);
}

/** Lower-case words between single spaces. A name in code counts by its humps and as a whole: GraphQL or graphql. */
export function asWords(text: string): string {
  const whole = text.slice(0, MAX_TEXT).normalize("NFC");
  const apart = whole.replaceAll(/\p{Ll}(?=\p{Lu})/gu, "$& ");
  return (apart === whole ? [whole] : [apart, whole]).map(wordsOf).join(OR);
}

function wordsOf(text: string): string {
  const words = text.toLowerCase().replaceAll(UNSPACED, " $& ").replaceAll(NO_WORD, " ").trim();
  return ` ${words} `;
}

export function proseOf(text: string): string {
  return text.replaceAll(/^[ \t]*(`{3,}|~{3,})[^]*?(?:^[ \t]*\1|$(?![^]))/gm, " ");
}

import { matchesParsed, parsePattern, type PatternStep } from "../../lib/path-pattern.ts";
import type { When } from "./rule.ts";

/** The words of a task, whose code counts for nothing; read once for all rules. */
export function readTask(task: string): string {
  const text = task.slice(0, MAX_TASK);
  return asWords(text.replaceAll(/^[ \t]*(`{3,}|~{3,})[^]*?(?:^[ \t]*\1|$(?![^]))/gm, " "));
}

/** More than this of each is no rule; patterns and words are anybody's. */
const MAX_MARKS = 200;
const MAX_LENGTH = 300;
/** As much of a task as says what it is about. */
const MAX_TASK = 20_000;
/** Where words are written without spaces between them. */
const UNSPACED =
  /(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}])./gu;

/** Whether a rule applies, once read for many questions. */
export interface Matcher {
  /** @param task as {@link readTask} gives it */
  meetsTask(task: string): boolean;
  /** @param path relative to the project */
  meetsPath(path: string): boolean;
  /** Patterns that lead out of the project, and so match nothing. */
  readonly useless: readonly string[];
}

/** Pure. Each question takes time in proportion to the text and to what is looked for, whatever they are. */
export function createMatcher({ paths, words, always }: When): Matcher {
  const patterns = paths.slice(0, MAX_MARKS).map(readPattern);
  const useless = patterns.flatMap(({ written, test }) => (test === null ? [written] : []));
  const matches = (path: string, isLeftOut: boolean): boolean =>
    patterns.some(({ isNot, test }) => isNot === isLeftOut && test?.(path) === true);
  const meetsWords = words.slice(0, MAX_MARKS).flatMap(wordTest);
  return {
    useless,
    meetsTask(task) {
      return always || meetsWords.some((test) => test(task));
    },
    meetsPath(path) {
      if (always || (matches(path, false) && !matches(path, true))) return true;
      // The record is named after tasks, and is about none of the project's files.
      if (meetsWords.length === 0 || path.startsWith(".gaia/")) return false;
      const text = asWords(path);
      return meetsWords.some((test) => test(text));
    },
  };
}

interface Pattern {
  readonly written: string;
  readonly isNot: boolean;
  readonly test: ((path: string) => boolean) | null;
}

/** A name without wildcards is that of a file, or of a folder and all that is in it. */
function readPattern(written: string): Pattern {
  const isNot = written.startsWith("!");
  const pattern = written.replace(/^!?(?:\.?\/)?/, "").replace(/\/$/, "/**");
  const steps = written.length > MAX_LENGTH ? null : parsePattern(pattern, true);
  if (steps === null) return { written, isNot, test: null };
  const below = steps.filter((each) => each.every(({ kind }) => kind === "name")).map(allBelow);
  return { written, isNot, test: (path) => matchesParsed(path, [...steps, ...below]) };
}

function allBelow(steps: readonly PatternStep[]): PatternStep[] {
  return [...steps, { kind: "folders", dots: true }, { kind: "wild", test: () => true }];
}

/** Whether a word, or several in a row, stands in a text by itself: `auth` is not in `authorize`. */
function wordTest(word: string): ((text: string) => boolean)[] {
  const wanted = word.length > MAX_LENGTH ? "" : asWords(word).trim();
  if (wanted === "") return [];
  // What ends in no letter, `c++` for one, is bounded by itself.
  const isBounded = (text: string, at: number): boolean =>
    !(isLetter(wanted.at(0)) && isLetter(text[at - 1])) &&
    !(isLetter(wanted.at(-1)) && isLetter(text[at + wanted.length]));
  return [
    (text) => {
      for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1))
        if (isBounded(text, at)) return true;
      return false;
    },
  ];
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}\p{M}]/u.test(character);
}

/** In lower case, with one space for what separates words: white space, dashes, slashes, and the humps of a name in code. */
function asWords(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/\p{Ll}(?=\p{Lu})/gu, "$& ")
    .toLowerCase()
    .replaceAll(UNSPACED, " $& ")
    .replaceAll(/[\s_/\\-]+/g, " ");
}

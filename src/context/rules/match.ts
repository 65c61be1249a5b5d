import { matchesParsed, parsePattern } from "../../lib/path-pattern.ts";
import { wordsOf } from "../../record/memory.ts";
import type { Matcher, When } from "../catalogue.ts";

const MAX_MARKS = 100;
const MAX_LENGTH = 300;
/** As much of a task as says what it is about. */
const MAX_TEXT = 20_000;

/** Pure. Each question takes time in proportion to the text and to what is looked for, whatever they are. */
export function createMatcher({ paths, words, always }: When): Matcher {
  const patterns = paths.slice(0, MAX_MARKS).map((path) => ({ path, steps: readPattern(path) }));
  const matches = (path: string, isNot: boolean): boolean =>
    patterns.some(
      ({ path: { 0: mark }, steps }) => (mark === "!") === isNot && matchesParsed(path, steps ?? []),
    );
  const wanted = words
    .slice(0, MAX_MARKS)
    .flatMap(readings)
    .filter((word) => word.trim() !== "");
  const meetsTask = (text: string): boolean => {
    const [apart = "", whole = ""] = readings(text.slice(0, MAX_TEXT));
    return always || wanted.some((word) => apart.includes(word) || whole.includes(word));
  };
  return {
    useless: patterns.flatMap(({ path, steps }) => (steps === null ? path : [])),
    meetsTask,
    meetsPath: (path) =>
      always ||
      (matches(path, false) && !matches(path, true)) ||
      // The record is named after tasks, and is about none of the project's files.
      (!path.startsWith(".gaia/") && meetsTask(path)),
  };
}

/** A name without wildcards is that of a file, or of a folder and all that is in it. */
function readPattern(path: string): ReturnType<typeof parsePattern> {
  const pattern = path.replace(/^!?(?:\.?\/)?/, "").replace(/\/$/, "");
  if (pattern.length > MAX_LENGTH) return null;
  return parsePattern(/[*?]/.test(pattern) ? pattern : `{${pattern},${pattern}/**}`, true);
}

/** Words between single spaces. A name in code counts by its humps and as a whole: GraphQL or graphql. */
function readings(text: string): readonly string[] {
  return [text, text.toLowerCase()].map((each) => ` ${wordsOf(each).join(" ")} `);
}

/** One step of a pattern: a plain name, a name with wildcards, or `**` for any number of folders. */
export type PatternStep =
  | { kind: "name"; name: string }
  | { kind: "wild"; test(name: string): boolean }
  | { kind: "folders"; dots: boolean };

/** Alternatives of `{a,b}` groups that are followed; more is a mistake, not a pattern. */
const MAX_ALTERNATIVES = 64;

/**
 * Reads a glob below the project: `*`, `?`, `[a-z]`, `{a,b}` and `**`. Wildcards do not match a leading dot,
 * as in the shell, unless `dots` says so. A trailing `**` means anything below; a name that is written like its pattern fits.
 * @returns one list of steps per alternative; null when the pattern is absolute or climbs out with `..`
 */
export function parsePattern(pattern: string, dots = false): PatternStep[][] | null {
  const path = pattern.trim().replaceAll("\\", "/");
  if (path.startsWith("/") || /^[a-zA-Z]:/.test(path)) return null;
  const parsed = expandBraces(path).map((each) => parseSteps(each, dots));
  return parsed.every((steps) => steps !== null) ? parsed : null;
}

/** Whether a path relative to the project, with `/` between its parts, matches the pattern. */
export function matchesPattern(path: string, pattern: string): boolean {
  return matchesParsed(path, parsePattern(pattern) ?? []);
}

/** The same for a pattern that was read before; in time proportional to the product of both lengths. */
export function matchesParsed(path: string, alternatives: readonly (readonly PatternStep[])[]): boolean {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return alternatives.some((steps) =>
    matchesSequence(names, steps, matchesStep, ({ kind }) => kind === "folders"),
  );
}

/** Whether some path may match both patterns; a plain path is a pattern as well. In time proportional to the product of both lengths. */
export function patternsMeet(one: string, other: string): boolean {
  const namesOf = (pattern: string): readonly string[][] =>
    expandBraces(pattern).map((each) => each.split("/").filter((name) => name !== "" && name !== "."));
  const isFolders = (name: string): boolean => name === "**";
  return namesOf(one).some((a) => namesOf(other).some((b) => sequencesMeet(a, b, isFolders, namesMeet)));
}

function namesMeet(one: string, other: string): boolean {
  if (one === other) return true;
  const marks = (name: string): readonly string[] => name.match(/\*+|\[!?[^\]]+\]|[^]/gu) ?? [];
  const isAny = (token: string): boolean => token.startsWith("*");
  // A set may hold the character: which ones are in it does not matter much.
  const isOne = (token: string): boolean => token === "?" || token.length > 2;
  return sequencesMeet(marks(one), marks(other), isAny, (x, y) => x === y || isOne(x) || isOne(y));
}

/** Whether some sequence fits both, where some marks stand for any number of items. */
function sequencesMeet(
  a: readonly string[],
  b: readonly string[],
  isMany: (mark: string) => boolean,
  fit: (one: string, other: string) => boolean,
): boolean {
  const known = new Map<number, boolean>();
  const meet = (i: number, j: number): boolean => {
    const key = i * (b.length + 1) + j;
    const before = known.get(key);
    if (before !== undefined) return before;
    const [x, y] = [a[i], b[j]];
    const skips =
      (x !== undefined && isMany(x) && meet(i + 1, j)) || (y !== undefined && isMany(y) && meet(i, j + 1));
    const takes =
      x !== undefined &&
      y !== undefined &&
      ((isMany(x) && meet(i, j + 1)) || (isMany(y) && meet(i + 1, j)) || (fit(x, y) && meet(i + 1, j + 1)));
    const does = (x === undefined && y === undefined) || skips || takes;
    known.set(key, does);
    return does;
  };
  return meet(0, 0);
}

/** Whether one name of a path fits a step; of `**`, whether it may be one of its folders. */
export function matchesStep(name: string, step: PatternStep): boolean {
  if (step.kind === "folders") return step.dots || !name.startsWith(".");
  return step.kind === "name" ? step.name === name : step.test(name);
}

/**
 * Whether marks stand for a sequence, of which some stand for any number of items that fit. What the last of these leaves
 * open is tried anew, and never what an earlier one does: patterns come from anyone.
 */
function matchesSequence<Item, Mark>(
  items: readonly Item[],
  marks: readonly Mark[],
  fits: (item: Item, mark: Mark) => boolean,
  isMany: (mark: Mark) => boolean,
): boolean {
  let at = 0;
  let many: { readonly mark: Mark; readonly next: number; from: number } | null = null;
  for (let index = 0; index < items.length;) {
    const mark = marks[at];
    const item = items[index] as Item;
    if (mark !== undefined && isMany(mark)) {
      at += 1;
      many = { mark, next: at, from: index };
    } else if (mark !== undefined && fits(item, mark)) {
      at += 1;
      index += 1;
    } else {
      if (many === null || !fits(items[many.from] as Item, many.mark)) return false;
      many.from += 1;
      index = many.from;
      at = many.next;
    }
  }
  return marks.slice(at).every(isMany);
}

function parseSteps(path: string, dots: boolean): PatternStep[] | null {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.length === 0 || names.includes("..")) return null;
  const steps = names.map((name) => parseStep(name, dots));
  if (steps.at(-1)?.kind === "folders") steps.push(parseStep("*", dots));
  return steps;
}

function parseStep(name: string, dots: boolean): PatternStep {
  if (name === "**") return { kind: "folders", dots };
  const fits = /[*?[]/.test(name) ? compileName(name, dots) : null;
  if (fits === null) return { kind: "name", name };
  // Frameworks have folders of names such as `[id]`, which mean themselves.
  return { kind: "wild", test: (text) => text === name || fits(text) };
}

/** One character, or with `*` any number of them. */
type NameMark = "*" | { test(character: string): boolean };

function compileName(name: string, dots: boolean): ((name: string) => boolean) | null {
  try {
    const marks = [...name.matchAll(/\*+|\[(!?)([^\]]+)\]|[^]/gu)].map(readMark);
    const hides = !dots && /^[*?[]/.test(name);
    return (text) =>
      !(hides && text.startsWith(".")) &&
      matchesSequence(
        Array.from(text),
        marks,
        (character, mark) => mark === "*" || mark.test(character),
        (mark) => mark === "*",
      );
  } catch {
    // A set that makes no sense, such as [z-a]: then it is a name that happens to look like one.
    return null;
  }
}

function readMark([token = "", negated, set]: RegExpExecArray): NameMark {
  if (token.startsWith("*")) return "*";
  if (token === "?") return { test: () => true };
  if (set === undefined) return { test: (character) => character === token };
  return new RegExp(`^[${negated ? "^" : ""}${set.replace(/[\\\]^[|]/g, "\\$&")}]$`, "u");
}

function expandBraces(pattern: string): string[] {
  let open = [pattern];
  for (;;) {
    const next = open.flatMap(expandInnermost);
    if (next.length > MAX_ALTERNATIVES) return next.slice(0, MAX_ALTERNATIVES);
    if (next.every((path, index) => path === open[index])) return open;
    open = next;
  }
}

function expandInnermost(pattern: string): string[] {
  const found = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (!found?.[1]) return [pattern];
  const before = pattern.slice(0, found.index);
  const after = pattern.slice(found.index + found[0].length);
  return found[1].split(",").map((option) => before + option + after);
}

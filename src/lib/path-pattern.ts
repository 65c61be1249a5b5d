/** One step of a pattern: a plain name, a name with wildcards, or `**` for any number of folders. */
export type PatternStep =
  | { kind: "name"; name: string }
  | { kind: "wild"; test(name: string): boolean }
  | { kind: "folders"; dots: boolean };

/** Alternatives of `{a,b}` groups that are followed; more is a mistake, not a pattern. */
const MAX_ALTERNATIVES = 64;

/**
 * Reads a glob below the project: `*`, `?`, `{a,b}` and `**`. Brackets mean themselves, because frameworks have folders of names
 * such as `[id]`. Wildcards do not match a leading dot, as in the shell, unless `dots` says so. A trailing `**` means anything below.
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

/** The same for a pattern that was read before. */
export function matchesParsed(path: string, alternatives: readonly (readonly PatternStep[])[]): boolean {
  const names = namesOf(path);
  return alternatives.some((steps) =>
    sequencesMeet(names, steps, matchesStep, ({ kind }) => kind === "folders"),
  );
}

/** Whether a path, or its end behind any folder, matches the pattern; wildcards match a leading dot. */
export function matchesEnd(path: string, pattern: string): boolean {
  const anywhere = pattern.startsWith("/") ? pattern.slice(1) : `**/${pattern}`;
  return matchesParsed(path, parsePattern(anywhere, true) ?? []);
}

/**
 * Whether marks stand for a sequence, of which some stand for any number of items that fit. Follows all ways at once, in time
 * proportional to the product of both lengths: patterns come from anyone.
 */
export function sequencesMeet<Item, Mark>(
  items: readonly Item[],
  marks: readonly Mark[],
  fits: (item: Item, mark: Mark) => boolean,
  isMany: (mark: Mark) => boolean,
): boolean {
  const open = (places: Set<number>): Set<number> => {
    for (const at of places) {
      const mark = marks[at];
      if (mark !== undefined && isMany(mark)) places.add(at + 1);
    }
    return places;
  };
  let reached = open(new Set([0]));
  for (const item of items) {
    if (reached.size === 0) return false;
    const next = new Set<number>();
    for (const at of reached) {
      const mark = marks[at];
      if (mark === undefined || !fits(item, mark)) continue;
      next.add(at + 1);
      if (isMany(mark)) next.add(at);
    }
    reached = open(next);
  }
  return reached.has(marks.length);
}

/** Whether one name of a path fits a step; of `**`, whether it may be one of its folders. */
export function matchesStep(name: string, step: PatternStep): boolean {
  if (step.kind === "folders") return step.dots || !name.startsWith(".");
  return step.kind === "name" ? step.name === name : step.test(name);
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}

function parseSteps(path: string, dots: boolean): PatternStep[] | null {
  const names = namesOf(path);
  if (names.length === 0 || names.includes("..")) return null;
  const steps = names.map((name) => parseStep(name, dots));
  if (steps.at(-1)?.kind === "folders") steps.push(parseStep("*", dots));
  return steps;
}

function parseStep(name: string, dots: boolean): PatternStep {
  if (name === "**") return { kind: "folders", dots };
  if (!/[*?]/.test(name)) return { kind: "name", name };
  const hides = !dots && /^[*?]/.test(name);
  return {
    kind: "wild",
    test: (text) => !(hides && text.startsWith(".")) && matchesStars(text, name, "?"),
  };
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

/** OpenCode's own matching of permissions: `*` is any text, `?` any one character, and ` *` at the end may be missing. */
export function matchesWildcard(text: string, pattern: string): boolean {
  if (pattern.endsWith(" *") && matchesStars(text, pattern.slice(0, -2), "?")) return true;
  return matchesStars(text, pattern, "?");
}

/** Whether a whole text fits a pattern in which `*` is any text. @param one the sign for any one character */
export function matchesStars(text: string, pattern: string, one?: "?"): boolean {
  const fits = (character: string, mark: string): boolean =>
    mark === character || mark === "*" || mark === one;
  return sequencesMeet(Array.from(text), Array.from(pattern), fits, (mark) => mark === "*");
}

/** One step of a pattern: a plain name, a name with wildcards, or `**` for any number of folders. */
export type PatternStep =
  | { kind: "name"; name: string }
  | { kind: "wild"; test: RegExp }
  | { kind: "folders" };

/** Alternatives of `{a,b}` groups that are followed; more is a mistake, not a pattern. */
const MAX_ALTERNATIVES = 64;

/**
 * Reads a glob below the project: `*`, `?`, `[a-z]`, `{a,b}` and `**`. Wildcards do not match a leading dot,
 * as in the shell. A trailing `**` means anything below.
 * @returns one list of steps per alternative; null when the pattern is absolute or climbs out with `..`
 */
export function parsePattern(pattern: string): PatternStep[][] | null {
  const path = pattern.trim().replaceAll("\\", "/");
  if (path.startsWith("/") || /^[a-zA-Z]:/.test(path)) return null;
  const parsed = expandBraces(path).map(parseSteps);
  return parsed.every((steps) => steps !== null) ? parsed : null;
}

/** Whether a path relative to the project, with `/` between its parts, matches the pattern. */
export function matchesPattern(path: string, pattern: string): boolean {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return (parsePattern(pattern) ?? []).some((steps) => matchSteps(names, steps));
}

/** Whether one name of a path fits a step that is not `**`. */
export function matchesStep(name: string, step: PatternStep): boolean {
  if (step.kind === "folders") return !name.startsWith(".");
  return step.kind === "name" ? step.name === name : step.test.test(name);
}

function matchSteps(names: readonly string[], steps: readonly PatternStep[]): boolean {
  const [step, ...rest] = steps;
  if (!step) return names.length === 0;
  const [name, ...below] = names;
  if (step.kind !== "folders")
    return name !== undefined && matchesStep(name, step) && matchSteps(below, rest);
  if (matchSteps(names, rest)) return true;
  return name !== undefined && matchesStep(name, step) && matchSteps(below, steps);
}

function parseSteps(path: string): PatternStep[] | null {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (names.length === 0 || names.includes("..")) return null;
  const steps = names.map(parseStep).filter((step, index, all) => {
    // Two `**` in a row say nothing more than one and would multiply the work.
    return step.kind !== "folders" || all[index - 1]?.kind !== "folders";
  });
  if (steps.at(-1)?.kind === "folders") steps.push(parseStep("*"));
  return steps;
}

function parseStep(name: string): PatternStep {
  if (name === "**") return { kind: "folders" };
  const test = /[*?[]/.test(name) ? compileName(name) : null;
  return test ? { kind: "wild", test } : { kind: "name", name };
}

function compileName(name: string): RegExp | null {
  const source = name.replace(/\*+|\?|\[(!?)([^\]]+)\]|[\\^$.+()|{}[\]]/g, translate);
  try {
    return new RegExp(/^[*?[]/.test(name) ? `^(?!\\.)${source}$` : `^${source}$`, "u");
  } catch {
    // A set that makes no sense, such as [z-a]: then it is a name that happens to look like one.
    return null;
  }
}

function translate(token: string, negated: string | undefined, set: string | undefined): string {
  if (token.startsWith("*")) return "[^/]*";
  if (token === "?") return "[^/]";
  if (set !== undefined) return `[${negated ? "^" : ""}${set.replace(/[\\\]^[|]/g, "\\$&")}]`;
  return `\\${token}`;
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

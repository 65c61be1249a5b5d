/** True when this stretch of a pattern, `?` being any character, stands at this place of the text. */
function standsAt(stretch: string, text: string, at: number): boolean {
  for (let index = 0; index < stretch.length; index++) {
    if (stretch[index] !== "?" && stretch[index] !== text[at + index]) return false;
  }
  return at + stretch.length <= text.length;
}

function find(stretch: string, text: string, from: number, end: number): number {
  if (!stretch.includes("?")) {
    const at = text.indexOf(stretch, from);
    return at !== -1 && at + stretch.length <= end ? at : -1;
  }
  for (let at = from; at + stretch.length <= end; at++) if (standsAt(stretch, text, at)) return at;
  return -1;
}

/** Characters of a bracket expression; what is longer is text. */
const MAX_CLASS = 64;

/** The pattern with `mark` for each of its bracket expressions, such as `[a-z]`; takes time in proportion to its length. */
export function withoutClasses(pattern: string, mark: string): string {
  let text = "";
  let kept = 0;
  for (let open = pattern.indexOf("["), close = 0; open !== -1; open = pattern.indexOf("[", open + 1)) {
    if (close <= open) close = pattern.indexOf("]", open);
    if (close === -1) break;
    if (close - open - 1 > MAX_CLASS) continue;
    text += pattern.slice(kept, open) + mark;
    kept = close + 1;
    open = close;
  }
  return text + pattern.slice(kept);
}

/** A pattern taken apart at its stars. */
interface Glob {
  readonly first: string;
  readonly middle: readonly string[];
  /** Undefined where the pattern has no star. */
  readonly last: string | undefined;
}

/**
 * Makes a test of whole texts from a pattern in which `*` is any text and, where asked for, `?` any one character. Each
 * stretch between stars is taken at its first place, so that nothing is tried twice.
 */
export function globTest(pattern: string, marks: "*" | "*?" = "*"): (text: string) => boolean {
  const [first = "", ...middle] = pattern.split("*");
  const last = middle.pop();
  const at = marks === "*?" && pattern.includes("?") ? standsAt : startsAt;
  const glob: Glob = { first, middle, last };
  return (text) => at(first, text, 0) && matchesRest(glob, text, at === standsAt ? find : indexOf, at);
}

type At = (stretch: string, text: string, at: number) => boolean;
type Find = (stretch: string, text: string, from: number, end: number) => number;

const startsAt: At = (stretch, text, at) => text.startsWith(stretch, at);
const indexOf: Find = (stretch, text, from) => text.indexOf(stretch, from);

function matchesRest({ first, middle, last }: Glob, text: string, next: Find, at: At): boolean {
  if (last === undefined) return text.length === first.length;
  const end = text.length - last.length;
  if (end < first.length || !at(last, text, end)) return false;
  let from = first.length;
  for (const stretch of middle) {
    const place = next(stretch, text, from, end);
    if (place === -1 || place + stretch.length > end) return false;
    from = place + stretch.length;
  }
  return true;
}

/** Whether one character goes on with this mark of a path's pattern. */
function fits(mark: string, char: string): boolean {
  if (mark === "**") return true;
  return mark === "*" || mark === "?" ? char !== "/" : mark === char;
}

/**
 * Whether a path, or its end behind any `/`, matches a pattern: `*` and `?` stay within a segment, `**` does not. Follows
 * all ways at once, in time proportional to the product of both lengths.
 */
export function matchesEnd(glob: string, path: string): boolean {
  const marks = glob.match(/\*\*|[^]/gu) ?? [];
  let reached = new Set<number>();
  const reach = (places: Set<number>, place: number): void => {
    for (let at = place; ; at++) {
      places.add(at);
      if (marks[at]?.startsWith("*") !== true) return;
    }
  };
  let before = "/";
  for (const char of path) {
    if (before === "/") reach(reached, 0);
    const next = new Set<number>();
    for (const place of reached) {
      const mark = marks[place];
      if (mark !== undefined && fits(mark, char)) reach(next, mark.startsWith("*") ? place : place + 1);
    }
    reached = next;
    before = char;
  }
  return reached.has(marks.length);
}

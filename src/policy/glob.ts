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

/**
 * Whether a whole text matches a pattern in which `*` is any text and, where asked for, `?` any one character. Each
 * stretch between stars is taken at its first place, so that nothing is tried twice.
 */
export function matchesGlob(pattern: string, text: string, marks: "*" | "*?" = "*"): boolean {
  const stretches = pattern.split("*");
  const [first = "", ...rest] = stretches;
  const last = rest.pop();
  const at =
    marks === "*?"
      ? standsAt
      : (stretch: string, whole: string, place: number) => whole.startsWith(stretch, place);
  if (last === undefined) return text.length === first.length && at(first, text, 0);
  const end = text.length - last.length;
  if (end < first.length || !at(first, text, 0) || !at(last, text, end)) return false;
  let from = first.length;
  for (const stretch of rest) {
    const place = marks === "*?" ? find(stretch, text, from, end) : text.indexOf(stretch, from);
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

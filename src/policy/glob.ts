/**
 * Makes a test of whole texts from a pattern in which `*` is any text. Each stretch between stars is taken at its first
 * place, so that nothing is tried twice.
 */
export function globTest(pattern: string): (text: string) => boolean {
  const [first = "", ...middle] = pattern.split("*");
  const last = middle.pop();
  return (text) => {
    if (last === undefined) return text === first;
    const end = text.length - last.length;
    if (!text.startsWith(first) || end < first.length || !text.endsWith(last)) return false;
    let from = first.length;
    for (const stretch of middle) {
      const at = text.indexOf(stretch, from);
      if (at === -1 || at + stretch.length > end) return false;
      from = at + stretch.length;
    }
    return true;
  };
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

/**
 * Whether lines `[from, to]`, from one, are still the very lines that they were: the same text at the same number may be
 * another line by now, where many read alike. They are taken with their neighbours as far as these are as they were, and have
 * to stand there once like that, before and now. @returns the first line that is not as it was; null where all are the same
 */
export function firstStranger(
  from: number,
  to: number,
  before: readonly string[],
  now: readonly string[],
): number | null {
  for (let line = from; line <= to; line++) if (before[line - 1] !== now[line - 1]) return line;
  let [first, last] = [from, to];
  let stranger: number | null = null;
  while (stranger === null) {
    // At an edge of the text there is one place only.
    if (first < 1 || (last > before.length && last > now.length)) return null;
    if (at(before, first - 1) !== at(now, first - 1)) stranger = Math.max(first - 1, 1);
    else if (at(before, last + 1) !== at(now, last + 1)) stranger = Math.min(last + 1, now.length);
    else [first, last] = [first - 1, last + 1];
  }
  const isOnce = [before, now].every((lines) => standsOnce(lines, first, last));
  return isOnce ? null : stranger;
}

/** Whether lines stand in a text at this place alone, in a time that grows with the text and no more (Knuth, Morris, Pratt 1977). */
function standsOnce(lines: readonly string[], from: number, to: number): boolean {
  const wanted = lines.slice(from - 1, to);
  /** How many of the first lines the first so many end with as well. */
  const borders = [0];
  const further = (length: number, line: string): number => {
    let kept = length;
    while (kept > 0 && wanted[kept] !== line) kept = borders[kept - 1] ?? 0;
    return wanted[kept] === line ? kept + 1 : 0;
  };
  for (const line of wanted.slice(1)) borders.push(further(borders.at(-1) ?? 0, line));
  let places = 0;
  let length = 0;
  for (const line of lines) {
    length = further(length, line);
    if (length === wanted.length) places += 1;
  }
  return places === 1;
}

/** Beyond an edge each place is one of its own. */
function at(lines: readonly string[], line: number): string {
  const hash = lines[line - 1];
  if (hash !== undefined) return hash;
  return line < 1 ? `${line}` : `+${line - lines.length}`;
}

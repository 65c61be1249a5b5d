/**
 * Whether lines `[from, to]`, from one, are still the very lines that they were: the same text at the same number may be
 * another line by now, where many read alike. They are taken with as many of their neighbours as it takes for them to stand
 * there once, before and now, and these must be as they were as well. @returns the first line that is not; null for none
 */
export function firstStranger(
  from: number,
  to: number,
  before: readonly string[],
  now: readonly string[],
): number | null {
  for (let line = from; line <= to; line++) if (before[line - 1] !== now[line - 1]) return line;
  const length = to - from;
  let doubles = [before, now].map((all) => placesLike(all, from, to));
  for (let margin = 1; doubles.some((places) => places.length > 0); margin++) {
    const [above, below] = [from - margin, to + margin];
    if (at(before, above) !== at(now, above)) return Math.max(above, 1);
    if (at(before, below) !== at(now, below)) return Math.min(below, now.length);
    const all = [before, now];
    doubles = doubles.map((places, index) => {
      const lines = all[index] ?? [];
      return places.filter(
        (place) =>
          at(lines, place - margin) === at(lines, above) &&
          at(lines, place + length + margin) === at(lines, below),
      );
    });
  }
  return null;
}

/** Other places at which the same lines begin. */
function placesLike(lines: readonly string[], from: number, to: number): number[] {
  const places: number[] = [];
  for (let place = 1; place + to - from <= lines.length; place++) {
    let length = 0;
    while (from + length <= to && lines[place - 1 + length] === lines[from - 1 + length]) length += 1;
    if (place !== from && from + length > to) places.push(place);
  }
  return places;
}

/** Beyond an edge each place is one of its own, so that no other one is like it for ever. */
function at(lines: readonly string[], line: number): string {
  const hash = lines[line - 1];
  if (hash !== undefined) return hash;
  return line < 1 ? `${line}` : `+${line - lines.length}`;
}

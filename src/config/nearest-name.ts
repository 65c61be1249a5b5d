/**
 * The candidate that a misspelt name most likely meant, or undefined when none is near.
 * Case, `_`, `-` and spaces do not count, so `prompt-append` finds `prompt_append`; a beginning (`temp`) is near.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const wanted = plainName(name);
  if (wanted === "" || wanted.length > 60) return undefined;
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const plain = plainName(candidate);
    const isBeginning = wanted.length >= 3 && plain.startsWith(wanted);
    const distance = isBeginning ? Math.min(1, plain.length - wanted.length) : editDistance(wanted, plain);
    if (distance > slack(wanted, plain)) continue;
    if (!best || distance < best.distance) best = { candidate, distance };
  }
  return best?.candidate;
}

/** A name without case and separators, for comparison only. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, "");
}

/** One slip in a short word, a third of a longer one, three at most. */
function slack(a: string, b: string): number {
  return Math.min(3, Math.max(1, Math.floor(Math.min(a.length, b.length) / 3)));
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  const rows: number[][] = [Array.from({ length: width }, (_, column) => column)];
  const cell = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j < width; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i]?.push(
        Math.min(
          cell(i - 1, j) + 1,
          cell(i, j - 1) + 1,
          cell(i - 1, j - 1) + (same ? 0 : 1),
          swapped ? cell(i - 2, j - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return cell(a.length, b.length);
}

/**
 * The candidate that a misspelt name most likely meant, or undefined when none is near.
 * Case, `_`, `-` and spaces do not count, so `prompt-append` finds `prompt_append`; a beginning (`temp`) is near.
 */
export function nearestName(name: string, candidates: readonly string[]): string | undefined {
  const wanted = plainName(name);
  if (wanted === "" || wanted.length > 60) return undefined;
  const near = candidates
    .map((candidate) => ({ candidate, ...farness(wanted, plainName(candidate)) }))
    .filter(({ distance, slack }) => distance <= slack)
    .toSorted((a, b) => a.distance - b.distance || a.lengthGap - b.lengthGap);
  return near[0]?.candidate;
}

/** `slack` is what passes for a slip: one in a short word, a third of a longer one, three at most. */
function farness(wanted: string, known: string): { distance: number; lengthGap: number; slack: number } {
  const isBeginning = wanted.length >= 3 && known.startsWith(wanted) && known !== wanted;
  const distance = isBeginning ? 1 : editDistance(wanted, known);
  const shorter = Math.min(wanted.length, known.length);
  const slack = Math.min(3, Math.max(1, Math.floor(shorter / 3)));
  return { distance, lengthGap: Math.abs(wanted.length - known.length), slack };
}

/**
 * The candidate that a model certainly means: by its very name, else by the only one that is the same but for case, spaces,
 * `_`, `-` and a leading `@`.
 */
export function sameName(name: string, candidates: readonly string[]): string | undefined {
  if (candidates.includes(name)) return name;
  const wanted = plainName(name.trim().replace(/^@/, ""));
  const same = wanted === "" ? [] : candidates.filter((candidate) => plainName(candidate) === wanted);
  return same.length === 1 ? same[0] : undefined;
}

/** A name without case and separators, for comparison only. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, "");
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

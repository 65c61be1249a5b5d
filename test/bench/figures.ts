type Samples = readonly (number | null)[];

/** The sample below which a part of all that could be taken lies; null for none. */
export function quantile(samples: Samples, part: number): number | null {
  const taken = samples.filter((sample) => sample !== null).toSorted((a, b) => a - b);
  return taken[Math.floor(taken.length * part)] ?? null;
}

/** The upper median. */
export const median = (samples: Samples): number | null => quantile(samples, 0.5);

/** Milliseconds that a deed takes. */
export async function timed(deed: () => unknown): Promise<number> {
  const start = performance.now();
  await deed();
  return performance.now() - start;
}

/** As markdown. @param words how many columns, from the left, hold words and no figures */
export function renderTable(words: number, [head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = line(head.map((_cell, column) => (column < words ? "---" : "--:")));
  return [line(head), rule, ...rows.map(line)].join("\n");
}

export function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** What two sets share of all they hold, from 0 to 1 (Jaccard). */
export function overlap(one: Iterable<string>, other: Iterable<string>): number {
  const [left, right] = [new Set(one), new Set(other)];
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared / Math.max(1, left.size + right.size - shared);
}

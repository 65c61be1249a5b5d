export function withNext(reason: string, next: string): string {
  return `${reason.replace(/[\s.;:,]+$/u, "")}. Next: ${next}`;
}

/** The first sentence of a text, on one line and without its full stop. */
export function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return (/^.*?[.!?](?= |$)/.exec(line)?.[0] ?? line).replace(/\.$/, "");
}

export function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** What two sets share of all they hold, from 0 to 1 (Jaccard). */
export function overlap(one: Iterable<string>, other: Iterable<string>): number {
  const [left, right] = [new Set(one), new Set(other)];
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared / Math.max(1, left.size + right.size - shared);
}

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

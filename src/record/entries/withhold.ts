import type { UnreadText } from "./catalogue.ts";
import type { JudgedEntry } from "./judge.ts";

const LEAST = 16;
const FRONT = /^[-*+#>\s]+/;
const INSTEAD = "[not shown: proposed as known, and nobody has accepted it]";

export type Withhold = (text: string) => string;

const made = new WeakMap<
  readonly JudgedEntry[],
  { readonly unread: readonly UnreadText[]; readonly withhold: Withhold }
>();

/** Takes lines of entries that do not count out of an output. What stands in an accepted entry stays. */
export function withholdUndecided(entries: readonly JudgedEntry[], unread: readonly UnreadText[]): Withhold {
  const before = made.get(entries);
  if (before?.unread === unread) return before.withhold;
  const linesOf = (texts: readonly string[]): string[] =>
    texts.flatMap((text) => text.split("\n")).map((line) => line.replace(FRONT, "").trim());
  const textsOf = (isTold: boolean): string[] =>
    entries
      .filter(({ standing }) => (standing === "accepted") === isTold)
      .flatMap(({ body, reason }) => [body, reason]);
  const told = linesOf(textsOf(true));
  const hidden = linesOf([...textsOf(false), ...unread.map(({ text }) => text)]);
  const undecided = new Map<string, Set<string>>();
  for (const line of hidden) {
    if (line.length < LEAST) continue;
    const alike = undecided.get(line.slice(0, LEAST)) ?? new Set();
    undecided.set(line.slice(0, LEAST), alike.add(line));
  }
  const withhold: Withhold = (text) => {
    const met = new Set<string>();
    // By how they begin: a book may be among them, and looking for each of its lines would take a second.
    for (let at = 0; at + LEAST <= text.length; at += 1)
      for (const line of undecided.get(text.slice(at, at + LEAST)) ?? [])
        if (text.startsWith(line, at)) met.add(line);
    const printed = [...met].filter((line) => !told.some((each) => each.includes(line)));
    if (printed.length === 0) return text;
    return text
      .split("\n")
      .map((line) => (printed.some((each) => line.includes(each)) ? INSTEAD : line))
      .join("\n");
  };
  made.set(entries, { unread, withhold });
  return withhold;
}

/** A text as lines. Joined by "\n", the raw ones are the text again, byte for byte: the CR of a CRLF stays at their end. */
export interface Lines {
  readonly raw: readonly string[];
  /** Without CR and byte order mark; null in a fence, a comment or front matter. */
  readonly seen: readonly (string | null)[];
  readonly fences: readonly Span[];
  /** Where a fence or a comment begins that nothing closes; what follows is read as if it did not. */
  readonly unclosed: readonly number[];
}

/** Zero-based lines; `end` is the one behind the last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What stands under a heading: from `start` to `end`, its own line being `start - 1`. */
export interface Section extends Span {
  readonly level: number;
  readonly title: string;
}

export function readLines(text: string): Lines {
  const raw = text.split("\n");
  const plain = raw.map((line, at) => {
    const whole = at === 0 && line.startsWith("\uFEFF") ? line.slice(1) : line;
    return whole.endsWith("\r") ? whole.slice(0, -1) : whole;
  });
  const seen: (string | null)[] = [...plain];
  const fences: Span[] = [];
  const unclosed: number[] = [];
  for (let at = 0; at < plain.length; at += 1) {
    const line = (plain[at] ?? "").trimStart();
    const closes = closerOf(line, at);
    if (closes === null) continue;
    let last = closes(line, true) ? at : at + 1;
    while (last < plain.length && last !== at && !closes((plain[last] ?? "").trim(), false)) last += 1;
    if (last >= plain.length) {
      if (line !== "---") unclosed.push(at);
      continue;
    }
    seen.fill(null, at, last + 1);
    if (line.startsWith("`") || line.startsWith("~")) fences.push({ start: at, end: last + 1 });
    at = last;
  }
  return { raw, seen, fences, unclosed };
}

/** How the block that a line opens is closed; null where it opens none. */
function closerOf(line: string, at: number): ((line: string, isFirst: boolean) => boolean) | null {
  if (line.startsWith("<!--")) return (each, isFirst) => each.includes("-->", isFirst ? 4 : 0);
  if (at === 0 && line === "---") return (each, isFirst) => !isFirst && each === "---";
  const mark = line.charAt(0);
  if (mark !== "`" && mark !== "~") return null;
  let length = 0;
  while (line.charAt(length) === mark) length += 1;
  if (length < 3 || (mark === "`" && line.includes("`", length))) return null;
  return (each, isFirst) => !isFirst && each.length >= length && each === mark.repeat(each.length);
}

export function sectionsOf({ seen }: Pick<Lines, "seen">): Section[] {
  const heads = seen.flatMap((line, at) => {
    const level = levelOf(line ?? "");
    return level === 0 ? [] : [{ level, title: (line ?? "").slice(level).trim(), start: at + 1 }];
  });
  return heads.map((head, at) => {
    const next = heads.slice(at + 1).find(({ level }) => level <= head.level);
    return { ...head, end: next === undefined ? seen.length : next.start - 1 };
  });
}

/** Of a heading, from 1 to 6; 0 for any other line. */
function levelOf(line: string): number {
  let level = 0;
  while (line.charAt(level) === "#") level += 1;
  return level <= 6 && line.charAt(level) === " " ? level : 0;
}

/** What stands before the line breaks of a text: a CR where most of its lines have one. */
export function lineEndOf({ raw }: Pick<Lines, "raw">): "" | "\r" {
  return raw.filter((line) => line.endsWith("\r")).length * 2 > raw.length ? "\r" : "";
}

/** Puts lines in the place of others, with the line ending that the text has. */
export function splice({ raw }: Pick<Lines, "raw">, { start, end }: Span, lines: readonly string[]): string {
  const cr = lineEndOf({ raw });
  const added = lines.map((line) => line + cr);
  // A last line that had no line break keeps having none.
  if (end >= raw.length && added.length > 0)
    added.push((added.pop() ?? "").slice(0, cr === "" ? undefined : -1));
  return [...raw.slice(0, start), ...added, ...raw.slice(end)].join("\n");
}

import type { FileChange, Piece } from "./change.ts";
import type { Located } from "./locate.ts";

/** Bytes `[start, end)` of a file with what stands there instead. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Whole lines that differ. */
interface Hunk extends Piece {
  /** Of its first line, before and after; from one. */
  readonly oldLine: number;
  readonly newLine: number;
}

/** A file with parts of it replaced. @param splices in their order, none reaching into another */
export function spliced(located: Located, before: Buffer, splices: readonly Splice[]): FileChange {
  return { ...located, before, after: replace(before, splices), pieces: hunksOf(before, splices) };
}

/** Lines in the order of a diff, without those around them. */
export function renderDiff(name: string, before: Buffer, splices: readonly Splice[]): string[] {
  const sign = (mark: string, text: string): string[] =>
    text === ""
      ? []
      : text
          .replace(/\r?\n$/u, "")
          .split(/\r?\n/u)
          .map((line) => mark + line);
  return hunksOf(before, splices).flatMap((hunk) => [
    `${name}:${hunk.newLine}`,
    ...sign("-", hunk.before),
    ...sign("+", hunk.after),
  ]);
}

/** The ending of most of its lines. */
export function lineEndOf(bytes: Buffer): "\n" | "\r\n" {
  const text = bytes.toString("latin1");
  const all = text.split("\n").length - 1;
  return all > 0 && (text.split("\r\n").length - 1) * 2 > all ? "\r\n" : "\n";
}

/** The same text with one kind of line ends. */
export function withLineEnds(text: string, end: "\n" | "\r\n"): string {
  return text.replaceAll(/\r?\n/gu, end);
}

function replace(before: Buffer, splices: readonly Splice[]): Buffer {
  let at = 0;
  const parts = splices.flatMap(({ start, end, text }) => {
    const kept = before.subarray(at, start);
    at = end;
    return [kept, Buffer.from(text)];
  });
  return Buffer.concat([...parts, before.subarray(at)]);
}

function hunksOf(before: Buffer, splices: readonly Splice[]): Hunk[] {
  const groups: { from: number; to: number; of: Splice[] }[] = [];
  for (const splice of splices) {
    const from = splice.start === 0 ? 0 : before.lastIndexOf("\n", splice.start - 1) + 1;
    const to = endOfLine(before, splice, from);
    const last = groups.at(-1);
    if (last !== undefined && from < last.to) {
      last.of.push(splice);
      last.to = Math.max(last.to, to);
    } else groups.push({ from, to, of: [splice] });
  }
  let line = 1;
  let at = 0;
  let moved = 0;
  return groups.map(({ from, to, of }) => {
    line += countBreaks(before, at, from);
    at = from;
    const old = before.subarray(from, to);
    const inside = of.map(({ start, end, text }) => ({ start: start - from, end: end - from, text }));
    const after = replace(old, inside);
    const hunk = {
      before: old.toString("utf8"),
      after: after.toString("utf8"),
      oldLine: line,
      newLine: line + moved,
    };
    moved += countBreaks(after, 0, after.length) - countBreaks(old, 0, old.length);
    return hunk;
  });
}

/** Up to where whole lines are affected; an insertion between two lines affects neither. */
function endOfLine(before: Buffer, { start, end, text }: Splice, from: number): number {
  const isBetween = start === from && (start === end || before[end - 1] === 0x0a) && /(?:^|\n)$/u.test(text);
  if (isBetween) return end;
  const next = before.indexOf("\n", end > start && before[end - 1] === 0x0a ? end - 1 : end);
  return next === -1 ? before.length : next + 1;
}

function countBreaks(bytes: Buffer, from: number, to: number): number {
  let count = 0;
  for (let at = bytes.indexOf("\n", from); at !== -1 && at < to; at = bytes.indexOf("\n", at + 1)) count += 1;
  return count;
}

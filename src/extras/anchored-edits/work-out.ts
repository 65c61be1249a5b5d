import { lineEndOf } from "../../lib/line-diff.ts";
import { anchorOf, lineHashOf, type FileLine, parseAnchor, startOf } from "./lines.ts";

export interface AnchoredEdit {
  readonly op: "replace" | "insert_after" | "delete";
  readonly from: string;
  readonly to?: string | undefined;
  readonly lines?: string | readonly string[] | undefined;
}

/** Lines `[from, to]` that go, from one, and those that come in their place; `to` is before `from` for an insertion. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
  readonly edit: AnchoredEdit;
}

/** What edits come to, or why none of them is made. */
export type WorkedOut =
  | { readonly kind: "edited"; readonly after: Buffer }
  | { readonly kind: "wrong"; readonly why: string }
  /** Lines are not as they were shown, or never were. */
  | { readonly kind: "stale"; readonly why: string; readonly lines: readonly number[] };

/**
 * Works out edits of a file as it stands now: all of them hold, or none. Pure.
 * @param seen hashes and anchors of the lines that their author has seen of it; null where it is another one than they have seen
 */
export function workOutEdits(
  edits: readonly AnchoredEdit[],
  bytes: Buffer,
  lines: readonly FileLine[],
  seen: ReadonlySet<string> | null,
): WorkedOut {
  if (edits.length === 0) return { kind: "wrong", why: "There are no edits." };
  const stale = { lines: new Set<number>(), words: new Set<string>() };
  if (seen === null) stale.words.add("It has changed since it was read.");
  const ranges: Range[] = [];
  for (const edit of edits) {
    const range = readRange(edit);
    if (typeof range === "string") return { kind: "wrong", why: range };
    for (const anchor of [edit.from, edit.to]) checkAnchor(anchor, lines, seen !== null, stale);
    ranges.push(range);
  }
  if (seen !== null && stale.lines.size === 0) checkInside(ranges, lines, seen, stale);
  if (stale.words.size > 0)
    return { kind: "stale", why: [...stale.words].join(" "), lines: [...stale.lines] };
  const sorted = ranges.toSorted((one, other) => one.from - other.from || one.to - other.to);
  const clash = sorted.find((range, index) => overlaps(sorted[index - 1], range));
  if (clash !== undefined)
    return { kind: "wrong", why: `Edits overlap at ${clash.edit.from}: join them to one.` };
  return { kind: "edited", after: assemble(sorted, bytes, lines) };
}

/** Lines that are named in one refusal. */
const MAX_STALE = 20;

type Stale = { readonly lines: Set<number>; readonly words: Set<string> };

const ANCHORED = /^(\d+#[a-z0-9]{4}): ?(.*)$/u;

/** Whether a line is one of a reading, its anchor and all. */
function isCopied(line: string): boolean {
  const [, anchor = "", text = ""] = ANCHORED.exec(line) ?? [];
  return parseAnchor(anchor)?.hash === lineHashOf(text);
}

function readRange(edit: AnchoredEdit): Range | string {
  const from = parseAnchor(edit.from);
  const to = edit.to === undefined ? from : parseAnchor(edit.to);
  if (from === null || to === null)
    return `${JSON.stringify(from === null ? edit.from : edit.to)} is no anchor: name lines as read shows them, such as "12#k3f9".`;
  const fresh = textsOf(edit.lines);
  const copied = fresh.filter((line) => ANCHORED.test(line));
  if (copied.some(isCopied) || (copied.length > 0 && copied.length === fresh.length))
    return "Lines begin with anchors: give their text alone.";
  if (edit.op === "insert_after") {
    if (fresh.length === 0) return `There is nothing to insert after ${edit.from}.`;
    return { from: from.line + 1, to: from.line, lines: fresh, edit };
  }
  if (from.line === 0) return "Before the first line there is nothing: 0 is for insert_after.";
  if (to.line < from.line) return `${edit.to} stands before ${edit.from}.`;
  if (edit.op === "delete" && fresh.length > 0)
    return "delete takes no lines: replace puts others in their place.";
  if (edit.op === "replace" && edit.lines === undefined) return "replace needs lines.";
  return { from: from.line, to: to.line, lines: fresh, edit };
}

/** An anchor is good where the file has this very line at this very number. */
function checkAnchor(
  text: string | undefined,
  lines: readonly FileLine[],
  isSame: boolean,
  stale: Stale,
): void {
  const anchor = text === undefined ? null : parseAnchor(text);
  if (anchor === null || anchor.line === 0) return;
  const isThere = lines[anchor.line - 1]?.hash === anchor.hash;
  if (isThere && isSame) return;
  stale.lines.add(anchor.line);
  if (isThere) return;
  stale.words.add(`${anchorOf(anchor.line, anchor.hash)} is stale.`);
  const elsewhere = lines.flatMap(({ hash }, index) => (hash === anchor.hash ? [index + 1] : []));
  for (const line of elsewhere.slice(0, 2)) stale.lines.add(line);
}

/** A model that replaces lines, or puts some behind one, has seen each of them as it is now. */
function checkInside(
  ranges: readonly Range[],
  lines: readonly FileLine[],
  seen: ReadonlySet<string>,
  stale: Stale,
): void {
  const counts = new Map<string, number>();
  for (const { hash } of lines) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  for (const { from, to, edit } of ranges)
    for (let line = Math.max(edit.op === "insert_after" ? to : from, 1); line <= to; line++) {
      const { hash = "" } = lines[line - 1] ?? {};
      // Lines that say the same are told apart by their numbers.
      if (seen.has(anchorOf(line, hash)) || (counts.get(hash) === 1 && seen.has(hash))) continue;
      stale.lines.add(line);
      stale.words.add(`Line ${line} was not read, or not whole.`);
      if (stale.lines.size >= MAX_STALE) return;
    }
}

function overlaps(before: Range | undefined, after: Range): boolean {
  if (before === undefined) return false;
  const isInsertion = (range: Range): boolean => range.to < range.from;
  if (isInsertion(before) && isInsertion(after)) return before.from === after.from;
  return after.from <= before.to;
}

function textsOf(given: AnchoredEdit["lines"]): string[] {
  if (given === undefined) return [];
  const texts = typeof given === "string" ? (given === "" ? [] : [given]) : given;
  // A text is lines with their ends, be it one or all: the last end begins no further line.
  return texts.flatMap((text) => text.replace(/\r?\n$/u, "").split(/\r?\n/u));
}

/** Every line that stays keeps its own end; whether the file ends with one stays as it was. */
function assemble(ranges: readonly Range[], bytes: Buffer, lines: readonly FileLine[]): Buffer {
  const usual = lineEndOf(bytes);
  const out: { text: string; lineEnd: string }[] = [];
  let next = 1;
  for (const { from, to, lines: fresh } of ranges) {
    out.push(...lines.slice(next - 1, from - 1));
    const lineEnd = lines[Math.max(to, 1) - 1]?.lineEnd || usual;
    out.push(...fresh.map((text) => ({ text, lineEnd })));
    next = to + 1;
  }
  out.push(...lines.slice(next - 1));
  const isOpen = lines.at(-1)?.lineEnd === "";
  const last = out.length - 1;
  const text = out.map((line, index) =>
    index === last && isOpen ? line.text : line.text + (line.lineEnd || usual),
  );
  return Buffer.concat([bytes.subarray(0, startOf(bytes)), Buffer.from(text.join(""))]);
}

import { lineEndOf } from "../../lib/line-diff.ts";
import type { ANCHORED_EDITS, CallOf } from "../announced.ts";
import { type FileLine, parseAnchor, startOf } from "./lines.ts";

export type AnchoredEdit = CallOf<typeof ANCHORED_EDITS>["edits"][number];

/** Lines `[from, to]` that go, from one, and those that come in their place; `to` is before `from` for an insertion. */
interface Range {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
  readonly edit: AnchoredEdit;
}

/**
 * Works out edits whose anchors are right in a file as it stands: all of them hold, or none. Pure.
 * @param isSeen whether their author was shown a line as it is
 * @returns the file afterwards, or why no edit is made
 */
export function workOutEdits(
  edits: readonly AnchoredEdit[],
  bytes: Buffer,
  lines: readonly FileLine[],
  isSeen: (line: FileLine) => boolean,
): Buffer | string {
  if (edits.length === 0) return "There are no edits.";
  const ranges: Range[] = [];
  for (const edit of edits) {
    const range = readRange(edit, lines);
    if (typeof range === "string") return range;
    const unseen = lines.slice(range.from - 1, Math.max(range.to, 0)).find((line) => !isSeen(line));
    if (unseen !== undefined) return `Line ${lines.indexOf(unseen) + 1} was not read, or not whole.`;
    ranges.push(range);
  }
  const sorted = ranges.toSorted((one, other) => one.from - other.from || one.to - other.to);
  const clash = sorted.find((range, index) => overlaps(sorted[index - 1], range));
  return clash === undefined
    ? assemble(sorted, bytes, lines)
    : `Edits overlap at ${clash.edit.from}: join them to one.`;
}

/** Anchors that the file does not have, and the lines to show instead: those of their numbers, and those that read alike. Pure. */
export function findStale(edits: readonly AnchoredEdit[], lines: readonly FileLine[]) {
  const anchors = [...new Set(edits.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])))];
  const named = anchors.flatMap((text) => {
    const anchor = parseAnchor(text);
    return anchor === null || anchor.line === 0 ? [] : [{ ...anchor, text: text.trim() }];
  });
  const stale = named.filter(({ line, hash }) => lines[line - 1]?.hash !== hash);
  const moved = stale.flatMap(({ hash }) =>
    lines.flatMap((each, index) => (each.hash === hash ? [index + 1] : [])).slice(0, 2),
  );
  return { stale: stale.map(({ text }) => text), lines: [...named.map(({ line }) => line), ...moved] };
}

function readRange(edit: AnchoredEdit, lines: readonly FileLine[]): Range | string {
  const from = parseAnchor(edit.from);
  const to = edit.to === undefined ? from : parseAnchor(edit.to);
  if (from === null || to === null)
    return `${JSON.stringify(from === null ? edit.from : edit.to)} is no anchor: name lines as read shows them, such as "12#k3f9".`;
  const fresh = textsOf(edit.lines);
  const isCopied = fresh.some((line) => {
    const anchor = parseAnchor(line);
    return anchor !== null && lines[anchor.line - 1]?.hash === anchor.hash;
  });
  if (isCopied) return "Lines begin with anchors: give their text alone.";
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

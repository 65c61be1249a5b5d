import type { Position } from "./protocol.ts";

/** A text with its lines as the protocol counts them, and the index at which each begins. */
interface Split {
  readonly text: string;
  readonly lines: readonly string[];
  readonly starts: readonly number[];
}

/** Of the text that was asked for last: places are looked up one behind the other, many in one file. */
let last: Split = { text: "", lines: [""], starts: [0] };

function split(text: string): Split {
  if (last.text === text) return last;
  const lines: string[] = [];
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) {
    lines.push(text.slice(starts.at(-1), index));
    starts.push(index + end.length);
  }
  lines.push(text.slice(starts.at(-1)));
  return (last = { text, lines, starts });
}

/** The lines of a text as the protocol counts them. */
export function linesOf(text: string): readonly string[] {
  return split(text).lines;
}

/**
 * The protocol's position of what a model names: a line and a character, both from 1 and characters whole ones, or a name in
 * that line. null where the text has no such place.
 */
export function findPosition(
  text: string,
  { line, character, name }: { line: number; character?: number | undefined; name?: string | undefined },
): Position | null {
  const content = linesOf(text)[line - 1];
  if (content === undefined) return null;
  if (character === undefined) {
    const at = name === undefined ? content.search(/\S/) : indexOfName(content, name);
    return at === -1 ? null : { line: line - 1, character: at };
  }
  const before = Array.from(content)
    .slice(0, character - 1)
    .join("");
  if (Array.from(content).length < character - 1) return null;
  // A model that counts from 0, or a little off, means the name that it gives with it.
  const near = name === undefined ? -1 : indexOfName(content, name, before.length);
  return { line: line - 1, character: near === -1 ? before.length : near };
}

/** Where a name stands by itself in a text, the nearest to a place in it; -1 for nowhere. */
export function indexOfName(text: string, name: string, near = 0): number {
  const places = [...text.matchAll(nameIn(name))].map(({ index }) => index);
  return places.toSorted((a, b) => Math.abs(a - near) - Math.abs(b - near))[0] ?? -1;
}

/** What names consist of, marks that are written above or below letters among it. */
const IN_NAME = String.raw`[\p{ID_Continue}$\u200C\u200D]`;
const NAME_END = new RegExp(`${IN_NAME}*$`, "u");
const NAME_START = new RegExp(`^${IN_NAME}*`, "u");

/** Matches a name where it stands by itself. */
export function nameIn(name: string): RegExp {
  return new RegExp(`(?<!${IN_NAME})${escaped(name)}(?!${IN_NAME})`, "gu");
}

/** The name that stands at a place of a line; "" for none. */
export function nameAt(line: string, character: number): string {
  const before = NAME_END.exec(line.slice(0, character))?.[0] ?? "";
  return before + (NAME_START.exec(line.slice(character))?.[0] ?? "");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}

/** `line:character` as a model reads it. @param text of the file; without it, characters are counted in units of UTF-16 */
export function showPosition({ line, character }: Position, text?: string): string {
  const content = text === undefined ? undefined : linesOf(text)[line];
  const whole = content === undefined ? character : Array.from(content.slice(0, character)).length;
  return `${line + 1}:${whole + 1}`;
}

/** The index in a text of a position; past its end, the end. */
export function offsetOf(text: string, { line, character }: Position): number {
  const { lines, starts } = split(text);
  const start = starts[line];
  return start === undefined ? text.length : start + Math.min(character, lines[line]?.length ?? 0);
}

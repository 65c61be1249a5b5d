import type { Position } from "./protocol.ts";

/** The lines of a text as the protocol counts them. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
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

/** Matches a name where it stands by itself. */
export function nameIn(name: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped(name)}(?![\\p{L}\\p{N}_$])`, "gu");
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
  const breaks = /\r\n|\r|\n/g;
  let start = 0;
  for (let at = 0; at < line; at += 1) {
    const next = breaks.exec(text);
    if (next === null) return text.length;
    start = breaks.lastIndex;
  }
  const end = breaks.exec(text)?.index ?? text.length;
  return Math.min(start + character, end);
}

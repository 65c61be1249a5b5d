import { createScanner, type Edit, type Node } from "jsonc-parser";

/**
 * Adds an entry behind the last one of a list or an object. Only what is new is written, in the manner of its
 * neighbours: on the same line, or on one of its own with their indentation; a trailing comma stays one.
 * `modify` of jsonc-parser would format the whole list again, and put the entry before the comment of its neighbour.
 * @param container a list or an object of the tree of `text`
 * @param entry the new element, or property with its key, on one line
 * @param unit one step of indentation, for a container that has no entries yet
 */
export function appendEntry(text: string, container: Node, entry: string, unit: string): Edit[] {
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const end = last === undefined ? container.offset + 1 : last.offset + last.length;
  const gap = text.slice(end, close);
  const place = close - (gap.length - gap.trimEnd().length);
  const trailingComma = last !== undefined && hasComma(gap);
  const comma: Edit[] = last === undefined || trailingComma ? [] : [{ offset: end, length: 0, content: "," }];
  const newline = /\r?\n/.exec(text.slice(container.offset, close))?.[0];
  if (newline === undefined) {
    const space = last === undefined && gap.trim() === "" ? "" : " ";
    const content = `${space}${entry}${trailingComma ? "," : ""}`;
    return [...comma, { offset: place, length: 0, content }];
  }
  const indent = last === undefined ? indentAt(text, container.offset) + unit : indentAt(text, last.offset);
  const content = `${newline}${indent}${entry}${trailingComma ? "," : ""}`;
  return [...comma, { offset: place, length: 0, content }];
}

/** Whether the first thing that is no comment is a comma. */
function hasComma(gap: string): boolean {
  const scanner = createScanner(gap, true);
  scanner.scan();
  return gap[scanner.getTokenOffset()] === ",";
}

/** The white space at the start of the line of `offset`. */
function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

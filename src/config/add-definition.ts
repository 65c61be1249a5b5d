import { parseTree, type ParseError } from "jsonc-parser";
import type { WrittenDefinition } from "./definition-of-done.ts";

const KEY = "definitionOfDone";
const COMMENT = /\/\/.*|\/\*[^]*?\*\//g;

/**
 * A configuration's text with a Definition of Done at its end; comments and everything else stay where they are, which
 * `modify` of jsonc-parser does not promise.
 * @returns null when the text cannot be read, or says something about it already
 */
export function addDefinitionOfDone(text: string, definition: WrittenDefinition): string | null {
  const start = text.trim() === "" ? "{}\n" : text;
  const errors: ParseError[] = [];
  const root = parseTree(start, errors, { allowTrailingComma: true });
  if (errors.length > 0 || root?.type !== "object") return null;
  const properties = root.children ?? [];
  if (properties.some((property) => property.children?.[0]?.value === KEY)) return null;
  const last = properties.at(-1);
  const end = last === undefined ? root.offset + 1 : last.offset + last.length;
  const closing = root.offset + root.length - 1;
  const gap = start.slice(end, closing);
  const comma = last === undefined || gap.replaceAll(COMMENT, "").includes(",") ? "" : ",";
  const entry = JSON.stringify({ [KEY]: definition }, null, 2).slice(2, -2);
  const eol = start.includes("\r\n") ? "\r\n" : "\n";
  const added = `${eol}${entry.replaceAll("\n", eol)}${eol}`;
  return start.slice(0, end) + comma + gap.trimEnd() + added + start.slice(closing);
}

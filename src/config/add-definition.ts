import { applyEdits, modify, parseTree, type ParseError } from "jsonc-parser";
import type { WrittenDefinition } from "./definition-of-done.ts";

const KEY = "definitionOfDone";

/**
 * A configuration's text with a Definition of Done at its end; comments and everything else stay where they are.
 * @returns null when the text cannot be read, or says something about it already
 */
export function addDefinitionOfDone(text: string, definition: WrittenDefinition): string | null {
  const start = text.trim() === "" ? "{}\n" : text;
  const errors: ParseError[] = [];
  const root = parseTree(start, errors, { allowTrailingComma: true });
  if (errors.length > 0 || root?.type !== "object") return null;
  if (root.children?.some((property) => property.children?.[0]?.value === KEY) === true) return null;
  const eol = start.includes("\r\n") ? "\r\n" : "\n";
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol };
  return applyEdits(start, modify(start, [KEY], definition, { formattingOptions }));
}

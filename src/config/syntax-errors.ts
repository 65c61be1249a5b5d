import { findNodeAtOffset, getNodePath, type Node } from "jsonc-parser";
import type { KeyPath } from "./json-value.ts";

export interface SyntaxError {
  readonly code: string;
  readonly offset: number;
}

/**
 * The part of the tree that a syntax error makes doubtful, to be left out: a property, or the root itself.
 * The parser goes on behind an error with whatever token comes next, so `"a": tru "b": 1` reads as `a = "b"`;
 * and what ends right before the error may be a stump, as in `12` for a cut-off `120`.
 */
export function doubtfulNodes(root: Node, text: string, error: SyntaxError): Node[] {
  const around = findNodeAtOffset(root, error.offset);
  if (isPlainMissingComma(text, error, around)) return [];
  return [around && brokenBy(around), literalBefore(root, text, error)].filter((node) => node !== undefined);
}

/** `{"a": 1 "b": 2}` loses nothing: the next key is plain to see, and has a value. */
function isPlainMissingComma(text: string, error: SyntaxError, around: Node | undefined): boolean {
  const isNextEntry = around?.parent?.type === "property" && around.parent.children?.length === 2;
  return (
    error.code === "CommaExpected" && text[error.offset] === '"' && isNextEntry && !outermostList(around)
  );
}

/** An error between the entries of an object breaks none of them; one inside a list breaks the whole list. */
function brokenBy(node: Node): Node | undefined {
  const list = outermostList(node);
  if (list) return list.parent ?? list;
  return node.type === "object" ? undefined : propertyOf(node);
}

function literalBefore(root: Node, text: string, { code, offset }: SyntaxError): Node | undefined {
  let end = offset;
  while (text[end - 1] === " " || text[end - 1] === "\t") end--;
  const node = findNodeAtOffset(root, end - 1);
  if (!node || node.children || node.offset + node.length !== end) return undefined;
  const isCutOff = node.type === "number" && end === offset;
  return code.startsWith("Close") && !isCutOff ? undefined : brokenBy(node);
}

function outermostList(node: Node): Node | undefined {
  const above = node.parent && outermostList(node.parent);
  return above ?? (node.type === "array" ? node : undefined);
}

function propertyOf(node: Node): Node | undefined {
  return node.type === "property" || !node.parent ? node : propertyOf(node.parent);
}

export function propertyPath(property: Node): KeyPath {
  const key: unknown = property.children?.[0]?.value;
  const parent = getNodePath(property);
  return property.type === "property" && typeof key === "string" ? [...parent, key] : parent;
}

/** Says what is wrong in the words of someone who edits the file. */
export function describeSyntaxError(code: string): string {
  return DESCRIPTIONS[code] ?? "not valid JSON";
}

const DESCRIPTIONS: Record<string, string> = {
  InvalidSymbol: "not JSON, where keys and text stand in double quotes",
  InvalidNumberFormat: "the number is not complete",
  UnexpectedEndOfNumber: "the number is not complete",
  PropertyNameExpected: "a key in double quotes is expected here",
  ValueExpected: "a value is missing here",
  ColonExpected: "a colon is missing after the key",
  CommaExpected: "a comma is missing before this",
  CloseBraceExpected: "a closing } is missing",
  CloseBracketExpected: "a closing ] is missing",
  EndOfFileExpected: "the configuration has ended before this: look for a } too many above",
  UnexpectedEndOfComment: "the comment is not closed",
  UnexpectedEndOfString: "the closing quote is missing",
  InvalidUnicode: "the \\u escape needs four hexadecimal digits",
  InvalidEscapeCharacter: "unknown escape: write \\\\ for a backslash",
  InvalidCharacter: "a control character in the text: write \\n or \\t instead",
};

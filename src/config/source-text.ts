import { isUtf8 } from "node:buffer";
import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import { type JsonObject, type JsonValue, type KeyPath, renderKeyPath } from "./json-value.ts";
import type { Locate, LocatedProblem, Position } from "./problem.ts";

export interface SourceText {
  readonly value: JsonValue;
  readonly problems: readonly LocatedProblem[];
  /** Gives the start of the text for what is not there. */
  readonly locate: Locate;
}

/** Nothing valid is nested deeper; the bound keeps recursion over the tree away from the end of the stack. */
const DEEPEST = 40;
/** Names that mean something to JavaScript itself, so that an object cannot simply hold them. */
const IMPOSSIBLE_KEYS = new Set(["__proto__", "constructor"]);

/** As {@link parseSourceText}, for the bytes of a file; a byte order mark is passed over. */
export function parseSourceBytes(bytes: Uint8Array): SourceText {
  return isUtf8(bytes)
    ? parseSourceText(new TextDecoder().decode(bytes))
    : unusable("not UTF-8", { line: 1, column: 1 }, "Save it as UTF-8: until then sessions begin locked.");
}

/** Reads JSON with comments and trailing commas; of a text with a slip nothing is used, for what it means is a guess. Never throws. */
export function parseSourceText(text: string): SourceText {
  const errors: ParseError[] = [];
  const root = parseBounded(text, errors);
  const [slip] = errors;
  if (root === "too deep" || slip !== undefined) {
    const what = slip === undefined ? "nested too deeply" : spacedWords(printParseErrorCode(slip.error));
    return unusable(
      `not JSON (${what})`,
      positionAt(text, slip?.offset ?? 0),
      "Correct it: until then nothing of the file is used, and sessions begin locked.",
    );
  }
  const problems: LocatedProblem[] = [];
  const noteKey = ({ offset }: Node, path: KeyPath): void => {
    const unknown = { kind: "unknown-key", message: "unknown key", suggestion: "Remove it." } as const;
    problems.push({ ...unknown, path: renderKeyPath(path), ...positionAt(text, offset) });
  };
  return {
    value: root === undefined ? {} : toValue(root, [], noteKey),
    problems,
    locate(path, side) {
      const node = root && findNodeAtLocation(root, [...path]);
      const key = side === "key" ? node?.parent?.children?.[0] : undefined;
      return positionAt(text, (key ?? node ?? root)?.offset ?? 0);
    },
  };
}

function toValue(node: Node, path: KeyPath, noteKey: (keyNode: Node, path: KeyPath) => void): JsonValue {
  if (path.length > DEEPEST) return null;
  const children = node.children ?? [];
  if (node.type === "array") return children.map((child, at) => toValue(child, [...path, at], noteKey));
  if (node.type !== "object") return node.value as JsonValue;
  const object: JsonObject = {};
  for (const { children: [keyNode, valueNode] = [] } of children) {
    if (keyNode === undefined || valueNode === undefined) continue;
    const key = String(keyNode.value);
    const below = [...path, key];
    if (IMPOSSIBLE_KEYS.has(key)) noteKey(keyNode, below);
    else object[key] = toValue(valueNode, below, noteKey);
  }
  return object;
}

/** `CommaExpected` as words. */
function spacedWords(code: string): string {
  return code.replaceAll(/\B[A-Z]/gu, (letter) => ` ${letter}`).toLowerCase();
}

function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function unusable(message: string, position: Position, suggestion: string): SourceText {
  const problem = { kind: "syntax", message, suggestion, path: "", ...position } as const;
  return { value: {}, problems: [problem], locate: () => position };
}

function parseBounded(text: string, errors: ParseError[]): Node | undefined | "too deep" {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch {
    // The parser recurses and has no bound of its own: brackets by the thousand exhaust the stack.
    return "too deep";
  }
}

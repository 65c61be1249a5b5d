import { isUtf8 } from "node:buffer";
import { parseTree, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import type { JsonObject, JsonValue, KeyPath } from "./json-value.ts";
import { MAX_PROBLEMS, type ConfigProblem } from "./problem.ts";
import { describeSyntaxError, doubtfulNodes, propertyPath } from "./syntax-errors.ts";

/** A place in a text, both 1-based; columns count UTF-16 units. */
interface Position {
  readonly line: number;
  readonly column: number;
}

interface TextFinding extends Pick<ConfigProblem, "kind" | "message" | "suggestion"> {
  readonly path: KeyPath;
  readonly position: Position;
}

export interface SourceText {
  readonly value: JsonValue;
  readonly findings: readonly TextFinding[];
  /** The place of a key, or of the value at a path; the start of the text where there is none. */
  locate(path: KeyPath, side: "key" | "value"): Position;
}

/** A text with more errors than this is not JSON with slips but something else: nothing of it is used. */
const MAX_SYNTAX_ERRORS = 100;

/** Of such a file no side is chosen: which one is meant only its author can say. */
const CONFLICT_MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?:\s|$)/;

/** Nothing valid is nested deeper; the bound keeps recursion over the tree away from the end of the stack. */
const DEEPEST = 40;

/** As {@link parseSourceText}, for the bytes of a file; a byte order mark is passed over. */
export function parseSourceBytes(bytes: Uint8Array): SourceText {
  const text = new TextDecoder().decode(bytes);
  const source = parseSourceText(text);
  const replaced = text.indexOf("\uFFFD");
  if (replaced === -1 || isUtf8(bytes)) return source;
  const position = positionAt(text, replaced);
  const finding = { kind: "syntax", message: "not UTF-8", suggestion: "Save the file as UTF-8." } as const;
  return { ...source, findings: [{ ...finding, path: [], position }, ...source.findings] };
}

/** Reads JSON with comments and trailing commas, and keeps what stands clear of syntax errors. Never throws. */
export function parseSourceText(text: string): SourceText {
  const errors: ParseError[] = [];
  const root = parseBounded(text, errors);
  if (root === "too deep") return unusable("nested too deeply to be a configuration");
  if (errors.length > MAX_SYNTAX_ERRORS) return unusable("not JSON");
  const conflict = errors.find(({ offset }) => CONFLICT_MARKER.test(lineAt(text, offset)));
  if (conflict !== undefined) {
    return unusable("the file holds the marks of a merge conflict", positionAt(text, conflict.offset));
  }
  const doubtful = new Set<Node>();
  const findings = errors.flatMap(syntaxFinding(text, root, doubtful));
  const tree: Tree = { text, doubtful, findings };
  const value = root && !doubtful.has(root) ? toValue(tree, root, []) : {};
  return { value, findings, locate: (path, side) => positionAt(text, offsetOf(tree, root, path, side)) };
}

interface Tree {
  readonly text: string;
  readonly doubtful: ReadonlySet<Node>;
  readonly findings: TextFinding[];
}

/** One slip makes the parser stumble several times: of one line, only what costs something new is told. */
function syntaxFinding(text: string, root: Node | undefined, doubtful: Set<Node>) {
  const lines = new Set<number>();
  return ({ error, offset }: ParseError): TextFinding[] => {
    const code = printParseErrorCode(error);
    const broken = root ? doubtfulNodes(root, text, { code, offset }) : [];
    const fresh = broken.filter((node) => !doubtful.has(node));
    for (const node of fresh) doubtful.add(node);
    const position = positionAt(text, offset);
    if (lines.has(position.line) && fresh.length === 0) return [];
    lines.add(position.line);
    const path = broken[0] ? propertyPath(broken[0]) : [];
    return [{ kind: "syntax", message: describeSyntaxError(code), path, position }];
  };
}

function toValue(tree: Tree, node: Node, path: KeyPath): JsonValue {
  if (path.length > DEEPEST) return null;
  const children = node.children ?? [];
  if (node.type === "array") return children.map((child, index) => toValue(tree, child, [...path, index]));
  if (node.type !== "object") return node.value as JsonValue;
  const object: JsonObject = {};
  for (const { key, keyNode, valueNode } of entriesOf(tree, node)) {
    const finding = tree.findings.length > MAX_PROBLEMS ? undefined : keyFinding(key, object);
    const position = finding && positionAt(tree.text, keyNode.offset);
    if (position) tree.findings.push({ ...finding, path: [...path, key], position });
    if (!IMPOSSIBLE_KEYS.has(key)) object[key] = toValue(tree, valueNode, [...path, key]);
  }
  return object;
}

/** Names that mean something to JavaScript itself, so that an object cannot simply hold them. */
const IMPOSSIBLE_KEYS = new Set(["__proto__", "constructor"]);

function keyFinding(
  key: string,
  seen: JsonObject,
): Pick<TextFinding, "kind" | "message" | "suggestion"> | undefined {
  if (IMPOSSIBLE_KEYS.has(key))
    return { kind: "unknown-key", message: "unknown key", suggestion: "Remove it." };
  if (!Object.hasOwn(seen, key)) return undefined;
  return {
    kind: "duplicate-key",
    message: "written twice, and this one counts",
    suggestion: "Remove the other.",
  };
}

interface Entry {
  readonly key: string;
  readonly keyNode: Node;
  readonly valueNode: Node;
}

function entriesOf(tree: Tree, object: Node): Entry[] {
  return (object.children ?? []).flatMap((property) => {
    const [keyNode, valueNode] = property.children ?? [];
    if (!keyNode || !valueNode || tree.doubtful.has(property)) return [];
    return [{ key: String(keyNode.value), keyNode, valueNode }];
  });
}

function offsetOf(tree: Tree, root: Node | undefined, path: KeyPath, side: "key" | "value"): number {
  let offset = root?.offset ?? 0;
  let node = root;
  for (const segment of path) {
    const entry: Entry | undefined =
      node?.type === "object" ? entriesOf(tree, node).findLast(({ key }) => key === segment) : undefined;
    node = entry?.valueNode ?? (typeof segment === "number" ? node?.children?.[segment] : undefined);
    offset = (side === "key" ? entry?.keyNode.offset : undefined) ?? node?.offset ?? offset;
  }
  return offset;
}

function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}

function unusable(message: string, position: Position = { line: 1, column: 1 }): SourceText {
  return { value: {}, findings: [{ kind: "syntax", message, path: [], position }], locate: () => position };
}

function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return text.slice(start).split("\n", 1)[0] ?? "";
}

function parseBounded(text: string, errors: ParseError[]): Node | undefined | "too deep" {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  } catch {
    // The parser recurses and has no bound of its own: brackets by the thousand exhaust the stack.
    return "too deep";
  }
}

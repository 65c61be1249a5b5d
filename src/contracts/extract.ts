import { getNodeValue, parse as parseTolerant, parseTree, type Node } from "jsonc-parser";
import { isRecord, parseJson, type JsonRecord } from "../lib/json.ts";

/** Longer answers are read from their end: a contract is the last thing that a specialist says. */
const MAX_CHARACTERS = 400_000;
/** How many opening braces are tried, so that a text full of them still costs linear time. */
const MAX_STARTS = 48;
/** Deeper nesting than this is no contract, and could exhaust a parser's stack. */
const MAX_DEPTH = 200;

/**
 * Finds the JSON objects in a model's answer, best guess first: fenced blocks from the last to the first, then
 * the outermost balanced objects, then whatever a fault-tolerant parser makes of the text after the first brace.
 * Never throws; time is linear in the length of the text.
 */
export function extractObjects(text: string): JsonRecord[] {
  const source = text.length > MAX_CHARACTERS ? text.slice(-MAX_CHARACTERS) : text;
  const found: JsonRecord[] = [];
  const add = (value: unknown): void => {
    if (isRecord(value)) found.push(value);
  };
  for (const block of fencedBlocks(source).toReversed()) add(parseJson(block) ?? parseFaulty(block));
  for (const { start, end } of balancedSpans(source)) {
    const span = source.slice(start, end);
    add(parseJson(span) ?? parseFaulty(span));
  }
  const start = source.indexOf("{");
  if (found.length === 0 && start >= 0) add(parseFaulty(source.slice(start)));
  return found;
}

/** What the objects of a text say under a name that they give once more, and a parser forgets; deeply nested ones are left out. */
export function overwrittenIn(text: string): JsonRecord[] {
  const source = text.length > MAX_CHARACTERS ? text.slice(-MAX_CHARACTERS) : text;
  return balancedSpans(source).flatMap(({ start, end }) => {
    const span = source.slice(start, end);
    const tree = nestingOf(span) > MAX_DEPTH ? undefined : parseTree(span);
    return tree === undefined ? [] : givenTwice(tree);
  });
}

function givenTwice({ type, children = [] }: Node): JsonRecord[] {
  const below = children.flatMap(givenTwice);
  if (type !== "object") return below;
  const said = children.flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [[String(key.value), value] as const],
  );
  const names = said.map(([name]) => name);
  const forgotten = said.filter(([name], index) => names.lastIndexOf(name) > index);
  return [...below, ...forgotten.map(([name, value]) => ({ [name]: getNodeValue(value) as unknown }))];
}

/** The words around the JSON of an answer: without fenced blocks that hold an object, and without objects. Linear as well. */
export function extractProse(text: string): string {
  const source = text.length > MAX_CHARACTERS ? text.slice(-MAX_CHARACTERS) : text;
  const prose = splitFences(source)
    .filter(({ isBlock, lines }) => !isBlock || !lines.some((line) => line.includes("{")))
    .flatMap(({ lines }) => lines)
    .join("\n");
  // What names nothing is a word in braces, as a formula has it.
  return withoutObjects(prose, (span) => span.includes(":"));
}

/** A text without those objects, in fences or not, for which `isOne` holds; what else stands in braces stays. Linear as well. */
export function withoutObjects(text: string, isOne: (object: string) => boolean): string {
  const spans = balancedSpans(text).filter(({ start, end }) => isOne(text.slice(start, end)));
  const starts = [0, ...spans.map(({ end }) => end)];
  return starts
    .map((start, index) => text.slice(start, spans[index]?.start))
    .join(" ")
    .trim();
}

function fencedBlocks(source: string): string[] {
  return splitFences(source)
    .filter(({ isBlock }) => isBlock)
    .map(({ lines }) => lines.join("\n"));
}

/** Walks line by line, because a regular expression over the whole text can backtrack badly. */
function splitFences(source: string): { readonly isBlock: boolean; readonly lines: string[] }[] {
  const pieces = [{ isBlock: false, lines: [] as string[] }];
  for (const line of source.split("\n")) {
    const last = pieces.at(-1);
    if (line.trimStart().startsWith("```")) pieces.push({ isBlock: last?.isBlock !== true, lines: [] });
    else last?.lines.push(line);
  }
  return pieces;
}

function balancedSpans(source: string): { readonly start: number; readonly end: number }[] {
  const spans: { start: number; end: number }[] = [];
  let from = 0;
  for (let tries = 0; tries < MAX_STARTS; tries += 1) {
    const start = source.indexOf("{", from);
    if (start < 0) break;
    const end = balancedEnd(source, start);
    if (end > 0) spans.push({ start, end });
    from = end > 0 ? end : start + 1;
  }
  return spans;
}

/** The index after the brace that closes the one at `start`, or -1. Braces inside JSON strings do not count. */
function balancedEnd(source: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let index = start; index < source.length; index += 1) {
    const character = source[index];
    if (inString) {
      if (character === "\\") index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    if (depth === 0) return index + 1;
  }
  return -1;
}

/** Trailing commas, comments and a missing end are common in models' JSON. */
function parseFaulty(text: string): unknown {
  if (!text.includes("{") || nestingOf(text) > MAX_DEPTH) return undefined;
  try {
    return parseTolerant(text, [], { allowTrailingComma: true });
  } catch {
    return undefined; // Beyond what the parser tolerates: the same as finding nothing.
  }
}

function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of text) {
    if (character === "{" || character === "[") depth += 1;
    else if (character === "}" || character === "]") depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

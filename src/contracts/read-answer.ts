import { isRecord, parseJson, type JsonRecord } from "../lib/json.ts";

/** Longer answers are read from their end: a contract is the last thing that a specialist says. */
const MAX_CHARACTERS = 400_000;
const REASONING = /<(\/?)(?:think|thinking|reasoning)>/gi;

/**
 * The JSON object of a model's answer (SPEC 4): that of the last fenced block which begins with one, else the one that ends with
 * the text's last brace. What is cut off or not JSON is none, and no earlier object takes its place. Never throws; linear in
 * the length of the text.
 */
export function readAnswer(text: string): JsonRecord | null {
  const source = withoutReasoning(text.length > MAX_CHARACTERS ? text.slice(-MAX_CHARACTERS) : text);
  const block = fencedBlocks(source).findLast((each) => each.trimStart().startsWith("{"));
  return lastObject(block ?? source);
}

/** Drops reasoning: between tags, before a closing one alone, behind one never closed. Within a line a tag is a word of the answer. */
function withoutReasoning(text: string): string {
  let kept = "";
  let from = 0;
  let isInside = false;
  for (const { 0: tag, 1: closes, index } of text.matchAll(REASONING)) {
    const end = index + tag.length;
    const isAlone = isEdge(text[index - 1]) || (closes === "/" && isEdge(text[end]));
    if (closes === "/" ? !isInside && !isAlone : isInside || !isAlone) continue;
    if (closes !== "/") kept += text.slice(from, index);
    else if (!isInside) kept = "";
    isInside = closes !== "/";
    from = end;
  }
  return isInside ? kept : kept + text.slice(from);
}

function isEdge(sign: string | undefined): boolean {
  return sign === undefined || sign === "\n" || sign === "\r";
}

function fencedBlocks(source: string): string[] {
  const pieces: string[][] = [[]];
  for (const line of source.split("\n")) {
    if (line.trimStart().startsWith("```")) pieces.push([]);
    else pieces.at(-1)?.push(line);
  }
  return pieces.flatMap((lines, index) => (index % 2 === 1 ? [lines.join("\n")] : []));
}

/** Walks back from the last brace: from there a text in JSON has one beginning only. Of several in a list none is meant. */
function lastObject(source: string): JsonRecord | null {
  const end = source.lastIndexOf("}");
  if (end < 0 || source.indexOf("{", end) >= 0) return null;
  let depth = 0;
  let isInText = false;
  for (let at = end; at >= 0; at -= 1) {
    const sign = source[at];
    if (sign === '"' && !isEscaped(source, at)) isInText = !isInText;
    if (isInText || (sign !== "{" && sign !== "}")) continue;
    depth += sign === "}" ? 1 : -1;
    if (depth > 0) continue;
    if (source.slice(0, at).trimEnd().at(-1) === "," && source.slice(end + 1).trim()[0] === "]") return null;
    const value = parseJson(source.slice(at, end + 1));
    return isRecord(value) ? value : null;
  }
  return null;
}

function isEscaped(source: string, at: number): boolean {
  let first = at;
  while (source[first - 1] === "\\") first -= 1;
  return (at - first) % 2 === 1;
}

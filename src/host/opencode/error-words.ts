import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, listOf, parseJson, textOf } from "../../lib/json.ts";

/** Characters of what a provider says of its failure. */
const MAX_WORDS = 400;
/** A gateway quotes the answer of the provider behind it, as JSON within JSON. */
const MAX_DEPTH = 8;

/**
 * What a provider's failure says, for a person: OpenCode quotes the body of an answer that it cannot read, and providers and
 * gateways have shapes of their own. Where a body holds no words, what stands before it and its code is all there is. Pure.
 */
export function errorWords(message: string): string {
  const begin = message.search(/[{<]|\[\s*\{/);
  if (begin < 0) return message;
  const before = message.slice(0, begin).replace(/[\s:]+$/, "");
  const said = message[begin] === "<" ? wordsOfPage(message.slice(begin)) : wordsOfBody(message.slice(begin));
  if (said === null) return message;
  const isSaid = before !== "" && said.toLowerCase().startsWith(before.toLowerCase());
  return excerpt([isSaid ? "" : before, said].filter(Boolean).join(": ") || "no message", MAX_WORDS);
}

/** null for what is no page. */
function wordsOfPage(text: string): string | null {
  if (!/^<(?:!doctype|html|head|body|\?xml|title|h1|center)\b/i.test(text)) return null;
  const title = /<(title|h1|message)\b[^>]*>\s*([^<]+?)\s*<\/\1>/i.exec(text)?.[2];
  return title ?? "it answered with a page and no message";
}

/** null for what is no body of an answer. */
function wordsOfBody(text: string): string | null {
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  const whole = parseJson(text.slice(0, end + 1));
  if (whole !== undefined) return wordsOfValue(whole) ?? "";
  if (!/^[[{\s]*["}]/.test(text)) return null;
  // One that was cut, or several behind each other.
  const quoted = /"(?:message|detail|error|msg)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  return (quoted === undefined ? undefined : textOf(parseJson(quoted))) ?? "";
}

const NAMES = [
  "message",
  "error",
  "detail",
  "details",
  "error_description",
  "msg",
  "errors",
  "title",
  "reason",
];
const CODES = ["code", "type", "status"];

/** The first words in a value, under the names that providers give them; else its code. */
function wordsOfValue(value: unknown, depth = 0): string | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const text = textOf(value)?.trim();
  if (text !== undefined) return text === "" ? undefined : inner(text, depth);
  for (const each of listOf(value)) {
    const words = wordsOfValue(each, depth + 1);
    if (words !== undefined) return words;
  }
  if (!isRecord(value)) return undefined;
  for (const name of NAMES) {
    const words = wordsOfValue(value[name], depth + 1);
    if (words !== undefined) return words;
  }
  const code = CODES.map((name) => textOf(value[name]) ?? "").find((each) => each !== "" && each !== "error");
  return code?.replaceAll("_", " ");
}

function inner(text: string, depth: number): string | undefined {
  if (!/^[[{]/.test(text)) return text;
  const value = parseJson(text);
  return value === undefined ? text : wordsOfValue(value, depth + 1);
}

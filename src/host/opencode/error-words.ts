import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, parseJson, textOf } from "../../lib/json.ts";

/** Characters of what a provider says of its failure. */
const MAX_WORDS = 400;
/** Where providers put what is for a person, the best first. */
const NAMES = ["message", "error", "detail", "msg"];

/**
 * What a provider's failure says, for a person: what OpenCode says before the body that it quotes, and the message in that body
 * where it is JSON. Never the body. Pure.
 */
export function errorWords(message: string): string {
  const begin = message.search(/\[?\s*\{\s*["}]|<[!a-z]/i);
  if (begin < 0) return message;
  const before = message.slice(0, begin).replace(/[\s:]+$/, "");
  const said = wordsIn(parseJson(message.slice(begin)));
  const isSaid = before !== "" && said.toLowerCase().startsWith(before.toLowerCase());
  return excerpt([isSaid ? "" : before, said].filter(Boolean).join(": ") || "no message", MAX_WORDS);
}

/** The first text under one of the names, however deep; empty for none. */
function wordsIn(body: unknown): string {
  for (let level = [body]; level.length > 0;) {
    const records = level.filter(isRecord);
    const said = NAMES.flatMap((name) => records.map((each) => textOf(each[name])?.trim() ?? ""));
    const first = said.find((text) => text !== "");
    if (first !== undefined) return first;
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return "";
}

import { excerpt } from "../../lib/excerpt.ts";
import { isGeneric, termOf, wordsOf } from "../recall/terms.ts";

const MAX_QUESTION = 300;
const INTERROGATIVE = /^(?:how|what|where|which|who|why|when|can|could|is|are|does|do|should)\b/i;

/** A short question of the user with its telling words, or null: a long message is a task that holds a question. */
export function findQuestion(message: string): { text: string; terms: string[] } | null {
  const text = message.trim();
  if (text.length > MAX_QUESTION || !(text.endsWith("?") || INTERROGATIVE.test(text))) return null;
  const terms = [...new Set(wordsOf(text).map(termOf))].filter((term) => term !== null);
  // "Is it done?" is asked about everything.
  const telling = terms.filter((term) => !isGeneric(term));
  return telling.length === 0 ? null : { text: excerpt(text, MAX_QUESTION), terms };
}

import { excerpt } from "../../lib/excerpt.ts";
import { isGeneric, termOf, wordsOf } from "../recall/terms.ts";

const MAX_QUESTION = 300;
const INTERROGATIVE = /^(?:how|what|where|which|who|why|when|can|could|is|are|does|do|should)\b/i;
/** How the scripts of the world end a question, and one that begins it. */
const MARKED = /[?？؟;՞⁇﹖]["'”’»)\]]*$|^¿/u;
/** Scripts that put no blanks between words: two signs next to each other are what most words there are. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]{3,}$/u;

/** A short question of the user with its telling words, or null: a long message is a task that holds a question. */
export function findQuestion(message: string): { text: string; terms: string[] } | null {
  const text = message.trim();
  if (text.length > MAX_QUESTION || !(MARKED.test(text) || INTERROGATIVE.test(text))) return null;
  const terms = [...new Set(wordsOf(text).flatMap(partsOf).map(termOf))].filter((term) => term !== null);
  // "Is it done?" is asked about everything.
  const telling = terms.filter((term) => !isGeneric(term));
  return telling.length === 0 ? null : { text: excerpt(text, MAX_QUESTION), terms };
}

function partsOf(word: string): string[] {
  if (!UNSPACED.test(word)) return [word];
  return Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2));
}

import { excerpt } from "../../lib/excerpt.ts";

/** A correction is said in one breath; a longer sentence is a task. */
const MAX_SENTENCE = 240;
const MAX_MESSAGE = 2_000;

const DO = "(?:use|take|prefer|call|name|put|write|keep|run|import|return|make|go with|stick (?:to|with))";
const REFUSAL = /^(?:no|nope|wrong|stop)\b(?![ -](?:problem|worries|idea|need|rush|longer|matter|one|way))/i;

/** Ways to say what was wrong together with what is right. */
const CORRECTIONS = [
  new RegExp(`^(?:no|nope|wrong|stop)\\b.*\\b${DO}\\b`, "i"),
  new RegExp(
    `\\b(?:don['’]?t|do not|never|stop)\\b.+[,;:.–—-]\\s*(?:but |instead |please |just |rather )?${DO}\\b`,
    "i",
  ),
  new RegExp(`\\b(?:don['’]?t|do not|never)\\b.+\\binstead\\b`, "i"),
  new RegExp(`^(?:actually|i said|i meant|i told you|as i said|again)\\b.*\\b${DO}\\b`, "i"),
];
/** Also how a task is worded; a correction only where there was something to correct. */
const AFTER_AN_ANSWER = new RegExp(`\\b${DO}\\b.+(?:\\binstead of\\b|\\brather than\\b|, not\\b)`, "i");

/**
 * The sentence in which a user corrects, such as "no, use zod" or "don't mock the clock, inject it", or null. It must name
 * what to do instead: a mere "no" teaches nothing.
 * @param answered whether an answer came before in this conversation
 */
export function findCorrection(message: string, answered: boolean): string | null {
  if (message.length > MAX_MESSAGE) return null;
  const found = sentencesOf(message).find(
    (sentence) =>
      sentence.length <= MAX_SENTENCE &&
      (CORRECTIONS.some((pattern) => pattern.test(sentence) && !isPolite(sentence)) ||
        (answered && AFTER_AN_ANSWER.test(sentence))),
  );
  return found === undefined
    ? null
    : excerpt(found.replace(/^(?:no|nope|wrong)\b[\s,.:;!–—-]*/i, ""), MAX_SENTENCE);
}

/** "No problem, use …" begins like a refusal and is none. */
function isPolite(sentence: string): boolean {
  return /^(?:no|stop)\b/i.test(sentence) && !REFUSAL.test(sentence);
}

/** Cuts at line ends and at full stops before a blank; a lone "No." belongs to what follows. */
function sentencesOf(message: string): string[] {
  const parts = message.split(/\n+|(?<=[.!?])\s+/).map((part) => part.trim());
  return parts.map((part, at) =>
    /^(?:no|nope|wrong)[.!]?$/i.test(part) ? `${part} ${parts[at + 1] ?? ""}` : part,
  );
}

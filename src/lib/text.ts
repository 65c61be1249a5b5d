import { stripVTControlCharacters } from "node:util";

/** A word that is no longer than this is not cut, in characters. */
const MAX_WORD = 24;
/** What is seen as one character is looked for so far around a place, in code units; what is longer is cut. */
const REACH = 32;
const UNSPACED = /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}/u;
const CHARACTERS = new Intl.Segmenter();

/** `text` on one line, cut to at most `max` characters with an ellipsis; in the middle of a word only where that is long. */
export function excerpt(text: string, max: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= max) return line;
  const end = wholeUntil(line, max - 1);
  const space = UNSPACED.test(line.slice(end - 1, end)) ? -1 : line.slice(0, end + 1).lastIndexOf(" ");
  return `${line.slice(0, space > Math.max(0, end - MAX_WORD) ? space : end).trimEnd()}…`;
}

/** The last `max` characters of `text`, marked when something was cut. For output whose end says most. */
export function tail(text: string, max: number): string {
  if (text.length <= max) return text;
  let begin = text.length - max + 1;
  while (begin < text.length && wholeUntil(text, begin) !== begin) begin += 1;
  return `…${text.slice(begin)}`;
}

/** The first `max` characters of `text` as they are, marked when something was cut. */
export function head(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, wholeUntil(text, max - 1))}…`;
}

/** Whole lines from the beginning, as many as `bytes` hold. */
export function linesWithin(text: string, bytes: number): string {
  let room = bytes + 1;
  const lines = text.split("\n");
  const end = lines.findIndex((line) => (room -= Buffer.byteLength(line) + 1) < 0);
  return (end === -1 ? lines : lines.slice(0, end)).join("\n");
}

/** The last place at or before `at` where nothing that is seen as one character is cut. */
function wholeUntil(text: string, at: number): number {
  const from = Math.max(0, at - REACH);
  const near = text.slice(from, Math.max(0, at) + REACH);
  return from + (CHARACTERS.segment(near).containing(Math.max(0, at - from))?.index ?? near.length);
}

export function withNext(reason: string, next: string): string {
  return `${reason.replace(/[\s.;:,]+$/u, "")}. Next: ${next}`;
}

/** The first sentence of a text, on one line and without its full stop. */
export function firstSentence(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return (/^.*?[.!?](?= |$)/.exec(line)?.[0] ?? line).replace(/\.$/, "");
}

export function wordsIn(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

// oxlint-disable-next-line no-control-regex -- terminals are steered by them; and what turns the direction of writing
const UNSEEN = /[\0-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/**
 * A text that a terminal may print, whoever wrote it: nothing in it moves the cursor, sets a colour or a title, rings, or makes
 * what stands there read as something else. Lines and tabs stay. Pure.
 */
export function terminalText(text: string): string {
  return stripVTControlCharacters(text.replaceAll("\r\n", "\n")).replaceAll(UNSEEN, "");
}

/**
 * A text as it is, on one line: line breaks, terminal escapes, and characters that show nothing or turn the direction of
 * writing are spelled out, so that what a person reads is what they say yes to.
 */
export function visible(text: string): string {
  return text.replaceAll(
    /[\p{C}\p{Zl}\p{Zp}\p{Variation_Selector}]|\u115F|\u1160|\u3164|(?! )\p{Zs}/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

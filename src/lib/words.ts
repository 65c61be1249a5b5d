const TERM = /[\p{L}\p{N}\p{M}]+/gu;
/** The same of plain text, which is most of it and several times as fast. */
const [ASCII_TERM, ASCII_CAMEL] = [/[a-z0-9]+/g, /([a-z0-9])([A-Z])/g];
const CAMEL = /([\p{Ll}\p{N}])(\p{Lu})/gu;

/** Scripts that are written without spaces between the words, or, as Korean, with what says a word's part behind it. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u30FC\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]+/gu;
/** What is written above and below Latin, Greek and Cyrillic letters, which many leave out. */
const ACCENTS = /[\u0300-\u036F]/g;
/** Anything but ASCII, and dots, dashes and arrows that stand among it. */
const NOT_PLAIN = /[^\0-\x7F\xB7\u2000-\u206F\u2190-\u21FF]/;

/** The words of a text: humps of names apart, no accents; without spaces, each two characters are one. */
export function wordsOf(text: string): string[] {
  if (!NOT_PLAIN.test(text))
    return text.replaceAll(ASCII_CAMEL, "$1 $2").toLowerCase().match(ASCII_TERM) ?? [];
  const plain = text
    .normalize("NFKD")
    .replaceAll(ACCENTS, "")
    .normalize("NFC")
    .replaceAll("ß", "ss")
    .replaceAll(UNSPACED, pairsOf);
  return plain.replaceAll(CAMEL, "$1 $2").toLowerCase().match(TERM) ?? [];
}

function pairsOf(run: string): string {
  const characters = Array.from(run);
  const pairs = characters.slice(1).map((character, at) => `${characters[at]}${character}`);
  return ` ${pairs.length === 0 ? run : pairs.join(" ")} `;
}

/** Words that are in every text; asking for them finds everything and so nothing. */
const STOP_WORDS = new Set(
  (
    "a about above after again all also am an and any are as at be because been before being both but by can could did " +
    "do does doing don done each ever every few for from further get had has have having he her here him his how i if in " +
    "into is isn it its itself just ll let me more most my no nor not now of off ok on once only or other our out over own " +
    "please re really same shall she should so some still such t than thank thanks that the their them then there these " +
    "they this those though through to too under until up us ve very was we were what when where which while who whom why " +
    "will with would yes yet you your"
  ).split(" "),
);

/** Words of everyday work on code. Sharing only these says nothing about whether a text matters for a request. */
const GENERIC = new Set(
  (
    "add app bug bugfix build change check class code component config create current delete detail doc edit error example " +
    "existing feature file find fine first fix folder function give go good hello help hey hi implement improve index issue " +
    "js json keep kind know last lib like line list load look main make md method minor module move name need new next old one " +
    "open option part path plan problem project py question read refactor remove rename repo repository request result review " +
    "run save say see set should show simple small something src start state step stop support sure system take task tell test " +
    "text thing think time todo tool try ts tsx turn two type update use used user using value verify version view want way " +
    "well word work write wrong"
  ).split(" "),
);

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

/** Longer runs are hashes and encoded data, which nobody searches by their middle. */
const MAX_TERM = 40;

/** The form in which a word is indexed, or null for one that is not: plural and singular are the same. */
export function termOf(word: string): string | null {
  if (word.length > MAX_TERM || STOP_WORDS.has(word)) return null;
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith("s") && !/[sui]s$/.test(word)) return word.slice(0, -1);
  return word;
}

/** Whether a term, in its indexed form, is too common in talk about code to show what a text is about. */
export function isGeneric(term: string): boolean {
  return GENERIC.has(term) || term.length < 2;
}

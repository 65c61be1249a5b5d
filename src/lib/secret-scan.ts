import { type Alphabet, SECRET_FORMATS, type SecretFormat } from "./secret-formats.ts";

/** A secret in a text: UTF-16 offsets `[start, end)`. */
export interface SecretSpan {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

type Table = Uint8Array;

/** The characters of an alphabet, of those in ASCII. */
function tableOf(characters: string): Table {
  const allowed = new RegExp(`[${characters}]`);
  return Uint8Array.from({ length: 128 }, (_, code) => Number(allowed.test(String.fromCodePoint(code))));
}

export const TABLES = {
  digit: tableOf("0-9"),
  hex: tableOf("0-9A-Fa-f"),
  upper: tableOf("0-9A-Z"),
  alphanumeric: tableOf("0-9A-Za-z"),
  word: tableOf("0-9A-Za-z_-"),
  dotted: tableOf("0-9A-Za-z_.-"),
  base64: tableOf("0-9A-Za-z+/"),
  /** What an HTTP header carries, but for `=`, which only ends it. */
  token: tableOf("0-9A-Za-z_.~+/-"),
  /** Of a user and a password in an address. */
  user: tableOf("!$%&()*+,;\\\\=^{|}0-9A-Za-z_.~:@-"),
} satisfies Record<Alphabet | "token" | "user", Table>;

const MANY = Number.MAX_SAFE_INTEGER;
const EQUALS = 61;

/** Where a stretch of these characters ends that begins here, at the most after so many of them. */
export function endOfRun(table: Table, text: string, from: number, max = MANY): number {
  let end = from;
  while (end - from < max && table[text.charCodeAt(end)] === 1) end++;
  return end;
}

/** Whether a stretch has a digit, and where asked for letters of both cases too. */
export function isVaried(text: string, start: number, end: number, isMixed: boolean): boolean {
  let [digit, upper, lower] = [false, !isMixed, !isMixed];
  for (let at = start; at < end && !(digit && upper && lower); at++) {
    const code = text.charCodeAt(at);
    digit ||= code >= 48 && code <= 57;
    upper ||= code >= 65 && code <= 90;
    lower ||= code >= 97 && code <= 122;
  }
  return digit && upper && lower;
}

interface Compiled extends SecretFormat {
  /** The characters of its last part. */
  readonly last: Table;
  /** Its length is known, so that a longer run of its characters is something else. */
  readonly isExact: boolean;
  /** What must not stand before it. */
  readonly before: Table;
}

const FORMATS = SECRET_FORMATS.map((format): Compiled => {
  const runs = format.parts.filter((part) => typeof part !== "string");
  const [alphabet, , max] = runs.at(-1) ?? ["word", 0, MANY];
  const last = TABLES[alphabet];
  const isExact = max !== MANY;
  const before = Uint8Array.from(last, (own, code) => (isExact && TABLES.word[code] === 1 ? 1 : own));
  return { ...format, last, isExact, before };
});

const OTHERS = FORMATS.filter(({ parts: [first] }) => typeof first !== "string");
/** Formats that begin with fixed characters, by the codes of the first two. */
const BY_BEGINNING = new Map<number, readonly Compiled[]>();
for (const format of FORMATS) {
  const [first] = format.parts;
  if (typeof first !== "string") continue;
  const seconds = first.length > 1 ? [first.charCodeAt(1)] : Array.from({ length: 128 }, (_, code) => code);
  for (const second of seconds) {
    const key = first.charCodeAt(0) * 128 + second;
    BY_BEGINNING.set(key, [...(BY_BEGINNING.get(key) ?? []), format]);
  }
}

/**
 * Finds keys by their formats.
 * @param places where known values begin, each of which ends whatever stands before it
 * @returns what looks at a place where a word begins; `edge` is the end of what was found before
 */
export function createFormats(
  text: string,
  places: ReadonlyMap<number, number>,
): (at: number, edge: number) => SecretSpan | null {
  // They could begin anywhere, so only where their fixed characters are in the text.
  const others = OTHERS.filter(({ parts }) =>
    parts.every((part) => typeof part !== "string" || text.includes(part)),
  );
  return (at, edge) => {
    const second = text.charCodeAt(at + 1);
    const listed = second < 128 ? BY_BEGINNING.get(text.charCodeAt(at) * 128 + second) : undefined;
    for (const formats of listed === undefined ? [others] : [listed, others]) {
      for (const format of formats) {
        const found = match(format, text, at, at === edge, places);
        if (found !== null) return found;
      }
    }
    return null;
  };
}

function match(
  format: Compiled,
  text: string,
  at: number,
  isEdge: boolean,
  places: ReadonlyMap<number, number>,
): SecretSpan | null {
  const { kind, parts, last, isExact, before, introduced = false, needs } = format;
  const [first] = parts;
  if (typeof first === "string" && !text.startsWith(first, at)) return null;
  if (!isEdge && !introduced && before[text.charCodeAt(at - 1)] === 1) return null;
  let end = at;
  for (const part of parts) {
    if (typeof part === "string") {
      if (!text.startsWith(part, end)) return null;
      end += part.length;
    } else {
      const from = end;
      end = endOfRun(TABLES[part[0]], text, from, part[2]);
      if (end - from < part[1]) return null;
    }
  }
  if (isExact && last[text.charCodeAt(end)] === 1 && !isNextSecret(text, end, places)) return null;
  const start = introduced && typeof first === "string" ? at + first.length : at;
  if (needs !== undefined && !isVaried(text, start, end, needs === "mixed")) return null;
  while (last === TABLES.dotted && text.charCodeAt(end - 1) === 46) end--;
  if (last === TABLES.base64) end = endOfPadding(text, end);
  return { kind, start, end };
}

/** What is replaced in any case is no character of a longer run. */
function isNextSecret(text: string, at: number, places: ReadonlyMap<number, number>): boolean {
  return places.has(at) || text.startsWith("-----BEGIN ", at);
}

/** Behind what ends in base64. */
export function endOfPadding(text: string, from: number): number {
  let end = from;
  while (end - from < 2 && text.charCodeAt(end) === EQUALS) end++;
  return end;
}

/** How a private key may be quoted: its lines, their marks, and what escapes them. */
const KEY_BODY = /[\w+/=\s:.,()<>|#*"'\\]/;
const MAX_HEADER = 60;
const MAX_NAME = 64;
const MIN_ASSIGNED = 20;
const MIN_DISTINCT = 10;
/** Names of variables, as they are written, that end in what they hold. */
const HOLDERS = [
  "TOKEN",
  "SECRET",
  "PASSWORD",
  "PASSPHRASE",
  "API_KEY",
  "APIKEY",
  "ACCESS_KEY",
  "SECRET_KEY",
];

/** The last letters of the names that count. */
const NAME_ENDS = "nyNYTDE";

/** A private key in PEM form that begins here, also a quoted one, or one that is cut off before its end. */
export function findPrivateKey(text: string, at: number): SecretSpan | null {
  if (!text.startsWith("-----BEGIN ", at)) return null;
  const head = text.slice(at + 11, at + 11 + MAX_HEADER).indexOf("-----");
  const title = text.slice(at + 11, at + 11 + head);
  if (head === -1 || !(title.endsWith("PRIVATE KEY") || title.endsWith("PRIVATE KEY BLOCK"))) return null;
  const start = at + 11 + head + 5;
  let end = start;
  for (; end < text.length; end++) {
    const isBody = text[end] === "-" ? text[end + 1] !== "-" : KEY_BODY.test(text[end] ?? "");
    if (!isBody) break;
  }
  const foot = text.startsWith("-----END ", end)
    ? text.slice(end + 9, end + 9 + MAX_HEADER).indexOf("-----")
    : -1;
  return { kind: "private-key", start: at, end: foot === -1 ? endOfWords(text, start) : end + 9 + foot + 5 };
}

/** Only long words count, so that prose which names the header line stays. */
function endOfWords(text: string, from: number): number {
  let end = from;
  for (let at = from; at < text.length && at - end <= 6;) {
    const word = endOfRun(TABLES.base64, text, at);
    if (word - at >= 16) end = at = word;
    else if (word > at) break;
    else at++;
  }
  return end;
}

/** `user:password` before the `@` of an address; looks at the `:` behind its scheme. */
export function findUrlPassword(text: string, at: number): SecretSpan | null {
  if (!text.startsWith("://", at)) return null;
  const start = at + 3;
  const stop = endOfRun(TABLES.user, text, start);
  const user = text.slice(start, stop);
  const colon = user.indexOf(":");
  const last = user.lastIndexOf("@");
  if (colon === -1 || last <= colon + 1 || user.indexOf("@") < colon) return null;
  // A placeholder in source text holds nothing.
  if (user.startsWith("${", colon + 1)) return null;
  return { kind: "url-password", start, end: start + last };
}

const BEARER = ["Bearer ", "bearer ", "BEARER "];

/** What follows the word `Bearer`; a digit tells it from prose. */
export function findBearer(text: string, at: number): SecretSpan | null {
  if (!BEARER.some((scheme) => text.startsWith(scheme, at))) return null;
  const start = at + 7;
  const end = endOfToken(text, start);
  return end - start >= 16 && isVaried(text, start, end, false) ? { kind: "bearer", start, end } : null;
}

/**
 * A value behind a name that says what it is; looks at the `:` or `=` between them.
 * @param edge the end of what was replaced before, where no name goes on
 */
export function findAssigned(text: string, at: number, edge: number): SecretSpan | null {
  const name = nameBefore(text, at, edge);
  if (name === "") return null;
  const lower = name.toLowerCase();
  let start = at + 1;
  while (start - at <= 4 && isQuote(text, start)) start++;
  if (lower.endsWith("authorization")) return findScheme(text, start);
  if (lower.replaceAll("_", "").endsWith("secretaccesskey")) {
    const end = endOfRun(TABLES.base64, text, start, 40);
    return end - start === 40 ? { kind: "aws", start, end } : null;
  }
  const end = endOfToken(text, start);
  if (name.endsWith("_authToken")) return end - start >= 8 ? { kind: "npm", start, end } : null;
  const holds =
    lower.endsWith("api-key") || (name === name.toUpperCase() && HOLDERS.some((each) => name.endsWith(each)));
  return holds && isRandom(text, start, end) ? { kind: "assigned", start, end } : null;
}

/** `Basic`, `Token` and their like, and what follows. */
function findScheme(text: string, from: number): SecretSpan | null {
  const word = endOfRun(TABLES.word, text, from, 12);
  if (
    !["basic", "token", "apikey", "ssws"].includes(text.slice(from, word).toLowerCase()) ||
    text[word] !== " "
  )
    return null;
  const end = endOfToken(text, word + 1);
  return end - word > 8 ? { kind: "bearer", start: word + 1, end } : null;
}

function endOfToken(text: string, from: number): number {
  return endOfPadding(text, endOfRun(TABLES.token, text, from));
}

function nameBefore(text: string, at: number, edge: number): string {
  let end = at;
  while (end > edge && at - end < 3 && isQuote(text, end - 1)) end--;
  if (!NAME_ENDS.includes(text[end - 1] ?? "?")) return "";
  let start = end;
  while (start > edge && end - start < MAX_NAME && TABLES.word[text.charCodeAt(start - 1)] === 1) start--;
  return text.slice(start, end);
}

function isQuote(text: string, at: number): boolean {
  const character = text[at];
  return character === " " || character === '"' || character === "'" || character === "\\";
}

/** Long, with letters and digits and many different characters; a call or an index is code. */
function isRandom(text: string, start: number, end: number): boolean {
  if (end - start < MIN_ASSIGNED || text[end] === "(" || text[end] === "[") return false;
  const isNumber = endOfRun(TABLES.digit, text, start) === end;
  const distinct = new Set(text.slice(start, Math.min(end, start + 200)));
  return !isNumber && isVaried(text, start, end, false) && distinct.size >= MIN_DISTINCT;
}

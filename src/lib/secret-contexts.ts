import { endOfPadding, endOfRun, isVaried, type SecretSpan, TABLES } from "./secret-scan.ts";

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

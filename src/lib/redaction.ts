import {
  findAssigned,
  findBearer,
  findPrivateKey,
  findUrlPassword,
  createFormats,
  type SecretSpan,
  TABLES,
} from "./secret-scan.ts";
import { isRecord } from "./json.ts";

/** Replaces every secret that it recognises by `[REDACTED:<kind>…last4]`. Idempotent; time grows linearly with the text. */
export type Redactor = (text: string) => string;

const [DASH, COLON, EQUALS, UPPER_B, BRACKET, LOWER_B] = [45, 58, 61, 66, 91, 98];
const MARK = "[REDACTED:";
/** Characters of a kind's name in a mark. */
const MAX_KIND = 30;

/** Shorter values are words like `true` or `prod`, which would riddle ordinary prose. */
const MIN_VALUE_LENGTH = 8;
const SECRET_WORD = /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL/;
const SECRET_ENDING = /(?:^|_)(?:KEY|PASS|PAT|PWD|AUTH|DSN|COOKIE)(?:_?\d+|_BASE64|_B64)?$/;
/** Names that speak about a credential without holding it. */
const HARMLESS_ENDING =
  /_(?:FILE|PATH|DIR|SOCK|TYPE|NAME|MODE|ISSUER|PROVIDER|AUDIENCE|ALGORITHM|ALG|TTL|EXPIRY|LIMIT|COUNT|HOST|PORT|REGION|URL|URI)$/;

/** Whether a variable or a setting of this name holds a credential, and not only speaks of one. */
export function namesCredential(name: string): boolean {
  const upper = name.replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2").toUpperCase();
  if (upper === "PWD" || HARMLESS_ENDING.test(upper)) return false;
  return SECRET_WORD.test(upper) || SECRET_ENDING.test(upper);
}

/** The values of variables whose names look like credentials, as they are and as they are written in JSON, URLs and base64. */
function credentialValues(environments: readonly Readonly<Record<string, string | undefined>>[]): string[] {
  const values = new Set<string>();
  for (const [name, raw] of environments.flatMap((each) => Object.entries(each))) {
    const value = raw?.trim() ?? "";
    if (value.length < MIN_VALUE_LENGTH || /^\d+$/.test(value) || !namesCredential(name)) continue;
    const base64 = Buffer.from(value).toString("base64").replace(/=+$/, "");
    const url = base64.replaceAll("+", "-").replaceAll("/", "_");
    const encoded = encodeURIComponent(Buffer.from(value).toString());
    for (const each of [value, encoded, JSON.stringify(value).slice(1, -1), base64, url]) values.add(each);
  }
  // The longest first, so that a value which begins with another one is found whole.
  return [...values].toSorted((a, b) => b.length - a.length);
}

/** At most a quarter of a secret stays readable, so that four characters of an eight character password never do. */
function marker(kind: string, secret: string): string {
  const readable = secret.replaceAll(/[^A-Za-z0-9]/g, "");
  const shown = Math.min(4, Math.floor(secret.length / 4), readable.length);
  return `${MARK}${kind}…${readable.slice(readable.length - shown)}]`;
}

/** Where a mark that stands here ends; null where none does. */
function endOfMark(text: string, at: number): number | null {
  if (!text.startsWith(MARK, at)) return null;
  const dots = text.slice(at + MARK.length, at + MARK.length + MAX_KIND + 1).indexOf("…");
  if (dots < 1) return null;
  const rest = text.slice(at + MARK.length + dots + 1, at + MARK.length + dots + 6);
  const end = rest.indexOf("]");
  return end === -1 ? null : at + MARK.length + dots + 1 + end + 1;
}

/**
 * Builds the filter through which everything passes that is written to `.gaia/`, logged or sent on (SPEC 2.9).
 * It knows the formats of keys and the values (8 characters or more) of the variables whose names look like credentials.
 * They are read once; build a new redactor when they change.
 */
export function createRedactor(
  ...environments: readonly Readonly<Record<string, string | undefined>>[]
): Redactor {
  const values = credentialValues(environments);

  const placesOf = (text: string): ReadonlyMap<number, number> => {
    const places = new Map<number, number>();
    for (const value of values) {
      for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length)) {
        if (!places.has(at)) places.set(at, at + value.length);
      }
    }
    return places;
  };

  return (text) => {
    const places = placesOf(text);
    const formats = createFormats(text, places);
    let out = "";
    /** Up to here the text is written. */
    let done = 0;
    let due: SecretSpan | null = null;
    let isInWord = false;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      const wasInWord = isInWord && at !== done;
      isInWord = TABLES.alphanumeric[code] === 1;
      // Nothing but a known value begins within a word.
      if (wasInWord && isInWord && places.size === 0 && due === null) continue;
      const value = places.get(at);
      let found: SecretSpan | null = value === undefined ? null : { kind: "env", start: at, end: value };
      if (found === null && isInWord && !wasInWord) {
        found = formats(at, done);
        if (found === null && (code === UPPER_B || code === LOWER_B)) due = findBearer(text, at) ?? due;
      } else if (found === null && code === DASH) found = findPrivateKey(text, at);
      else if (found === null && (code === COLON || code === EQUALS)) {
        due = findUrlPassword(text, at) ?? findAssigned(text, at, done) ?? due;
      }
      if (due !== null && due.start <= at) {
        found ??= due.start === at ? due : null;
        due = null;
      }
      const mark = code === BRACKET ? endOfMark(text, at) : null;
      if (mark !== null) out += text.slice(done, mark);
      else if (found === null) continue;
      else out += text.slice(done, found.start) + marker(found.kind, text.slice(found.start, found.end));
      done = mark ?? found?.end ?? done;
      at = done - 1;
      isInWord = false;
    }
    return out + text.slice(done);
  };
}

/** A copy of plain data with every text in it redacted; keys and other values stay. */
export function redactDeep<T>(value: T, redact: Redactor): T {
  const redacted = (part: unknown): unknown => {
    if (typeof part === "string") return redact(part);
    if (Array.isArray(part)) return part.map(redacted);
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, redacted(item)]));
  };
  return redacted(value) as T;
}

/** A text redacted; one that is JSON stays so. */
export function redactJson(text: string, redact: Redactor): string {
  const redacted = redact(text);
  if (redacted === text || !/^\s*[[{]/.test(text)) return redacted;
  try {
    return JSON.stringify(redactDeep(JSON.parse(text) as unknown, redact));
  } catch {
    return redacted; // It only begins like JSON.
  }
}

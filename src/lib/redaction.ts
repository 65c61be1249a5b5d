import { KEY_FORMATS, literally } from "./secret-formats.ts";
import { isRecord } from "./json.ts";

/** Replaces every secret that it recognises by `[REDACTED:<kind>…last4]`. Idempotent; time grows linearly with the text. */
export type Redactor = (text: string) => string;

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

/** What stands in the place of a secret; it is left as it is. */
const MARK = String.raw`\[REDACTED:[^\]…]{1,30}…[^\]]{0,4}\]`;

/** At most a quarter of a secret stays readable, so that four characters of an eight character password never do. */
function marker(kind: string, secret: string): string {
  const readable = secret.replaceAll(/[^A-Za-z0-9]/g, "");
  const shown = Math.min(4, Math.floor(secret.length / 4), readable.length);
  return `[REDACTED:${kind}…${readable.slice(readable.length - shown)}]`;
}

/** What an HTTP header carries, but for `=`, which only ends it. */
const TOKEN = "[0-9A-Za-z_.~+/-]";
/** A digit tells it from prose. */
const WITH_DIGIT = `(?=${TOKEN}*?[0-9])${TOKEN}`;
const BASE64 = "[0-9A-Za-z+/]";
/** Between a name and its value, which may be quoted or escaped. */
const IS = String.raw`["'\\ ]{0,3}[:=]["'\\ ]{0,4}`;
const KEY_HEADER = "-----BEGIN (?:[^-]{0,40} )?PRIVATE KEY(?: BLOCK)?-----";
/** The lines of a key, also quoted or escaped, up to its end; of one that is cut off long words, so that prose which names the header stays. */
const KEY_LINE = String.raw`[\w+/=\s:.,()<>|#*"'\\]*`;
const KEY_LINES = `${KEY_LINE}(?:-(?!-)${KEY_LINE}){0,200}-----END [^-]{0,60}-----`;
const CUT_OFF_LINES = `(?:[^0-9A-Za-z+/]{0,6}${BASE64}{16,}){0,2000}`;
const IN_ADDRESS = String.raw`[!$%&()*+,;\\=^{|}\w.~-]`;
/** How the names of variables end that hold a secret; in capitals, for others only speak of one. */
const HOLDERS = "(?:TOKEN|SECRET|PASSWORD|PASSPHRASE|API_?KEY|ACCESS_KEY|SECRET_KEY)";
const HOLDER = `${HOLDERS}(?<=(?<![\\w-])[0-9A-Z_-]{0,60})`;

/** Each over the whole text, in this order. What stands in the first group introduces the secret and stays. */
const RULES: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["private-key", new RegExp(`()${KEY_HEADER}(?:${KEY_LINES}|${CUT_OFF_LINES})`, "g")],
  ...KEY_FORMATS.map((pattern) => ["key", pattern] as const),
  // A placeholder in source text holds nothing.
  ["url-password", new RegExp(`(://)${IN_ADDRESS}*:(?!\\$\\{)${IN_ADDRESS.replace("[", "[:@")}+(?=@)`, "g")],
  ["bearer", new RegExp(`(\\b(?:[Bb]earer|BEARER) )${WITH_DIGIT}{16,}={0,2}`, "g")],
  ["bearer", new RegExp(`(authorization${IS}(?:basic|token|apikey|ssws) )${TOKEN}{8,}={0,2}`, "gi")],
  ["aws", new RegExp(`(secret_?access_?key${IS})${BASE64}{40}`, "gi")],
  ["npm", new RegExp(`(_authToken${IS})${TOKEN}{8,}={0,2}`, "g")],
  // Without letters it is a number; a call or an index is code.
  [
    "assigned",
    new RegExp(
      `((?:[Aa][Pp][Ii]-[Kk][Ee][Yy]|${HOLDER})${IS})(?=${TOKEN}*?[A-Za-z])${WITH_DIGIT}{20,}={0,2}(?![(\\[\\w.~+/=-])`,
      "g",
    ),
  ],
];
/** A secret that touches another one is seen as such once that is replaced. */
const MAX_ROUNDS = 5;

/**
 * Builds the filter through which everything passes that is written to `.gaia/`, logged or sent on (SPEC 2.9).
 * It knows the formats of keys and the values (8 characters or more) of the variables whose names look like credentials.
 * They are read once; build a new redactor when they change.
 */
export function createRedactor(
  ...environments: readonly Readonly<Record<string, string | undefined>>[]
): Redactor {
  const known = new RegExp([`(${MARK})`, ...credentialValues(environments).map(literally)].join("|"), "g");
  const once = (text: string): string => {
    let out = text.replaceAll(known, (value, mark?: string) => mark ?? marker("env", value));
    for (const [kind, pattern] of RULES)
      out = out.replaceAll(pattern, (all, kept: string) => kept + marker(kind, all.slice(kept.length)));
    return out;
  };
  return (text) => {
    let [before, out] = [text, once(text)];
    for (let round = 1; round < MAX_ROUNDS && out !== before; round += 1) [before, out] = [out, once(out)];
    return out;
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

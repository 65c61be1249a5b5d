/** Replaces every secret that it recognises by `[REDACTED:<kind>…last4]`. Idempotent; time grows linearly with the text. */
export type Redactor = (text: string) => string;

/**
 * Token shapes, tried in this order at every position. Two rules keep the scan linear and a second pass without effect:
 * a run that can be long starts only at a left boundary, and no pattern asks what does *not* follow it.
 * Each pattern matches the secret alone; what introduces it stands in a lookbehind of fixed length.
 */
const SHAPES: readonly (readonly [kind: string, pattern: RegExp])[] = [
  [
    "private-key",
    /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[\w+/=\s:.,()<>|#*"'\\]|-(?!-))*-----END [A-Z0-9 ]{0,40}-----/,
  ],
  // Cut off before its end: only long words count, so that prose which names the header line stays.
  ["private-key", /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:\W{0,6}[\w+/=]{16,})*/],
  ["anthropic", /(?<![A-Za-z0-9_-])sk-ant-[A-Za-z0-9_-]{20,}/],
  // The digit tells a key from hyphenated prose such as `sk-learn-based-pipeline-configuration`.
  ["openai", /(?<![A-Za-z0-9_-])sk-(?=[A-Za-z_-]{0,80}[0-9])[A-Za-z0-9_-]{20,}/],
  ["github", /(?<![A-Za-z0-9])(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})/],
  ["gitlab", /(?<![A-Za-z0-9_-])gl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|oas)-[A-Za-z0-9_-]{20,}/],
  ["aws", /(?<![A-Za-z0-9])(?:AKIA|ASIA)[0-9A-Z]{16}/],
  [
    "aws",
    /(?<=(?:secret_access_key|SECRET_ACCESS_KEY|secretAccessKey)(?:=|: |": "|": "|=")?)[A-Za-z0-9/+]{40}/,
  ],
  ["google", /(?<![A-Za-z0-9_-])(?:AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,})/],
  ["slack", /(?<![A-Za-z0-9])xox[abeoprs]-[A-Za-z0-9-]{10,}|(?<![A-Za-z0-9])xapp-[A-Za-z0-9-]{10,}/],
  ["slack", /(?<=hooks\.slack\.com\/services\/)[A-Za-z0-9/_-]{20,}/],
  ["stripe", /(?<![A-Za-z0-9])(?:[prs]k_(?:live|test)_|whsec_)[A-Za-z0-9]{16,}/],
  ["npm", /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,}|(?<=_authToken=)[^\s"'[\]]{8,}/],
  ["jwt", /(?<![\w-])eyJ[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/],
  ["url-password", /(?<=:\/\/)[^\s/?#@:[\]]*:[^\s/?#[\]]+(?=@)/],
  ["bearer", /(?<=[Bb]earer |BEARER )(?=[A-Za-z._~+/=-]{0,200}[0-9])[\w.~+/=-]{16,}/],
  ["bearer", /(?<=[Aa]uthorization: (?:[Bb]asic|[Tt]oken) )[\w.~+/=-]{8,}/],
];

const KINDS = ["env", ...SHAPES.map(([kind]) => kind)];
const MARKER = new RegExp(`\\[REDACTED:(?:${[...new Set(KINDS)].join("|")})…[A-Za-z0-9]{0,4}\\]`, "g");

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

function credentialValues(env: Readonly<Record<string, string | undefined>>): string[] {
  const values = new Set<string>();
  for (const [name, raw] of Object.entries(env)) {
    const value = raw?.trim() ?? "";
    if (value.length >= MIN_VALUE_LENGTH && !/^\d+$/.test(value) && namesCredential(name)) values.add(value);
  }
  // The longest first, so that a value which begins with another one is found whole.
  return [...values].toSorted((a, b) => b.length - a.length);
}

/** At most a quarter of a secret stays readable, so that four characters of an eight character password never do. */
function marker(kind: string, secret: string): string {
  const readable = secret.replaceAll(/[^A-Za-z0-9]/g, "");
  const shown = Math.min(4, Math.floor(secret.length / 4), readable.length);
  return `[REDACTED:${kind}…${readable.slice(readable.length - shown)}]`;
}

/**
 * Builds the filter through which everything passes that is written to `.gaia/`, logged or sent on (SPEC 2.8).
 * It knows the shapes of common tokens and the values (8 characters or more) of the variables in `env` whose names look
 * like credentials. `env` is read once; build a new redactor when it changes.
 */
export function createRedactor(env: Readonly<Record<string, string | undefined>>): Redactor {
  const values = credentialValues(env).map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"));
  // An alternative that can never match stands in when there are none, so that group 1 is always `env`.
  const sources = [values.join("|") || "(?!)", ...SHAPES.map(([, pattern]) => pattern.source)];
  const secret = new RegExp(sources.map((source) => `(${source})`).join("|"));

  const redactGap = (gap: string): string => {
    let rest = gap;
    let out = "";
    for (let match = secret.exec(rest); match !== null; match = secret.exec(rest)) {
      const group = match.findIndex((text, index) => index > 0 && text !== undefined);
      out += rest.slice(0, match.index) + marker(KINDS[group - 1] ?? "env", match[0]);
      // Cutting instead of `lastIndex`: the next match sees the same left edge as in a second pass.
      rest = rest.slice(match.index + match[0].length);
    }
    return out + rest;
  };

  return (text) => {
    let out = "";
    let end = 0;
    for (const found of text.matchAll(MARKER)) {
      out += redactGap(text.slice(end, found.index)) + found[0];
      end = found.index + found[0].length;
    }
    return out + redactGap(text.slice(end));
  };
}

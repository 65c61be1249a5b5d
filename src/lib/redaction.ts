import { isRecord } from "./json.ts";

/** Which characters a stretch of a secret has: `word` is alphanumeric with `_` and `-`, `dotted` is that with `.`. */
const ALPHABETS: Readonly<Record<string, string>> = {
  digit: "0-9",
  hex: "0-9A-Fa-f",
  upper: "0-9A-Z",
  alphanumeric: "0-9A-Za-z",
  word: "0-9A-Za-z_-",
  dotted: "0-9A-Za-z_.-",
  base64: "0-9A-Za-z+/",
};
/** What a stretch has to have, so that words and names of the same beginning stay. */
const NEEDS: Readonly<Record<string, readonly string[]>> = {
  digit: ["[0-9]"],
  mixed: ["[0-9]", "[a-z]", "[A-Z]"],
};

/**
 * Key formats that can be told by themselves. Source: the default rules of gitleaks (config/gitleaks.toml, 2026-07), and for
 * services that these leave out the services' own documentation. Here what follows a beginning, then the beginnings: `20+` is
 * at least so many characters (rounded down), `20` or `16-24` the length that is known exactly. A digit tells a key from
 * hyphenated prose such as `sk-learn-based-pipeline-configuration`.
 */
const BY_BEGINNING = `
  alphanumeric 100+ mixed: EAA
  alphanumeric 14+: rzp_live_ rzp_test_ sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ sk_prod_ whsec_
  alphanumeric 14+: sm_aat_ sm_pat_ sm_sat_ ghp_ gho_ ghu_ ghs_ ghr_ vcp_ vci_ vca_ vcr_ vck_
  alphanumeric 16-24 mixed: LTAI
  alphanumeric 20+ mixed: ATBB rnd_
  alphanumeric 20-32 mixed: fw_
  alphanumeric 22 mixed: ak- as-
  alphanumeric 28-29 digit: aio_ tk_
  alphanumeric 30+: hf_ api_org_ r8_ npm_ bkua_ bkct_ ddp_ ddo_ ddw_ nfp_ nfc_ nfo_ pnu_ pnb_ ico- lin_api_ lin_oauth_
  alphanumeric 30+: gsk_ xai- pplx- csk- CLOJARS_ napi_ xau_ hcaik_ hcaic_ hcxik_ hcxlk_ hcamk_ phx_ phs_ ntn_
  alphanumeric 30+: polar_oat_ polar_pat_ os_v2_app_ os_v2_org_ rdme_
  alphanumeric 30-44 digit: live_ test_
  alphanumeric 32 mixed: p8e- cio AKID
  alphanumeric 38 mixed: 4b1d
  alphanumeric 40+ digit: secret- secret_
  alphanumeric 43 digit: oy2
  alphanumeric 54-59 mixed: EZAK EZTK cmVmd
  alphanumeric 69 mixed: AKCp
  base64 28 mixed: K00
  base64 30+: bedrock-api-key- glc_ fm1r_ fm1a_ fm2_ ops_eyJ
  base64 50-60 mixed: dG9rO
  base64 109-269 mixed: ABSK
  dotted 20+: glpat- glptt- gldt- glrt- glcbt- glft- glffct- glimt- glagent- gloas- glsoat- GR1348941
  dotted 30+: pscale_tkn_ pscale_oauth_ pscale_pw_ tfp_ dt0c01. dt0s01. dt0s16.
  dotted 30+: dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.
  hex 32+: dapi shpat_ shpca_ shppa_ shpss_ e2b_ e2b_sk_ rubygems_ squ_ sqp_ sqa_ sbp_ pul- shippo_live_ shippo_test_
  hex 32+: dop_v1_ doo_v1_ dor_v1_ sntryu_ mlsn. ATTA
  hex 32-34: fc- cu_ SK key- pk_
  hex 40: ck_ cs_
  hex 48: sk_
  hex 64: key_
  upper 16: AKIA ASIA ABIA ACCA
  upper 17 digit: SCW
  upper 26 digit: API-
  upper 40+: AGE-SECRET-KEY-1
  word 10+: FLWSECK- FLWSECK_TEST- xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxp- xoxe.xoxb- xapp-
  word 16+ digit: NRAK- NRJS- NRII- NRRA- sk- sess- tvly-
  word 20+: sk-ant- github_pat_ dckr_pat_ dckr_oat_ ya29. GOCSPX- sb_secret_ tskey- hvs. hvb. hvr. sq0atp- sq0csp- syt_
  word 30+: tgp_v1_ lsv2_pt_ lsv2_sk_ CCIPAT_ CCIPRJ_ gitpod_pat_ AIza vercel_blob_rw_ mdb_sa_sk_ xaat- xapt-
  word 30+: access-sandbox- access-development- access-production- amzn.mws. amzn1.oa2-cs.v1. figd_ figo_
  word 30+: pat-na1- pat-na2- pat-eu1- pcsk_ jina_ ATATT3 ATCTT3 ATSTT3 pypi-AgE sgp_ PMAK- cfat_ cfut_ cfk_ tk-us-
  word 30+: fo1_ HRKU-AA CCDB1_ sha256~ glsa_ access_token$production$ access_token$sandbox$ pdl_live_apikey_
  word 30+: pdl_sdbx_apikey_ duffel_test_ duffel_live_ CFPAT- xkeysib- xsmtpsib- fio-u-
  word 30-36 digit: A3-
  word 35-38 mixed: AQVN fnA
  word 36 digit: sdk- mob-
  word 43 mixed: pa-
  word 60 mixed: EAAA
  word 80+: sl. v1.0-`;
/** Keys of several parts. */
const OF_PARTS = `
  pat.<word 22>.<alphanumeric 24>.<alphanumeric 20>
  AccountKey=<base64 40+>
  SharedAccessKey=<base64 40+>
  <alphanumeric 3><digit 1>Q~<dotted 31-34>
  p.eyJ<word 40+>.<word 20+>
  sk.eyJ<word 40+>.<word 20+>
  <alphanumeric 14>.atlasv1.<word 50+>
  sntrys_<base64 40+>_<base64 40+>
  sntrys_<base64 40+>=_<base64 40+>
  sntrys_<base64 40+>==_<base64 40+>
  hooks.slack.com/<word 8-9>/<word 4+>/<word 4+>/<word 10+>
  discord.com/api/webhooks/<digit 15-22>/<word 40+>
  M<word 23-27 mixed>.<word 6>.<word 27-38>
  N<word 23-27 mixed>.<word 6>.<word 27-38>
  O<word 23-27 mixed>.<word 6>.<word 27-38>
  <digit 8-10>:AA<word 33>
  bot<digit 8-10>:AA<word 33>
  AAAA<word 7>:APA91b<word 100+>
  KEY<upper 32-40>_<alphanumeric 20-24>
  SG.<word 16-32>.<word 30+>
  <hex 32>-us<digit 1-2>
  re_<alphanumeric 8>_<alphanumeric 24 mixed>
  pat<alphanumeric 14>.<hex 64>
  <digit 1>/<digit 14-20>:<hex 32>
  <digit 1>/<digit 14-20>/<digit 14-20>:<hex 32>
  pk_<digit 4-10>_<upper 32>
  <alphanumeric 6>_<alphanumeric 29>_mmk
  eyJ<word 8+>.eyJ<dotted 8+>`;

/** Find all of them; one pattern for the formats that must not begin behind the same characters. */
const KEY_FORMATS: readonly RegExp[] = patternsOf([
  ...linesOf(OF_PARTS),
  ...linesOf(BY_BEGINNING).flatMap((line) => {
    const [shape = "", beginnings = ""] = line.split(": ");
    return beginnings.split(" ").map((beginning) => `${beginning}<${shape}>`);
  }),
]);

function linesOf(table: string): string[] {
  return table.trim().split(/\n\s*/u);
}

function patternsOf(formats: readonly string[]): RegExp[] {
  const byBefore = new Map<string, string[]>();
  for (const format of formats) {
    const pieces = format.split(/[<>]/u).slice(0, -1);
    const stretches = pieces.map((piece, at) => (at % 2 === 0 ? literally(piece) : stretchOf(piece)));
    const [alphabet = "", length = ""] = pieces.at(-1)?.split(" ") ?? [];
    const last = ALPHABETS[alphabet] ?? "";
    // A longer run than one of a known length is something else, and so is the end of a name.
    const isExact = !length.endsWith("+");
    const after = [
      isExact ? `(?![${last}])` : "",
      alphabet === "dotted" ? "(?<!\\.)" : "",
      alphabet === "base64" ? "={0,2}" : "",
    ];
    const before = `(?<![${isExact ? "-_" : ""}0-9A-Za-z${last}])`;
    byBefore.set(before, [...(byBefore.get(before) ?? []), [...stretches, ...after].join("")]);
  }
  return Array.from(byBefore, ([before, sources]) => new RegExp(`${before}()(?:${sources.join("|")})`, "g"));
}

function stretchOf(shape: string): string {
  const [alphabet = "", length = "", need = ""] = shape.split(" ");
  const characters = `[${ALPHABETS[alphabet]}]`;
  const [least = "", most = least] = length.replace("+", "-").split("-");
  const needed = (NEEDS[need] ?? []).map((one) => `(?=${characters}*?${one})`);
  return `${needed.join("")}${characters}{${least},${most}}`;
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

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

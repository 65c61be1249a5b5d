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
export const KEY_FORMATS: readonly RegExp[] = patternsOf([
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

export function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

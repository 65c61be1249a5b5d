/** Which characters a stretch of a secret has: `word` is alphanumeric with `_` and `-`, `dotted` is that with `.`. */
export type Alphabet = "digit" | "hex" | "upper" | "alphanumeric" | "word" | "dotted" | "base64";

/** Either these very characters, or a stretch of an alphabet: its least and its most characters. */
type Part = string | readonly [alphabet: Alphabet, min: number, max: number];

export interface SecretFormat {
  readonly kind: string;
  readonly parts: readonly Part[];
  /** What the key has to have, so that words and names of the same beginning stay. */
  readonly needs?: "digit" | "mixed";
  /** Whether the first part introduces the key and stays. */
  readonly introduced?: true;
}

/**
 * Key formats that can be told by themselves. Source: the default rules of gitleaks (config/gitleaks.toml, 2026-07), and for
 * services that these leave out the services' own documentation. Here what follows a beginning, then the services with theirs:
 * `20+` is at least so many characters (rounded down), `20` or `16-24` the length that is known exactly. A digit tells a key
 * from hyphenated prose such as `sk-learn-based-pipeline-configuration`.
 */
const BY_BEGINNING = `
  alphanumeric 100+ mixed: facebook EAA
  alphanumeric 14+: razorpay rzp_live_ rzp_test_
  alphanumeric 16+: stripe sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ sk_prod_ whsec_
  alphanumeric 16+: settlemint sm_aat_ sm_pat_ sm_sat_
  alphanumeric 16-24 mixed: alibaba LTAI
  alphanumeric 20+ mixed: bitbucket ATBB, render rnd_
  alphanumeric 20+: github ghp_ gho_ ghu_ ghs_ ghr_, vercel vcp_ vci_ vca_ vcr_ vck_
  alphanumeric 20-32 mixed: fireworks fw_
  alphanumeric 22 mixed: modal ak- as-
  alphanumeric 28 digit: adafruit aio_
  alphanumeric 29 digit: ntfy tk_
  alphanumeric 30+: huggingface hf_ api_org_, replicate r8_, npm npm_, buildkite bkua_ bkct_
  alphanumeric 30+: deno ddp_ ddo_ ddw_, netlify nfp_ nfc_ nfo_, prefect pnu_ pnb_, infracost ico-
  alphanumeric 30+: linear lin_api_ lin_oauth_
  alphanumeric 30-44 digit: mollie live_ test_
  alphanumeric 32 mixed: crates cio, tencent AKID
  alphanumeric 32: adobe p8e-
  alphanumeric 38 mixed: clickhouse 4b1d
  alphanumeric 40+ digit: statsig secret-
  alphanumeric 40+: groq gsk_, xai xai-, perplexity pplx-, cerebras csk-, clojars CLOJARS_, neon napi_
  alphanumeric 40+: xata xau_, honeycomb hcaik_ hcaic_ hcxik_ hcxlk_ hcamk_, posthog phx_ phs_
  alphanumeric 40+: polar polar_oat_ polar_pat_, notion ntn_ secret_
  alphanumeric 43 digit: nuget oy2
  alphanumeric 54: easypost EZAK EZTK
  alphanumeric 59 mixed: artifactory cmVmd
  alphanumeric 60+: onesignal os_v2_app_ os_v2_org_, readme rdme_
  alphanumeric 69 mixed: artifactory AKCp
  base64 100+: 1password ops_eyJ
  base64 109-269 mixed: aws ABSK
  base64 28 mixed: backblaze K00
  base64 30+: aws bedrock-api-key-, grafana glc_
  base64 50-60 mixed: intercom dG9rO
  base64 60+: fly fm1r_ fm1a_ fm2_
  dotted 20+: gitlab glpat- glptt- gldt- glrt- glcbt- glft- glffct- glimt- glagent- gloas- glsoat- GR1348941
  dotted 30+: planetscale pscale_tkn_ pscale_oauth_ pscale_pw_
  dotted 40+: doppler dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit., typeform tfp_
  dotted 60+: dynatrace dt0c01. dt0s01. dt0s16.
  hex 32+: databricks dapi, shopify shpat_ shpca_ shppa_ shpss_
  hex 32: firecrawl fc-, checkly cu_, twilio SK, mailgun key-
  hex 34: klaviyo pk_
  hex 40+: e2b e2b_ e2b_sk_, rubygems rubygems_, sonarqube squ_ sqp_ sqa_, supabase sbp_, pulumi pul-
  hex 40+: shippo shippo_live_ shippo_test_
  hex 40: woocommerce ck_ cs_
  hex 48: elevenlabs sk_
  hex 60+: digitalocean dop_v1_ doo_v1_ dor_v1_, sentry sntryu_, mailersend mlsn., trello ATTA
  hex 64: cursor key_
  upper 16: aws AKIA ASIA ABIA ACCA
  upper 17 digit: scaleway SCW
  upper 26 digit: octopus API-
  upper 40+: age AGE-SECRET-KEY-1
  word 10+: flutterwave FLWSECK- FLWSECK_TEST-
  word 10+: slack xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxp- xoxe.xoxb- xapp-
  word 100+: cloudflare v1.0-
  word 16+ digit: newrelic NRAK- NRJS- NRII- NRRA-
  word 20+ digit: openai sk- sess-, tavily tvly-
  word 20+: anthropic sk-ant-, github github_pat_, docker dckr_pat_ dckr_oat_, google ya29. GOCSPX-
  word 20+: supabase sb_secret_, tailscale tskey-, vault hvs. hvb. hvr., square sq0atp- sq0csp-, matrix syt_
  word 30+: together tgp_v1_, langsmith lsv2_pt_ lsv2_sk_, circleci CCIPAT_ CCIPRJ_, gitpod gitpod_pat_
  word 30+: google AIza, vercel vercel_blob_rw_, mongodb mdb_sa_sk_, axiom xaat- xapt-
  word 30+: plaid access-sandbox- access-development- access-production-, amazon amzn.mws. amzn1.oa2-cs.v1.
  word 30+: figma figd_ figo_, hubspot pat-na1- pat-na2- pat-eu1-
  word 30-36 digit: 1password A3-
  word 35-38 mixed: yandex AQVN
  word 36 digit: launchdarkly sdk- mob-
  word 37 mixed: fauna fnA
  word 40+: pinecone pcsk_, jina jina_, atlassian ATATT3 ATCTT3 ATSTT3, pypi pypi-AgE, sourcegraph sgp_
  word 40+: postman PMAK-, cloudflare cfat_ cfut_ cfk_, scalingo tk-us-, fly fo1_, heroku HRKU-AA
  word 40+: cockroach CCDB1_, openshift sha256~, grafana glsa_
  word 40+: paypal access_token$production$ access_token$sandbox$, paddle pdl_live_apikey_ pdl_sdbx_apikey_
  word 40+: duffel duffel_test_ duffel_live_, contentful CFPAT-
  word 43 mixed: voyage pa-
  word 60 mixed: square EAAA
  word 60+: brevo xkeysib- xsmtpsib-, frameio fio-u-
  word 80+: dropbox sl.`;
/** Keys of several parts: the service, the parts, and what the key needs; `behind`: the first part introduces it. */
const OF_PARTS = `
  harness pat.<word 22>.<alphanumeric 24>.<alphanumeric 20>
  azure AccountKey=<base64 40+> behind
  azure SharedAccessKey=<base64 40+> behind
  azure <alphanumeric 3><digit 1>Q~<dotted 31-34>
  tinybird p.eyJ<word 40+>.<word 20+>
  terraform <alphanumeric 14>.atlasv1.<word 50+>
  sentry sntrys_<base64 40+>_<base64 40+>
  sentry sntrys_<base64 40+>=_<base64 40+>
  sentry sntrys_<base64 40+>==_<base64 40+>
  slack hooks.slack.com/<alphanumeric 8-9>/<base64 20+> behind
  discord discord.com/api/webhooks/<digit 15-22>/<word 40+> behind
  discord M<word 23-27>.<word 6>.<word 27-38> mixed
  discord N<word 23-27>.<word 6>.<word 27-38> mixed
  discord O<word 23-27>.<word 6>.<word 27-38> mixed
  telegram <digit 8-10>:AA<word 33>
  telegram bot<digit 8-10>:AA<word 33>
  firebase AAAA<word 7>:APA91b<word 100+>
  telnyx KEY<upper 32-40>_<alphanumeric 20-24>
  sendgrid SG.<word 16-32>.<word 30+>
  mailchimp <hex 32>-us<digit 1-2>
  resend re_<alphanumeric 8>_<alphanumeric 24> mixed
  airtable pat<alphanumeric 14>.<hex 64>
  asana <digit 1>/<digit 14-20>:<hex 32>
  asana <digit 1>/<digit 14-20>/<digit 14-20>:<hex 32>
  clickup pk_<digit 4-10>_<upper 32>
  maxmind <alphanumeric 6>_<alphanumeric 29>_mmk
  mapbox sk.eyJ<word 40+>.<word 20+>
  jwt eyJ<word 8+>.eyJ<word 8+>.<word 1+>
  jwt eyJ<word 8+>.eyJ<word 8+>`;

/** The longest beginnings first: what two of them fit is of the service that says more. */
export const SECRET_FORMATS: readonly SecretFormat[] = [
  ...linesOf(OF_PARTS).map((line): SecretFormat => {
    const [, kind = "", parts = "", rest = ""] = /^(\S+) ((?:[^ <]|<[^>]*>)+)(.*)$/u.exec(line) ?? [];
    return {
      kind,
      parts: partsOf(parts),
      ...needsOf(rest),
      ...(rest.endsWith("behind") ? { introduced: true } : {}),
    };
  }),
  ...linesOf(BY_BEGINNING).flatMap((line) => {
    const [shape = "", services = ""] = line.split(": ");
    return services.split(", ").flatMap((service) => {
      const [kind = "", ...beginnings] = service.split(" ");
      return beginnings.map((start) => ({ kind, parts: [start, stretchOf(shape)], ...needsOf(shape) }));
    });
  }),
].toSorted((one, other) => beginningOf(other).length - beginningOf(one).length);

function linesOf(table: string): string[] {
  return table.trim().split(/\n\s*/u);
}

function beginningOf({ parts: [first] }: SecretFormat): string {
  return typeof first === "string" ? first : "";
}

function partsOf(text: string): Part[] {
  const parts = text.split(/[<>]/u).map((part, at) => (at % 2 === 1 ? stretchOf(part) : part));
  return parts.filter((part) => part !== "");
}

function stretchOf(shape: string): Part {
  const [alphabet, length = ""] = shape.split(" ");
  const [min = "", max = min] = length.split("-");
  const most = length.endsWith("+") ? Number.MAX_SAFE_INTEGER : Number(max);
  return [alphabet as Alphabet, Number.parseInt(min, 10), most];
}

function needsOf(text: string): Pick<SecretFormat, "needs"> {
  const needs = (["digit", "mixed"] as const).find((each) => text.endsWith(` ${each}`));
  return needs === undefined ? {} : { needs };
}

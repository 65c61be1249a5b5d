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

const MANY = Number.MAX_SAFE_INTEGER;

type Options = Pick<SecretFormat, "needs" | "introduced">;

/** Formats of one kind that differ in their beginning. @param max where the length is known exactly; else the whole stretch counts */
function formats(
  kind: string,
  beginnings: string,
  [alphabet, min, max = MANY]: readonly [Alphabet, number, number?],
  options: Options = {},
): SecretFormat[] {
  return beginnings
    .split(" ")
    .map((beginning) => ({ kind, parts: [beginning, [alphabet, min, max]], ...options }));
}

/**
 * Key formats that can be told by themselves. Source: the default rules of gitleaks (config/gitleaks.toml, 2026-07), and for
 * services that these leave out the services' own documentation. A new service is a new row.
 */
export const SECRET_FORMATS: readonly SecretFormat[] = [
  // Models
  ...formats("anthropic", "sk-ant-", ["word", 20]),
  // The digit tells a key from hyphenated prose such as `sk-learn-based-pipeline-configuration`.
  ...formats("openai", "sk- sess-", ["word", 20], { needs: "digit" }),
  ...formats("groq", "gsk_", ["alphanumeric", 40]),
  ...formats("xai", "xai-", ["alphanumeric", 40]),
  ...formats("perplexity", "pplx-", ["alphanumeric", 40]),
  ...formats("huggingface", "hf_ api_org_", ["alphanumeric", 30]),
  ...formats("replicate", "r8_", ["alphanumeric", 30]),
  ...formats("fireworks", "fw_", ["alphanumeric", 20, 32], { needs: "mixed" }),
  ...formats("pinecone", "pcsk_", ["word", 40]),
  ...formats("together", "tgp_v1_", ["word", 30]),
  ...formats("cerebras", "csk-", ["alphanumeric", 40]),
  ...formats("voyage", "pa-", ["word", 43, 43], { needs: "mixed" }),
  ...formats("elevenlabs", "sk_", ["hex", 48, 48]),
  ...formats("tavily", "tvly-", ["word", 28], { needs: "digit" }),
  ...formats("firecrawl", "fc-", ["hex", 32, 32]),
  ...formats("e2b", "e2b_ e2b_sk_", ["hex", 40]),
  ...formats("jina", "jina_", ["word", 40]),
  ...formats("cursor", "key_", ["hex", 64, 64]),
  ...formats("modal", "ak- as-", ["alphanumeric", 22, 22], { needs: "mixed" }),
  ...formats("langsmith", "lsv2_pt_ lsv2_sk_", ["word", 32]),
  // Code and packages
  ...formats("github", "ghp_ gho_ ghu_ ghs_ ghr_", ["alphanumeric", 20]),
  ...formats("github", "github_pat_", ["word", 20]),
  ...formats(
    "gitlab",
    "glpat- glptt- gldt- glrt- glcbt- glft- glffct- glimt- glagent- gloas- glsoat- GR1348941",
    ["dotted", 20],
  ),
  ...formats("bitbucket", "ATBB", ["alphanumeric", 24], { needs: "mixed" }),
  ...formats("atlassian", "ATATT3 ATCTT3 ATSTT3", ["word", 40]),
  ...formats("npm", "npm_", ["alphanumeric", 30]),
  ...formats("pypi", "pypi-AgE", ["word", 40]),
  ...formats("rubygems", "rubygems_", ["hex", 40]),
  ...formats("crates", "cio", ["alphanumeric", 32, 32], { needs: "mixed" }),
  ...formats("nuget", "oy2", ["alphanumeric", 43, 43], { needs: "digit" }),
  ...formats("clojars", "CLOJARS_", ["alphanumeric", 50]),
  ...formats("docker", "dckr_pat_ dckr_oat_", ["word", 20]),
  ...formats("artifactory", "AKCp", ["alphanumeric", 69, 69], { needs: "mixed" }),
  ...formats("artifactory", "cmVmd", ["alphanumeric", 59, 59], { needs: "mixed" }),
  ...formats("circleci", "CCIPAT_ CCIPRJ_", ["word", 30]),
  ...formats("buildkite", "bkua_ bkct_", ["alphanumeric", 32]),
  ...formats("sourcegraph", "sgp_", ["word", 40]),
  ...formats("sonarqube", "squ_ sqp_ sqa_", ["hex", 40]),
  ...formats("gitpod", "gitpod_pat_", ["word", 30]),
  ...formats("deno", "ddp_ ddo_ ddw_", ["alphanumeric", 30]),
  {
    kind: "harness",
    parts: ["pat.", ["word", 22, 22], ".", ["alphanumeric", 24, 24], ".", ["alphanumeric", 20, 20]],
  },
  ...formats("postman", "PMAK-", ["word", 50]),
  ...formats("octopus", "API-", ["upper", 26, 26], { needs: "digit" }),
  // Clouds and hosting
  ...formats("aws", "AKIA ASIA ABIA ACCA", ["upper", 16, 16]),
  ...formats("aws", "ABSK", ["base64", 109, 269], { needs: "mixed" }),
  ...formats("aws", "bedrock-api-key-", ["base64", 30]),
  ...formats("google", "AIza", ["word", 30]),
  ...formats("google", "ya29.", ["word", 20]),
  ...formats("google", "GOCSPX-", ["word", 20]),
  ...formats("azure", "AccountKey= SharedAccessKey=", ["base64", 40], { introduced: true }),
  { kind: "azure", parts: [["alphanumeric", 3, 3], ["digit", 1, 1], "Q~", ["dotted", 31, 34]] },
  ...formats("alibaba", "LTAI", ["alphanumeric", 16, 24], { needs: "mixed" }),
  ...formats("tencent", "AKID", ["alphanumeric", 32, 32], { needs: "mixed" }),
  ...formats("digitalocean", "dop_v1_ doo_v1_ dor_v1_", ["hex", 60]),
  ...formats("cloudflare", "v1.0-", ["word", 171]),
  ...formats("cloudflare", "cfat_ cfut_ cfk_", ["word", 40]),
  ...formats("scaleway", "SCW", ["upper", 17, 17], { needs: "digit" }),
  ...formats("scalingo", "tk-us-", ["word", 48]),
  ...formats("backblaze", "K00", ["base64", 28, 28], { needs: "mixed" }),
  ...formats("yandex", "AQVN", ["word", 35, 38], { needs: "mixed" }),
  ...formats("fly", "fo1_", ["word", 40]),
  ...formats("fly", "fm1r_ fm1a_ fm2_", ["base64", 60]),
  ...formats("heroku", "HRKU-AA", ["word", 50]),
  ...formats("netlify", "nfp_ nfc_ nfo_", ["alphanumeric", 30]),
  ...formats("vercel", "vercel_blob_rw_", ["word", 30]),
  ...formats("vercel", "vcp_ vci_ vca_ vcr_ vck_", ["alphanumeric", 24]),
  ...formats("render", "rnd_", ["alphanumeric", 24], { needs: "mixed" }),
  ...formats("supabase", "sbp_", ["hex", 40]),
  ...formats("supabase", "sb_secret_", ["word", 20]),
  ...formats("neon", "napi_", ["alphanumeric", 40]),
  ...formats("planetscale", "pscale_tkn_ pscale_oauth_ pscale_pw_", ["dotted", 30]),
  ...formats("mongodb", "mdb_sa_sk_", ["word", 30]),
  ...formats("cockroach", "CCDB1_", ["word", 40]),
  ...formats("xata", "xau_", ["alphanumeric", 40]),
  ...formats("fauna", "fnA", ["word", 37, 37], { needs: "mixed" }),
  { kind: "tinybird", parts: ["p.eyJ", ["word", 40, MANY], ".", ["word", 20, MANY]] },
  ...formats("databricks", "dapi", ["hex", 32]),
  ...formats("clickhouse", "4b1d", ["alphanumeric", 38, 38], { needs: "mixed" }),
  { kind: "terraform", parts: [["alphanumeric", 14, 14], ".atlasv1.", ["word", 50, MANY]] },
  ...formats("pulumi", "pul-", ["hex", 40]),
  ...formats("prefect", "pnu_ pnb_", ["alphanumeric", 30]),
  ...formats("infracost", "ico-", ["alphanumeric", 32]),
  ...formats("openshift", "sha256~", ["word", 43]),
  ...formats("tailscale", "tskey-", ["word", 20]),
  ...formats("doppler", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", ["dotted", 40]),
  ...formats("vault", "hvs. hvb. hvr.", ["word", 24]),
  ...formats("1password", "ops_eyJ", ["base64", 200]),
  ...formats("1password", "A3-", ["word", 30, 36], { needs: "digit" }),
  ...formats("age", "AGE-SECRET-KEY-1", ["upper", 58]),
  // Watching
  ...formats("grafana", "glsa_", ["word", 41]),
  ...formats("grafana", "glc_", ["base64", 32]),
  ...formats("newrelic", "NRAK- NRJS- NRII- NRRA-", ["word", 19], { needs: "digit" }),
  ...formats("dynatrace", "dt0c01. dt0s01. dt0s16.", ["dotted", 60]),
  ...formats("sentry", "sntryu_", ["hex", 60]),
  ...["_", "=_", "==_"].map((joint): SecretFormat => {
    const parts: Part[] = ["sntrys_", ["base64", 40, MANY], joint, ["base64", 40, MANY]];
    return { kind: "sentry", parts };
  }),
  ...formats("honeycomb", "hcaik_ hcaic_ hcxik_ hcxlk_ hcamk_", ["alphanumeric", 40]),
  ...formats("posthog", "phx_ phs_", ["alphanumeric", 40]),
  ...formats("axiom", "xaat- xapt-", ["word", 36]),
  ...formats("checkly", "cu_", ["hex", 32, 32]),
  ...formats("statsig", "secret-", ["alphanumeric", 40], { needs: "digit" }),
  ...formats("launchdarkly", "sdk- mob-", ["word", 36, 36], { needs: "digit" }),
  // Money
  ...formats("stripe", "sk_live_ sk_test_ rk_live_ rk_test_ pk_live_ sk_prod_ whsec_", ["alphanumeric", 16]),
  ...formats("square", "EAAA", ["word", 60, 60], { needs: "mixed" }),
  ...formats("square", "sq0atp- sq0csp-", ["word", 20]),
  ...formats("paypal", "access_token$production$ access_token$sandbox$", ["word", 40]),
  ...formats("plaid", "access-sandbox- access-development- access-production-", ["word", 36]),
  ...formats("mollie", "live_ test_", ["alphanumeric", 30, 44], { needs: "digit" }),
  ...formats("paddle", "pdl_live_apikey_ pdl_sdbx_apikey_", ["word", 40]),
  ...formats("polar", "polar_oat_ polar_pat_", ["alphanumeric", 40]),
  ...formats("razorpay", "rzp_live_ rzp_test_", ["alphanumeric", 14]),
  ...formats("woocommerce", "ck_ cs_", ["hex", 40, 40]),
  ...formats("amazon", "amzn.mws. amzn1.oa2-cs.v1.", ["word", 36]),
  ...formats("flutterwave", "FLWSECK- FLWSECK_TEST-", ["word", 12]),
  ...formats("easypost", "EZAK EZTK", ["alphanumeric", 54, 54]),
  ...formats("duffel", "duffel_test_ duffel_live_", ["word", 40]),
  ...formats("shippo", "shippo_live_ shippo_test_", ["hex", 40]),
  ...formats("shopify", "shpat_ shpca_ shppa_ shpss_", ["hex", 32]),
  // Mail, chat and telephone
  ...formats("slack", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxp- xoxe.xoxb- xapp-", ["word", 10]),
  {
    kind: "slack",
    parts: ["hooks.slack.com/", ["alphanumeric", 8, 9], "/", ["base64", 20, MANY]],
    introduced: true,
  },
  {
    kind: "discord",
    parts: ["discord.com/api/webhooks/", ["digit", 15, 22], "/", ["word", 40, MANY]],
    introduced: true,
  },
  // A bot's number in base64, which begins with a digit's.
  ...["M", "N", "O"].map((digit): SecretFormat => {
    const parts: Part[] = [digit, ["word", 23, 27], ".", ["word", 6, 6], ".", ["word", 27, 38]];
    return { kind: "discord", parts, needs: "mixed" };
  }),
  { kind: "telegram", parts: [["digit", 8, 10], ":AA", ["word", 33, 33]] },
  { kind: "telegram", parts: ["bot", ["digit", 8, 10], ":AA", ["word", 33, 33]] },
  { kind: "firebase", parts: ["AAAA", ["word", 7, 7], ":APA91b", ["word", 100, MANY]] },
  ...formats("matrix", "syt_", ["word", 20]),
  ...formats("ntfy", "tk_", ["alphanumeric", 29, 29], { needs: "digit" }),
  { kind: "telnyx", parts: ["KEY", ["upper", 32, 40], "_", ["alphanumeric", 20, 24]] },
  ...formats("onesignal", "os_v2_app_ os_v2_org_", ["alphanumeric", 60]),
  ...formats("klaviyo", "pk_", ["hex", 34, 34]),
  ...formats("intercom", "dG9rO", ["base64", 50, 60], { needs: "mixed" }),
  ...formats("twilio", "SK", ["hex", 32, 32]),
  { kind: "sendgrid", parts: ["SG.", ["word", 16, 32], ".", ["word", 30, MANY]] },
  ...formats("brevo", "xkeysib- xsmtpsib-", ["word", 64]),
  ...formats("mailgun", "key-", ["hex", 32, 32]),
  { kind: "mailchimp", parts: [["hex", 32, 32], "-us", ["digit", 1, 2]] },
  ...formats("mailersend", "mlsn.", ["hex", 60]),
  { kind: "resend", parts: ["re_", ["alphanumeric", 8, 8], "_", ["alphanumeric", 24, 24]], needs: "mixed" },
  // Work
  ...formats("notion", "ntn_ secret_", ["alphanumeric", 40]),
  ...formats("linear", "lin_api_ lin_oauth_", ["alphanumeric", 30]),
  ...formats("figma", "figd_ figo_", ["word", 30]),
  { kind: "airtable", parts: ["pat", ["alphanumeric", 14, 14], ".", ["hex", 64, 64]] },
  { kind: "asana", parts: [["digit", 1, 1], "/", ["digit", 14, 20], ":", ["hex", 32, 32]] },
  {
    kind: "asana",
    parts: [["digit", 1, 1], "/", ["digit", 14, 20], "/", ["digit", 14, 20], ":", ["hex", 32, 32]],
  },
  ...formats("trello", "ATTA", ["hex", 60]),
  { kind: "clickup", parts: ["pk_", ["digit", 4, 10], "_", ["upper", 32, 32]] },
  ...formats("typeform", "tfp_", ["dotted", 40]),
  ...formats("adafruit", "aio_", ["alphanumeric", 28, 28], { needs: "digit" }),
  ...formats("adobe", "p8e-", ["alphanumeric", 32, 32]),
  { kind: "maxmind", parts: [["alphanumeric", 6, 6], "_", ["alphanumeric", 29, 29], "_mmk"] },
  ...formats("settlemint", "sm_aat_ sm_pat_ sm_sat_", ["alphanumeric", 16]),
  ...formats("hubspot", "pat-na1- pat-na2- pat-eu1-", ["word", 36]),
  ...formats("contentful", "CFPAT-", ["word", 40]),
  ...formats("dropbox", "sl.", ["word", 80]),
  ...formats("frameio", "fio-u-", ["word", 60]),
  ...formats("readme", "rdme_", ["alphanumeric", 60]),
  { kind: "mapbox", parts: ["sk.eyJ", ["word", 40, MANY], ".", ["word", 20, MANY]] },
  ...formats("facebook", "EAA", ["alphanumeric", 100], { needs: "mixed" }),
  { kind: "jwt", parts: ["eyJ", ["word", 8, MANY], ".eyJ", ["word", 8, MANY], ".", ["word", 1, MANY]] },
  { kind: "jwt", parts: ["eyJ", ["word", 8, MANY], ".eyJ", ["word", 8, MANY]] },
];

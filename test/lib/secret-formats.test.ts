import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/lib/redaction.ts";
import { readCases } from "../support/cases.ts";

const redact = createRedactor({});

const DIGITS = "0123456789";
const HEX = `${DIGITS}abcdef`;
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ALPHANUMERIC = DIGITS + UPPER + UPPER.toLowerCase();

/** A made-up stretch, the same in every run, which begins with a digit and letters of both cases where it may have them. */
function made(characters: string, length: number): string {
  const head = characters === ALPHANUMERIC ? "7Qz" : "";
  let seed = length * 7919 + characters.length;
  const rest = Array.from({ length: length - head.length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return characters[Math.floor((seed / 2_147_483_648) * characters.length)];
  });
  return head + rest.join("");
}
const any = (length: number): string => made(ALPHANUMERIC, length);
const hex = (length: number): string => made(HEX, length);
const upper = (length: number): string => made(DIGITS + UPPER, length);
const digits = (length: number): string => made(DIGITS, length);
const uuid = (): string => [8, 4, 4, 4, 12].map((length) => hex(length)).join("-");

/** Keys as sixty services of today write them, joined at run time so that no scanner takes this file for a leak. */
const KEYS: Readonly<Record<string, string>> = {
  OpenAI: `sk-proj-${any(74)}T3BlbkFJ${any(74)}`,
  Anthropic: `sk-ant-api03-${any(93)}AA`,
  OpenRouter: `sk-or-v1-${hex(64)}`,
  DeepSeek: `sk-${hex(32)}`,
  "Google AI": `AIza${any(35)}`,
  Groq: `gsk_${any(52)}`,
  xAI: `xai-${any(80)}`,
  Perplexity: `pplx-${any(48)}`,
  "Hugging Face": `hf_${made(UPPER.toLowerCase(), 34)}`,
  Replicate: `r8_${any(37)}`,
  Fireworks: `fw_${any(24)}`,
  Pinecone: `pcsk_${any(6)}_${any(63)}`,
  LangSmith: `lsv2_pt_${hex(32)}_${hex(10)}`,
  GitHub: `ghp_${any(36)}`,
  "GitHub fine-grained": `github_pat_${any(22)}_${any(59)}`,
  GitLab: `glpat-${any(20)}`,
  Bitbucket: `ATBB${any(32)}`,
  Atlassian: `ATATT3${any(186)}`,
  npm: `npm_${any(36)}`,
  PyPI: `pypi-AgEIcHlwaS5vcmc${any(120)}`,
  RubyGems: `rubygems_${hex(48)}`,
  "crates.io": `cio${any(32)}`,
  NuGet: `oy2${made(DIGITS + UPPER.toLowerCase(), 43)}`,
  "Docker Hub": `dckr_pat_${any(27)}`,
  Artifactory: `AKCp${any(69)}`,
  CircleCI: `CCIPAT_${any(22)}_${hex(40)}`,
  Buildkite: `bkua_${hex(40)}`,
  Postman: `PMAK-${hex(24)}-${hex(34)}`,
  AWS: `AKIA${made(`${UPPER}234567`, 16)}`,
  "AWS Bedrock": `ABSK${any(128)}`,
  "Google OAuth": `GOCSPX-${any(28)}`,
  "Azure AD": `${made(ALPHANUMERIC, 4).slice(1)}8Q~${any(34)}`,
  "Azure Storage": `AccountKey=${any(86)}==`,
  Alibaba: `LTAI${any(20)}`,
  DigitalOcean: `dop_v1_${hex(64)}`,
  "Fly.io": `fo1_${any(43)}`,
  Heroku: `HRKU-AA${any(58)}`,
  Netlify: `nfp_${any(36)}`,
  Supabase: `sbp_${hex(40)}`,
  Neon: `napi_${any(64)}`,
  PlanetScale: `pscale_tkn_${any(43)}`,
  Databricks: `dapi${hex(32)}`,
  Terraform: `${any(14)}.atlasv1.${any(67)}`,
  Tailscale: `tskey-auth-${any(12)}-${any(32)}`,
  Doppler: `dp.pt.${any(43)}`,
  Vault: `hvs.${any(95)}`,
  Grafana: `glsa_${any(32)}_${hex(8)}`,
  "New Relic": `NRAK-${upper(27)}`,
  Dynatrace: `dt0c01.${upper(24)}.${upper(64)}`,
  Sentry: `sntryu_${hex(64)}`,
  LaunchDarkly: `sdk-${uuid()}`,
  Stripe: `sk_live_${any(24)}`,
  Square: `EAAA${any(60)}`,
  Shopify: `shpat_${hex(32)}`,
  Slack: `xoxb-${digits(12)}-${digits(12)}-${any(24)}`,
  Discord: `M${any(25)}.${any(6)}.${any(38)}`,
  Telegram: `${digits(10).replace(/^0/, "1")}:AA${any(33)}`,
  SendGrid: `SG.${any(22)}.${any(43)}`,
  Notion: `ntn_${digits(11)}${any(35)}`,
  Airtable: `pat${any(14)}.${hex(64)}`,
};

const contexts: readonly (readonly [string, (key: string) => string])[] = [
  ["alone", (key) => key],
  ["in an assignment", (key) => `export THING=${key}\n`],
  ["in JSON", (key) => JSON.stringify({ thing: key, next: 1 })],
  ["in prose", (key) => `The key is ${key}, keep it.`],
  ["in YAML", (key) => `thing: ${key}\nnext: 1`],
];

describe("the key formats of sixty services", () => {
  it("are sixty", () => {
    expect(Object.keys(KEYS)).toHaveLength(60);
  });

  it.each(Object.entries(KEYS))("%s", (_service, key) => {
    for (const [name, context] of contexts) {
      const out = redact(context(key));
      expect(out, name).toContain("[REDACTED:");
      for (let at = 0; at + 12 <= key.length; at += 4) {
        const piece = key.slice(at, at + 12);
        if (piece !== "AccountKey=".slice(at)) expect(out, name).not.toContain(piece);
      }
      expect(redact(out)).toBe(out);
    }
  });
});

describe("what looks like a key and is none", () => {
  const blob = Buffer.from(Array.from({ length: 60_000 }, (_, at) => (at * at * 31 + at * 7) % 251));
  it.each<[string, string]>([
    ["hashes of commits", `${hex(40)} ${hex(7)} ${hex(64)}`],
    ["a UUID", `id: ${uuid()}, sdk ${uuid()}`],
    ["an integrity hash", `"integrity": "sha512-${Buffer.from(hex(64)).toString("base64")}=="`],
    ["an image", `url(data:image/png;base64,${blob.toString("base64")})`],
    ["base64 in lines", blob.toString("base64").replaceAll(/.{76}/g, "$&\n")],
    ["base64 of zeros", Buffer.alloc(3_000).toString("base64").replaceAll(/.{64}/g, "$&\n")],
    [
      "names in code",
      "re_compile_pattern_for_everything_here, hf_hub, fw_version, key-value, pat.match(x), SK, sl.id",
    ],
    ["calls", "MY_API_TOKEN = readTokenFromTheEnvironment2(process)"],
    [
      "placeholders",
      "postgres://app:${DB_PASSWORD}@db/x API_TOKEN=$OTHER_TOKEN_12345 SECRET=<your-secret-goes-here-1>",
    ],
    ["limits and words", "MAX_TOKEN=4096 TOKEN_LIMIT=12345678901234567890 API_TOKEN=none"],
    ["addresses", "http://localhost:3000/a@b ssh://git@github.com/o/r.git https://x.y:8080/?a=b@c"],
  ])("%s", (_name, text) => {
    expect(redact(text)).toBe(text);
  });
});

describe("values under names that say what they are", () => {
  const value = any(32);
  it.each([
    ["a variable", `DD_API_KEY=${value}`],
    ["a quoted one", `export CLOUDFLARE_API_TOKEN="${value}"`],
    ["one in YAML", `  TWILIO_AUTH_TOKEN: ${value}`],
    ["one in JSON", JSON.stringify({ MISTRAL_API_KEY: value })],
    ["a header", `curl -H "x-api-key: ${value}"`],
    ["another scheme", `authorization: Token ${value}`],
    ["a header in JSON", JSON.stringify({ Authorization: `Basic ${value}` })],
  ])("%s", (_name, text) => {
    expect(redact(text)).not.toContain(value);
    expect(redact(redact(text))).toBe(redact(text));
  });
});

describe("known values", () => {
  const value = `p@ss/w"rd+${any(12)}`;
  const known = createRedactor({ SERVICE_PASSWORD: value }, { OTHER_TOKEN: "from-a-file-1" });
  it.each([
    ["as they are", value],
    ["in JSON", JSON.stringify(value).slice(1, -1)],
    ["in an address", encodeURIComponent(value)],
    ["in base64", Buffer.from(value).toString("base64")],
    ["of a second source", "from-a-file-1"],
  ])("%s", (_name, text) => {
    expect(known(`x ${text} y`)).toMatch(/^x \[REDACTED:env…[A-Za-z0-9]{3,4}\]=* y$/);
  });
});

describe("time", () => {
  const cost = (text: string): number => {
    const before = process.cpuUsage();
    redact(text);
    const { user } = process.cpuUsage(before);
    return user;
  };
  it.each(readCases<string>("lib/secret-formats.grows-with-the-length-of"))(
    "grows with the length of the text alone: %s",
    (piece) => {
      const text = piece.repeat(Math.ceil(100_000 / piece.length));
      const once = Math.min(...[1, 2, 3].map(() => cost(text)));
      const four = Math.min(...[1, 2, 3].map(() => cost(text.repeat(4))));
      expect(four).toBeLessThan(once * 12 + 50_000);
    },
  );
});

import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/lib/redaction.ts";
import { readCases } from "../support/cases.ts";

const redact = createRedactor({});

const DIGITS = "0123456789";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const SETS: Readonly<Record<string, string>> = {
  digits: DIGITS,
  hex: `${DIGITS}abcdef`,
  upper: DIGITS + UPPER,
  lower: LOWER,
  base32: `${UPPER}234567`,
  base36: DIGITS + LOWER,
  any: DIGITS + UPPER + LOWER,
};

/** A made-up stretch, the same in every run, which begins with a digit and letters of both cases where it may have them. */
function made(set: string, length: number): string {
  const characters = SETS[set] ?? "";
  const head = set === "any" ? "7Qz" : "";
  let seed = length * 7919 + characters.length;
  const rest = Array.from({ length: length - head.length }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return characters[Math.floor((seed / 2_147_483_648) * characters.length)];
  });
  return head + rest.join("");
}
const any = (length: number): string => made("any", length);
const hex = (length: number): string => made("hex", length);
const uuid = (): string => [8, 4, 4, 4, 12].map(hex).join("-");

/** Keys as sixty services of today write them, with stretches to be made up, so that no scanner takes this for a leak. */
const KEYS = readCases<[service: string, key: string]>("lib/secret-formats.keys").map(
  ([service, key]) =>
    [
      service,
      key.replaceAll(/<(\w+) (\d+)>/g, (_all, set: string, length: string) => made(set, Number(length))),
    ] as const,
);

const contexts: readonly (readonly [string, (key: string) => string])[] = [
  ["alone", (key) => key],
  ["in an assignment", (key) => `export THING=${key}\n`],
  ["in JSON", (key) => JSON.stringify({ thing: key, next: 1 })],
  ["in prose", (key) => `The key is ${key}, keep it.`],
  ["in YAML", (key) => `thing: ${key}\nnext: 1`],
];

describe("the key formats of sixty services", () => {
  it("are sixty", () => {
    expect(KEYS).toHaveLength(60);
  });

  it.each(KEYS)("%s", (_service, key) => {
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

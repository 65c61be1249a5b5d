import * as fc from "fast-check";
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

/** `<any 12>` stands for a stretch to be made up, so that no scanner takes this for a leak. */
const fill = (text: string): string =>
  text.replaceAll(/<(\w+) (\d+)>/g, (_all, set: string, length: string) => made(set, Number(length)));
/** Keys as services of today write them. */
const KEYS = readCases<[service: string, key: string]>("lib/redaction.keys").map(
  ([service, key]) => [service, fill(key)] as const,
);
const beginOf = (what: string): string => `-----BEGIN ${what}-----`;
const PEM = `${beginOf("RSA PRIVATE KEY")}
Proc-Type: 4,ENCRYPTED
DEK-Info: AES-128-CBC,0011

MIIEpAIBAAKCAQEA7bq1
c0ffee+/beef==
-----END RSA PRIVATE KEY-----`;

const CONTEXTS: readonly (readonly [string, (key: string) => string])[] = [
  ["alone", (key) => key],
  ["in an assignment", (key) => `export THING=${key}\n`],
  ["in JSON", (key) => JSON.stringify({ thing: key, next: 1 })],
  ["in prose", (key) => `The key is ${key}, keep it.`],
  ["in YAML", (key) => `thing: ${key}\nnext: 1`],
];

describe("a secret", () => {
  it.each(KEYS)("is hidden: a key of %s", (_service, key) => {
    for (const [name, context] of CONTEXTS) {
      const out = redact(context(key));
      expect(out, name).toContain("[REDACTED:");
      for (let at = 0; at + 12 <= key.length; at += 4) {
        const piece = key.slice(at, at + 12);
        if (piece !== "AccountKey=".slice(at)) expect(out, name).not.toContain(piece);
      }
      expect(redact(out)).toBe(out);
    }
  });

  it("is hidden but for its last four characters", () => {
    expect(redact(`before sk-ant-api03-${any(33)}-wx-yz, after`)).toBe("before [REDACTED:key…wxyz], after");
  });

  it.each(readCases<[string, string, string]>("lib/redaction.places"))(
    "is hidden: %s",
    (_name, text, secret) => {
      const out = redact(text.replace("{}", fill(secret)));
      expect(out).not.toContain(fill(secret));
      expect(out).toContain("[REDACTED:");
      expect(redact(out)).toBe(out);
    },
  );

  it.each([
    ["whole", PEM],
    ["with escaped line ends", JSON.stringify(PEM)],
    ["quoted", PEM.replaceAll(/^/gm, "> ")],
    ["in a diff", PEM.replaceAll(/^/gm, "-").replaceAll("------", "- -----")],
    ["cut off", PEM.replace(/Proc[^]*?\n\n/, "").slice(0, -45)],
  ])("is hidden: a private key, %s", (_name, text) => {
    const out = redact(`see:\n${text}`);
    expect(out).not.toMatch(/MIIE|c0ffee|beef/);
    expect(out).toContain("[REDACTED:private-key…");
  });
});

describe("what looks like a secret and is none", () => {
  const blob = Buffer.from(Array.from({ length: 60_000 }, (_, at) => (at * at * 31 + at * 7) % 251));
  const uuid = [8, 4, 4, 4, 12].map(hex).join("-");
  it.each([
    ...readCases<string>("lib/redaction.leaves-ordinary-text-alone"),
    `commits ${hex(40)} ${hex(7)} ${hex(64)}`,
    `id: ${uuid}, sdk ${uuid}`,
    `"integrity": "sha512-${Buffer.from(hex(64)).toString("base64")}=="`,
    `url(data:image/png;base64,${blob.toString("base64")})`,
    blob.toString("base64").replaceAll(/.{76}/g, "$&\n"),
    Buffer.alloc(3_000).toString("base64").replaceAll(/.{64}/g, "$&\n"),
  ])("is left alone: %.60s", (text) => {
    expect(redact(text)).toBe(text);
  });

  it("is a header line that is only mentioned: the prose after it stays", () => {
    const text = `${beginOf("PRIVATE KEY")} is what the parser looks for.`;
    expect(redact(text)).toContain("is what the parser looks for.");
  });
});

describe("values that are known", () => {
  it("are hidden where the names of their variables look like credentials, and those only", () => {
    const env = {
      AETERNA_TOKEN: "plainword-value-9876",
      DB_PASSWORD: "hunter22",
      npm_config__authToken: "0f0f0f0f0f",
      MAX_TOKENS: "100000000",
      SECRET_MODE: "production",
      SSH_AUTH_SOCK: "/run/user/1000/agent",
      PWD: "/home/someone/project",
      API_KEY: "short",
      EDITOR: "visual-studio",
    };
    expect(createRedactor(env)(Object.values(env).join(" "))).toBe(
      "[REDACTED:env…9876] [REDACTED:env…22] [REDACTED:env…0f] 100000000 production /run/user/1000/agent " +
        "/home/someone/project short visual-studio",
    );
  });

  it("are the longer of two that begin alike", () => {
    const both = createRedactor({ A_TOKEN: "abcdefgh", B_TOKEN: "abcdefgh-ijklmnop" });
    expect(both("x abcdefgh-ijklmnop y")).toBe("x [REDACTED:env…mnop] y");
  });

  const value = `p@ss/w"rd+${any(12)}`;
  const known = createRedactor({ SERVICE_PASSWORD: value }, { OTHER_TOKEN: "from-a-file-1" });
  it.each([
    ["as they are", value],
    ["in JSON", JSON.stringify(value).slice(1, -1)],
    ["in an address", encodeURIComponent(value)],
    ["in base64", Buffer.from(value).toString("base64")],
    ["of a second source", "from-a-file-1"],
  ])("are hidden %s", (_name, text) => {
    expect(known(`x ${text} y`)).toMatch(/^x \[REDACTED:env…[A-Za-z0-9]{3,4}\]=* y$/);
  });
});

describe("any text", () => {
  const secret = fc.constantFrom(...KEYS.map(([, key]) => key));
  const known = fc.stringMatching(/^[A-Za-z0-9]{8,20}$/);
  const piece = fc.oneof(
    secret,
    fc.constantFrom(PEM, "Bearer ", "https://a:", "@", "sk-", "eyJ", "|"),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(" ", "\n", "-", "_", "[REDACTED:openai…abcd]", "[REDACTED:", "…ab]"),
  );

  it("is redacted once and for all, whatever stands next to a secret", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(known, { maxLength: 3 }), (pieces, values) => {
        const env = Object.fromEntries(values.map((text, index) => [`T${index}_TOKEN`, text]));
        const filter = createRedactor(env);
        const once = filter(pieces.flatMap((text, index) => [text, values[index] ?? ""]).join(""));
        expect(filter(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  it("lets no secret through between two spaces", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 8 });
    fc.assert(
      fc.property(words, secret, words, (before, key, after) => {
        expect(redact([...before, key, ...after].join(" "))).not.toContain(key);
      }),
    );
  });

  const cost = (text: string): number => {
    const before = process.cpuUsage();
    redact(text);
    return process.cpuUsage(before).user;
  };
  it.each(readCases<string>("lib/redaction.almost"))(
    "takes time that grows with its length alone: %s",
    (almost) => {
      const text = almost.repeat(Math.ceil(100_000 / almost.length));
      const once = Math.min(...[1, 2, 3].map(() => cost(text)));
      const four = Math.min(...[1, 2, 3].map(() => cost(text.repeat(4))));
      expect(four).toBeLessThan(once * 12 + 50_000);
    },
  );
});

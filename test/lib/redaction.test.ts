import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../src/lib/redaction.ts";
import { readCases } from "../support/cases.ts";

/** Joined at run time, so that no scanner takes this file for a leak. */
const token = (...parts: string[]): string => parts.join("");
const BODY = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";

const SECRETS: readonly string[] = [
  token("sk-", BODY),
  token("sk-proj-", BODY, "_-", BODY),
  token("sk-ant-", "api03-", BODY, "-xyAA"),
  token("ghp_", BODY),
  token("ghs_", BODY),
  token("github_pat_", "11ABCDEFG0", "_", BODY),
  token("glpat-", "x9Yz_8Ab-7Cd6Ef5Gh4Ij"),
  token("AKIA", "IOSFODNN7EXAMPLE"),
  token("AIza", "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"),
  token("ya29.", BODY),
  token("xoxb-", "123456789012-abcdefABCDEF"),
  token("sk_live_", BODY),
  token("whsec_", BODY),
  token("npm_", BODY),
  token("eyJ", "hbGciOiJIUzI1NiJ9", ".", "eyJzdWIiOiIxMjM0NTY3ODkwIn0", ".", "dozjgNryP4J3jVmNHl0w5N"),
];

const PEM = [
  token("-----BEGIN ", "RSA PRIVATE KEY-----"),
  "Proc-Type: 4,ENCRYPTED",
  "DEK-Info: AES-128-CBC,0011",
  "",
  "MIIEpAIBAAKCAQEA7bq1",
  "c0ffee+/beef==",
  token("-----END ", "RSA PRIVATE KEY-----"),
].join("\n");

const redact = createRedactor({});

describe("token shapes", () => {
  it.each(SECRETS)("hides the key %s but for its last four characters", (secret) => {
    const readable = secret.replaceAll(/[^A-Za-z0-9]/g, "");
    expect(redact(`before ${secret}, after`)).toBe(`before [REDACTED:key…${readable.slice(-4)}], after`);
  });

  it.each([
    ["a bearer header", `Authorization: Bearer ${BODY}`, BODY],
    ["a basic header", "authorization: Basic dXNlcjpodW50ZXIy", "dXNlcjpodW50ZXIy"],
    ["a URL's password", "postgres://app:s3cr3t@db:5432/x", "s3cr3t"],
    ["a password that holds an @", "https://u:p@ss@host/", "p@ss"],
    ["an AWS secret key", `aws_secret_access_key=${BODY}abcd`, BODY],
    ["a slack webhook", "https://hooks.slack.com/services/T0001/B0001/XyzXyzXyzXyz", "XyzXyz"],
    ["an .npmrc line", "//registry/:_authToken=0123-4567-89ab", "4567"],
  ])("hides %s", (_name, text, secret) => {
    expect(redact(text)).not.toContain(secret);
    expect(redact(text)).toContain("[REDACTED:");
  });

  it.each([
    ["whole", PEM],
    ["with escaped line ends", JSON.stringify(PEM)],
    ["quoted", PEM.replaceAll(/^/gm, "> ")],
    ["in a diff", PEM.replaceAll(/^/gm, "-").replaceAll("------", "- -----")],
    ["cut off", PEM.replace(/Proc[^]*?\n\n/, "").slice(0, -45)],
  ])("hides a private key, %s", (_name, text) => {
    const out = redact(`see:\n${text}`);
    expect(out).not.toMatch(/MIIE|c0ffee|beef/);
    expect(out).toContain("[REDACTED:private-key…");
  });

  it.each(readCases<string>("lib/redaction.leaves-ordinary-text-alone"))(
    "leaves ordinary text alone: %s",
    (text) => {
      expect(redact(text)).toBe(text);
    },
  );
});

it("keeps the prose after a header line that is only mentioned", () => {
  const text = `${token("-----BEGIN ", "PRIVATE KEY-----")} is what the parser looks for.`;
  expect(redact(text)).toContain("is what the parser looks for.");
});

describe("values of the environment", () => {
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
  const withEnv = createRedactor(env);

  it("hides the values of variables that look like credentials, and those only", () => {
    expect(withEnv(Object.values(env).join(" "))).toBe(
      "[REDACTED:env…9876] [REDACTED:env…22] [REDACTED:env…0f] 100000000 production /run/user/1000/agent " +
        "/home/someone/project short visual-studio",
    );
  });

  it("finds the longer of two values that begin alike", () => {
    const both = createRedactor({ A_TOKEN: "abcdefgh", B_TOKEN: "abcdefgh-ijklmnop" });
    expect(both("x abcdefgh-ijklmnop y")).toBe("x [REDACTED:env…mnop] y");
  });
});

describe("properties", () => {
  const value = fc.stringMatching(/^[A-Za-z0-9]{8,20}$/);
  const piece = fc.oneof(
    fc.constantFrom(...SECRETS, PEM, "Bearer ", "https://a:", "@", "sk-", "eyJ", "|"),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(" ", "\n", "-", "_", "[REDACTED:openai…abcd]", "[REDACTED:", "…ab]"),
  );

  it("is idempotent, whatever stands next to a secret", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.array(value, { maxLength: 3 }), (pieces, values) => {
        const env = Object.fromEntries(values.map((text, index) => [`T${index}_TOKEN`, text]));
        const filter = createRedactor(env);
        const once = filter(pieces.flatMap((text, index) => [text, values[index] ?? ""]).join(""));
        expect(filter(once)).toBe(once);
      }),
      { numRuns: 500 },
    );
  });

  it("never lets a secret through between two spaces", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,8}$/), { maxLength: 8 });
    fc.assert(
      fc.property(words, fc.constantFrom(...SECRETS), words, (before, secret, after) => {
        expect(redact([...before, secret, ...after].join(" "))).not.toContain(secret);
      }),
    );
  });

  it("handles long runs that almost match, a megabyte each", () => {
    const almost = readCases<string>("lib/redaction.almost");
    for (const text of almost) {
      const long = text.repeat(Math.ceil(1_000_000 / text.length));
      expect(redact(long).length).toBeGreaterThan(0);
    }
  });
});

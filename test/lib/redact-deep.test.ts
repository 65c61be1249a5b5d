import { describe, expect, it } from "vitest";
import { redactDeep, createRedactor } from "../../src/lib/redaction.ts";

describe("redactDeep", () => {
  it("reaches every text of plain data and leaves the rest", () => {
    const key = `ghp_${"a1B2".repeat(9)}`;
    const redact = createRedactor({});
    const given = { message: `failed with ${key}`, extra: { list: [key, 7, null], ok: true } };
    expect(redactDeep(given, redact)).toEqual({
      message: "failed with [REDACTED:key…a1B2]",
      extra: { list: ["[REDACTED:key…a1B2]", 7, null], ok: true },
    });
  });
});

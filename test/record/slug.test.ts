import { describe, expect, it } from "vitest";
import { refuseSlug } from "../../src/record/gaia-path.ts";

describe("refuseSlug", () => {
  it.each(["a", "0", "auth-refactor", "a--b-", "x".repeat(64), "com10", "archive-2"])(
    "accepts %j",
    (slug) => {
      expect(refuseSlug(slug)).toBeNull();
    },
  );

  it.each(["", "-a", "A", "a_b", "a.b", "a/b", "..", "../../x", "/etc", "a\n", "a\0", "ä", " a", ".local"])(
    "refuses %j",
    (slug) => {
      expect(refuseSlug(slug)).toMatch(/1 to 64/);
    },
  );

  it("refuses a name of 65 characters", () => {
    expect(refuseSlug("x".repeat(65))).toMatch(/1 to 64/);
  });

  it.each("archive config learnings agents gaia-init plans con nul prn aux com1 lpt9".split(" "))(
    "refuses the reserved %s",
    (slug) => {
      expect(refuseSlug(slug)).toMatch(/reserved/);
    },
  );
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { isSensitivePath } from "../../src/policy/sensitive-path.ts";
import { readCases } from "../support/cases.ts";

it.each(readCases<[string, string[], boolean]>("policy/sensitive"))(
  "%j may hold secrets, with %j allowed: %s",
  (path, allow, expected) => {
    expect(isSensitivePath(path, allow)).toBe(expected);
  },
);

it("takes any text for a path", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.array(fc.string()), (path, allow) => {
      expect(typeof isSensitivePath(path, allow)).toBe("boolean");
    }),
  );
});

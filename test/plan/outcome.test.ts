import * as fc from "fast-check";
import { expect, it } from "vitest";
import { conclusionOf } from "../../src/plan/review/outcome.ts";

const concluded = (outcome: unknown, status = "completed") => conclusionOf("hades", status, { outcome });
it.each([
  [
    { verdict: "REJECT", reason: "bad", next_step: "fix" },
    { verdict: "REJECT", reason: "bad", nextStep: "fix" },
  ],
  [{ verdict: " reject " }, { verdict: "REJECT" }],
  [{ verdict: "APPROVE" }, { verdict: "APPROVE" }],
])("what a reviewer concludes is read from %j", (raw, expected) => {
  expect(concluded(raw)).toEqual({ reviewer: "hades", ...expected });
});

it.each(["partial", "failed", "cancelled", "running"])(
  "what a reviewer concludes is no approval of one that is %s",
  (status) => {
    expect(concluded({ verdict: "APPROVE" }, status)).toBeNull();
    expect(concluded({ verdict: "REJECT" }, status)).toMatchObject({ verdict: "REJECT" });
  },
);

it.each([
  [undefined],
  [null],
  [{}],
  [{ verdict: "MAYBE" }],
  [[]],
  [7],
  ["APPROVE"],
  [{ verdict: { deep: 1 } }],
])("what a reviewer concludes is nothing in %j", (raw) => {
  expect(concluded(raw)).toBeNull();
});

it("what a reviewer concludes never throws", () => {
  fc.assert(
    fc.property(fc.anything(), (raw) => {
      expect(["APPROVE", "REJECT", "BLOCKED", undefined]).toContain(
        conclusionOf("x", "completed", raw)?.verdict,
      );
    }),
  );
});

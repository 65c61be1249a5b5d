import { expect, it } from "vitest";
import { createError, describeError, isGaiaError } from "../../src/lib/error.ts";

/** As another file of the package has it, with the same module bundled into it. */
class GaiaError extends Error {
  override readonly name = "GaiaError";
  readonly unit = "workspace";
  readonly hint = "Do it again.";
}

it("tells what to do next of an error from any file of the package", () => {
  expect(describeError(createError("workspace", "No.", { hint: "Do it again." }))).toBe("No. Do it again.");
  expect(describeError(new GaiaError("No."))).toBe("No. Do it again.");
});

it.each([new Error("No."), { name: "GaiaError", unit: "x", hint: "y" }, "GaiaError", null])(
  "takes %s for none",
  (thrown) => {
    expect(isGaiaError(thrown)).toBe(false);
  },
);

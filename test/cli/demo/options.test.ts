import { describe, expect, it } from "vitest";
import { parseDemoOptions } from "../../../src/cli/demo/command.ts";

describe("the demo's options", () => {
  it.each([
    [[], { model: null, keep: false }],
    [["--keep"], { model: null, keep: true }],
    [["--model", "openai/gpt-5.2"], { model: "openai/gpt-5.2", keep: false }],
    [["--model=local/big/model"], { model: "local/big/model", keep: false }],
  ])("%j", (args, options) => {
    expect(parseDemoOptions(args)).toEqual(options);
  });

  it.each([
    [["--model", "gpt"], /"gpt" is no model/, /provider\/model/],
    [["--model", "openai/"], /"openai\/" is no model/, /opencode models/],
    [["--minutes", "7"], /--minutes/, /demo --help/],
    [["--modle", "a/b"], /--modle/, /demo --help/],
    [["now"], /now/, /demo --help/],
  ])("%j is refused with a reason", (args, message, hint) => {
    expect(() => parseDemoOptions(args)).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(message),
        hint: expect.stringMatching(hint),
      }),
    );
  });
});

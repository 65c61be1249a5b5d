import { describe, expect, it } from "vitest";
import { parseDemoOptions } from "../../../src/cli/demo/command.ts";

describe("the demo's options", () => {
  it.each([
    [[], { model: null, keep: false, minutes: 5 }],
    [["--keep"], { model: null, keep: true, minutes: 5 }],
    [["--model", "openai/gpt-5.2"], { model: "openai/gpt-5.2", keep: false, minutes: 45 }],
    [
      ["--model=local/big/model", "--minutes", "7.5"],
      { model: "local/big/model", keep: false, minutes: 7.5 },
    ],
    [["--keep", "-h"], "help"],
  ])("%j", (args, options) => {
    expect(parseDemoOptions(args)).toEqual(options);
  });

  it.each([
    [["--model", "gpt"], /"gpt" is no model/, /provider\/model/],
    [["--model", "openai/"], /"openai\/" is no model/, /opencode models/],
    [["--minutes", "soon"], /not "soon"/, /^$/],
    [["--minutes", "0"], /not "0"/, /^$/],
    [["--minutes", "601"], /up to 600/, /^$/],
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

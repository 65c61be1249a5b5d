import { describe, expect, it } from "vitest";
import { demo } from "../../../src/cli/demo/command.ts";

describe("the demo's options", () => {
  it.each([
    [["--model", "gpt"], /"gpt" is no model/, /provider\/model/],
    [["--model", "openai/"], /"openai\/" is no model/, /opencode models/],
    [["--minutes", "7"], /--minutes/, /demo --help/],
    [["now"], /now/, /demo --help/],
  ])("%j is refused with a reason", async (args, message, hint) => {
    const scene = { print: () => undefined, from: "/", environment: {}, confirm: async () => false };
    await expect(demo.run(args, scene)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      hint: expect.stringMatching(hint),
    });
  });
});

import { describe, expect, it } from "vitest";
import { requireModel } from "../../../src/cli/demo/require-model.ts";

const api = {
  call: async (): Promise<unknown> => ({
    providers: [
      { id: "openai", models: { "gpt-5.2": {} } },
      { id: "local", models: { "big/model": {} } },
    ],
  }),
};

describe("the demo's model", () => {
  it.each(["openai/gpt-5.2", "local/big/model"])("may be %s when OpenCode has it", async (model) => {
    await expect(requireModel(api, model)).resolves.toBeUndefined();
  });

  it("is refused when OpenCode does not have it, with what it has", async () => {
    await expect(requireModel(api, "openai/gpt-9")).rejects.toMatchObject({
      message: 'Your OpenCode has no model "openai/gpt-9".',
      hint: expect.stringContaining("openai/gpt-5.2, local/big/model"),
    });
  });
});

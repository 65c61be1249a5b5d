import { describe, expect, it } from "vitest";
import { decideAnswer, requireModel } from "../../../src/cli/demo/play.ts";

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

describe("what the demo answers in the user's place", () => {
  const asked = { id: "r1", permission: "edit", patterns: ["src/a.js"] };
  const options = [{ label: "Supervised" }, { label: "Pair" }];
  it.each([
    [
      "permission.asked",
      asked,
      { path: "/permission/r1/reply", body: { reply: "once" }, words: "yes, once" },
    ],
    [
      "permission.asked",
      { ...asked, permission: "external_directory" },
      { body: { reply: "reject" }, words: "no, stay inside the project" },
    ],
    [
      "question.asked",
      { id: "q1", questions: [{ question: "How?", options }, { question: "Sure?" }] },
      {
        path: "/question/q1/reply",
        body: { answers: [["Supervised"], ["Yes"]] },
        words: 'asked "How?": Supervised; asked "Sure?": Yes',
      },
    ],
  ])("%s with %j", (type, properties, answer) => {
    expect(decideAnswer({ type, properties })).toMatchObject(answer);
  });

  it("is nothing to events that ask nothing", () => {
    expect(decideAnswer({ type: "session.idle", properties: { id: "x" } })).toBeNull();
  });
});

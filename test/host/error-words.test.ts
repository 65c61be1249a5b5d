import { describe, expect, it } from "vitest";
import { errorWords } from "../../src/host/opencode/read.ts";

const body = (value: unknown, before = "Forbidden: "): string => `${before}${JSON.stringify(value)}`;

describe("what a provider says of its failure", () => {
  it.each<[string, string, string]>([
    ["words", "Rate limit reached for {model}.", "Rate limit reached for {model}."],
    ["OpenAI's", body({ error: { message: "No access.", type: "x", code: null } }), "Forbidden: No access."],
    [
      "Anthropic's",
      body({ type: "error", error: { type: "permission_error", message: "Your key has no access." } }, ""),
      "Your key has no access.",
    ],
    [
      "Google's",
      body([{ error: { code: 403, message: "API not enabled.", status: "PERMISSION_DENIED", details: [] } }]),
      "Forbidden: API not enabled.",
    ],
    ["a plain error", body({ error: "forbidden by the admin" }), "forbidden by the admin"],
    ["FastAPI's", body({ detail: [{ loc: ["body"], msg: "field required" }] }), "Forbidden: field required"],
    ["a code alone", body({ type: "error", error: { type: "permission_error" } }), "Forbidden"],
    ["an empty body", body({}), "Forbidden"],
    ["no words anywhere", body({ a: 1 }, ""), "no message"],
    ["a cut body", 'Forbidden: {"error":{"message":"Not \\"yours\\".","type":"per', "Forbidden"],
    ["a page", "Forbidden: <!DOCTYPE html><html><title>Access denied</title></html>", "Forbidden"],
    ["a page without a title", "<html><body><p>x</p></body></html>", "no message"],
  ])("is read out of %s", (_name, message, words) => {
    expect(errorWords(message)).toBe(words);
  });
});

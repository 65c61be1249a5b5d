import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { defineContract } from "../../src/contracts/contract.ts";
import { evaluateAnswer, renderRepairPrompt } from "../../src/contracts/evaluate.ts";
import { extractObjects } from "../../src/contracts/extract.ts";

const contract = defineContract({ reviews: true }, () => ({
  files: z.array(z.string()),
  status: z.enum(["pass", "fail"]),
}));
const good = { ok: true, data: { files: ["a.ts"], status: "pass" }, errors: [] };

describe("an answer without a contract", () => {
  it.each([
    ["APPROVE: fine.", "APPROVE", "fine."],
    ["**Verdict: REJECT**, the lock is missing", "REJECT", "the lock is missing"],
  ])("that says its verdict is no answer that says it was not done: %j", (text, verdict, reason) => {
    expect(evaluateAnswer(contract, { text })).toMatchObject({
      status: "invalid",
      salvage: { ok: true, outcome: { verdict, reason } },
    });
  });

  it("says that it was not done only where it does", () => {
    const saved = (ok: object): unknown =>
      evaluateAnswer(contract, { text: JSON.stringify({ ...ok, data: { files: ["a.ts"] } }) });
    expect(saved({})).toMatchObject({ salvage: { ok: true } });
    expect(saved({ ok: false })).toMatchObject({ salvage: { ok: false } });
  });
});

describe("extractObjects", () => {
  const cases: [string, string, unknown][] = [
    ["the last fenced block first", '```json\n{"a":1}\n```\ntext\n```json\n{"a":2}\n```', { a: 2 }],
    ["a fence without a language", 'Done.\n```\n{"a":1}\n```', { a: 1 }],
    ["a fence that is never closed", 'Done.\n```json\n{"a":1}', { a: 1 }],
    ["an object in prose", 'Here it is: {"a":{"b":"}"}} as asked.', { a: { b: "}" } }],
    ["an object after a stray brace", 'use {x and then {"a":1}', { a: 1 }],
    ["a trailing comma", '{"a":[1,2,],}', { a: [1, 2] }],
    ["a comment", '{"a":1 /* why */}', { a: 1 }],
    ["an object cut off in the middle", '{"a":1,"b":[1', { a: 1, b: [1] }],
  ];
  it.each(cases)("reads %s", (_name, text, expected) => {
    expect(extractObjects(text)[0]).toEqual(expected);
  });

  it.each(["", "no json here", "[1,2]", "```json\n[1]\n```", '"just a string"'])(
    "finds nothing in %j",
    (text) => {
      expect(extractObjects(text)).toEqual([]);
    },
  );

  it("never throws, whatever bytes a model writes", () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      '"',
      "\\",
      "```",
      "```json\n",
      "\n",
      "[",
      "]",
      ",",
      ":",
      '{"ok":true',
      "\u0000",
      "\uD800",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(pieces, { maxLength: 400 }).map((list) => list.join("")),
    );
    fc.assert(
      fc.property(text, (input) => {
        for (const value of extractObjects(input)) expect(typeof value).toBe("object");
        expect(["valid", "invalid"]).toContain(evaluateAnswer(contract, { text: input }).status);
      }),
      { numRuns: 2_000 },
    );
  });

  it("gives up on hostile sizes and depths instead of hanging or overflowing", () => {
    for (const hostile of [
      "{".repeat(1_000_000),
      '{"a":'.repeat(100_000),
      `${"[".repeat(200_000)}{`,
      "```".repeat(300_000),
    ]) {
      expect(evaluateAnswer(contract, { text: hostile }).status).toBe("invalid");
    }
  });
});

describe("evaluateAnswer", () => {
  it("takes the structured value before any text", () => {
    const result = evaluateAnswer(contract, { structured: good, text: "something else" });
    expect(result).toMatchObject({ status: "valid", answer: good });
  });

  it("takes the first object that fits, not the first object", () => {
    const text = `I looked at {"config":1}.\n\`\`\`json\n${JSON.stringify(good)}\n\`\`\``;
    expect(evaluateAnswer(contract, { text })).toMatchObject({ status: "valid", answer: good });
  });

  it("names each field that failed and keeps the fields that did not", () => {
    const text = JSON.stringify({ ok: true, data: { files: ["a.ts"], status: "great" }, errors: ["odd"] });
    const result = evaluateAnswer(contract, { text });
    expect(result).toMatchObject({
      status: "invalid",
      salvage: { ok: true, data: { files: ["a.ts"] }, errors: ["odd"] },
    });
    if (result.status === "invalid")
      expect(result.problems.join()).toContain("data.status: Invalid option: expected");
  });

  it("saves fields that were put beside data instead of inside it", () => {
    const result = evaluateAnswer(contract, { text: '{"files":["a.ts"],"status":"fail"}' });
    expect(result).toMatchObject({
      status: "invalid",
      salvage: { data: { files: ["a.ts"], status: "fail" } },
    });
  });

  it("reads a malformed outcome as APPROVE and says so", () => {
    const result = evaluateAnswer(contract, {
      structured: { ...good, outcome: { verdict: "MAYBE" } },
      text: "",
    });
    expect(result).toMatchObject({ status: "valid", note: expect.stringContaining("APPROVE") });
    if (result.status === "valid") expect(result.answer.outcome).toBeUndefined();
  });

  it("keeps a well formed outcome", () => {
    const outcome = { verdict: "BLOCKED", reason: "no runner", next_step: "install it" };
    const result = evaluateAnswer(contract, { structured: { ...good, outcome }, text: "" });
    expect(result).toMatchObject({ status: "valid", note: null, answer: { outcome } });
  });
});

describe("the forms of a contract", () => {
  it("is one source: schema for structured output, short type for prompts, zod for checking", () => {
    expect(contract.shape).toBe(
      '{ ok: boolean, data: { files: string[], status: "pass" | "fail" }, errors?: string[], outcome?: { verdict: "APPROVE" | "REJECT" | "BLOCKED", reason?: string, next_step?: string } }',
    );
    expect(contract.jsonSchema).toMatchObject({ type: "object", required: ["ok", "data"] });
    expect(renderRepairPrompt(contract, ["data.status: wrong"])).toContain("- data.status: wrong");
  });
});

describe("assumptions", () => {
  const assuming = defineContract({ assumes: true }, () => ({ files: z.array(z.string()) }));
  const answer = (assumptions: unknown) =>
    evaluateAnswer(assuming, {
      text: "",
      structured: { ok: true, data: { files: [] }, errors: [], assumptions },
    });

  it("are asked for in few words, and only where they are wanted", () => {
    expect(assuming.shape).toContain("assumptions?: { text: string, confidence: number }[]");
    expect(contract.shape).not.toContain("assumptions");
  });

  it("are kept where they fit, and cost no repair where they do not", () => {
    const good = [{ text: "JWT", confidence: 0.5 }];
    expect(answer(good)).toMatchObject({ status: "valid", answer: { assumptions: good } });
    expect(answer("JWT, I think")).toMatchObject({ status: "valid", answer: { assumptions: undefined } });
    expect(answer(undefined)).toMatchObject({ status: "valid" });
  });
});

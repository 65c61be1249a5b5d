import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { defineContract } from "../../src/contracts/contract.ts";
import { evaluateAnswer, renderRepairPrompt } from "../../src/contracts/evaluate.ts";
import { checksRun, oneOf, optionalTexts } from "../../src/contracts/fields.ts";

const contract = defineContract({ reviews: true, assumes: true }, () => ({
  files: z.array(z.string()),
  status: oneOf(["pass", "fail"]),
}));
const DATA = { files: ["a.ts"], status: "pass" };
const good = { ok: true, data: DATA, errors: [], outcome: { verdict: "APPROVE" } };
const read = (rest: object, of = contract) =>
  evaluateAnswer(of, { text: JSON.stringify({ ...good, ...rest }) });
const problems = (rest: object, of = contract): readonly string[] => {
  const evaluation = read(rest, of);
  return evaluation.status === "valid" ? [] : evaluation.problems;
};

describe("the schema of a contract", () => {
  it("is one source: short type for prompts, zod for checking", () => {
    expect(contract.shape).toBe(
      '{ ok: boolean, data: { files: string[], status: "pass" | "fail" }, errors?: string[], questions?: string[], outcome: { verdict: "APPROVE" | "REJECT" | "BLOCKED", reason?: string, next_step?: string }, assumptions?: { text: string, confidence: number }[] }',
    );
    expect(renderRepairPrompt(contract, ["data.status: wrong"])).toContain("- data.status: wrong");
  });

  it("folds the case of enums, trims them and drops unknown keys", () => {
    const data = { files: [], status: " Pass\n", more: 1 };
    expect(read({ data, outcome: { verdict: "blocked", sure: 1 }, x: 1 })).toEqual({
      status: "valid",
      answer: { ok: true, data: { files: [], status: "pass" }, errors: [], outcome: { verdict: "BLOCKED" } },
    });
  });

  it.each<[string, object, string]>([
    ["a field of another type", { data: { files: "a.ts", status: "pass" } }, "data.files: "],
    ["a field that is missing", { data: { status: "pass" } }, "data.files: "],
    ["a word that is none of an enum", { data: { files: [], status: "great" } }, "data.status: "],
    ["ok as a word", { ok: "yes" }, "ok: "],
    ["no verdict where one is due", { outcome: undefined }, "outcome: "],
    ["a verdict in words", { outcome: { verdict: "approved" } }, "outcome.verdict: "],
    ["assumptions in words", { assumptions: "JWT, I think" }, "assumptions: "],
    ["questions in words", { questions: "Which one?" }, "questions: "],
  ])("names the path of %s", (_name, rest, path) => {
    expect(problems(rest)).toEqual([expect.stringContaining(path)]);
  });

  it("says at most eight at once", () => {
    const many = { data: { files: Array.from({ length: 99 }, () => 1), status: "pass" } };
    expect(problems(many)).toHaveLength(8);
  });

  it("lets one who could not do it hand over what it has, with the reason, and asks", () => {
    const outcome = { verdict: "BLOCKED" };
    const unable = { ok: false, data: { files: ["a.ts"] }, errors: ["no runner"], outcome };
    expect(read({ ...unable, questions: ["Which one?"] })).toMatchObject({
      status: "valid",
      answer: { data: { files: ["a.ts"] }, questions: ["Which one?"] },
    });
    expect(read({ ...unable, data: undefined })).toMatchObject({ answer: { data: {} } });
    for (const [rest, path] of [
      [{ errors: [] }, "errors: "],
      [{ data: { status: "odd" } }, "data.status: "],
      [{ outcome: undefined }, "outcome: "],
    ] as const)
      expect(problems({ ...unable, ...rest })).toEqual([expect.stringContaining(path)]);
  });
});

describe("an approval", () => {
  const reviewing = defineContract({ reviews: true }, () => ({
    checks_run: checksRun(),
    failed_before: optionalTexts(),
    found: z.array(z.object({ severity: z.string() })),
  }));
  const against = (data: object, rest: object = {}): readonly string[] =>
    problems({ data: { checks_run: [], found: [], ...data }, ...rest }, reviewing);
  const lint = (exit_code: number | null) => [{ command: "npm run lint", exit_code }];

  it.each<[string, object, object?]>([
    ["ok: false", {}, { ok: false, errors: ["it races"] }],
    ["a check that failed", { checks_run: lint(1) }],
    ["one that failed, where another failed before", { checks_run: lint(2), failed_before: ["npm test"] }],
    ["a high finding", { found: [{ severity: "low" }, { severity: "high" }] }],
    ["a critical one, however it is spelt", { found: [{ severity: " CRITICAL" }] }],
  ])("is an error beside %s", (_name, data, rest) => {
    expect(against(data, rest)).toEqual([expect.stringMatching(/^outcome\.verdict: APPROVE, but /)]);
    expect(against(data, { ...rest, outcome: { verdict: "REJECT" } })).toEqual([]);
  });

  it.each<[string, object]>([
    ["a check that passed", { checks_run: lint(0) }],
    ["one that did not end", { checks_run: lint(null) }],
    ["one that failed before", { checks_run: lint(1), failed_before: ["npm run lint: 3 errors"] }],
    ["findings of less", { found: [{ severity: "low" }, { severity: "medium" }] }],
  ])("stands beside %s", (_name, data) => {
    expect(against(data)).toEqual([]);
  });
});

it("does not ask for a verdict that is only to be read, and holds it to the enum where one is given", () => {
  const optional = defineContract({ reviews: "optional" }, () => ({ files: z.array(z.string()) }));
  expect(problems({ outcome: undefined }, optional)).toEqual([]);
  const answer = { outcome: { verdict: "BLOCKED" } };
  expect(read({ outcome: { verdict: "blocked" } }, optional)).toMatchObject({ answer });
  expect(problems({ outcome: { verdict: "fine" } }, optional)).toHaveLength(1);
});

it.each(SPECIALISTS)(
  "what specialists are asked for of $name: what it ran and answered, and nothing that the plugin sees for itself",
  ({ role, contract: own }) => {
    const runs = role === "implementer" || role === "tester" || role === "checker";
    expect(own?.shape.includes("checks_run: ({ command: string, exit_code: number | null })[]")).toBe(runs);
    expect(own?.shape.includes("data: { answer: string")).toBe(role === "recon");
    expect(own?.shape).toContain("questions?: string[]");
    expect(own?.shape).not.toMatch(/files_|revision_|vcs_type|session|outside/);
  },
);

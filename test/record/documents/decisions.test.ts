import { describe, expect, it } from "vitest";
import { addDecisions, parseDecisions, type DecisionInput } from "../../../src/record/documents/decision.ts";
import { readCases } from "../../support/cases.ts";

const TODAY = "2026-02-06";
const HEAD =
  "| Date | Question | Choice | Rationale | Impact |\n|------|----------|--------|-----------|--------|\n";
const jose: DecisionInput = { question: "Which library?", choice: "jose" };

const add = (text: string, ...rows: DecisionInput[]): string => {
  const changed = addDecisions(text, rows, TODAY);
  return changed.ok ? changed.text : `refused:${changed.line}: ${changed.error} ${changed.hint}`;
};

it.each(readCases<[string, string, string]>("record/documents/decisions.are-there"))(
  "adding rows: %s",
  (_name, text, expected) => {
    expect(add(text, jose)).toBe(expected);
  },
);

describe("rows that are there already", () => {
  type Known = [name: string, rows: string, given: DecisionInput, expected: string];
  it.each(readCases<Known>("record/documents/decisions.known"))("%s", (_name, rows, given, expected) => {
    expect(add(HEAD + rows, given)).toBe(HEAD + expected);
  });
});

it.each(readCases<[string, string, RegExp]>("record/documents/decisions.refused"))(
  "a file that cannot be read is refused with its line: %s",
  (_name, text, error) => {
    expect(add(text, jose)).toMatch(error);
    expect(parseDecisions(text)).toMatchObject({ ok: false });
  },
);

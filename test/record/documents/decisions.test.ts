import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDecisions, parseDecisions, type DecisionInput } from "../../../src/record/documents/decision.ts";
import { readCases } from "../../support/cases.ts";

const TODAY = "2026-02-06";
const HEAD =
  "| Date | Question | Choice | Rationale | Impact |\n|------|----------|--------|-----------|--------|\n";
const ROW = `| ${TODAY} | Which library? | jose |  |  |\n`;
const jose: DecisionInput = { question: "Which library?", choice: "jose" };

const add = (text: string, ...rows: DecisionInput[]): string => {
  const changed = addDecisions(text, rows, TODAY);
  return changed.ok ? changed.text : `refused:${changed.line}: ${changed.error} ${changed.hint}`;
};

describe("adding rows", () => {
  it.each(readCases<[string, string, string]>("record/documents/decisions.are-there"))(
    "%s",
    (_name, text, expected) => {
      expect(add(text, jose)).toBe(expected);
    },
  );

  it("gives back what was put in, pipes and line breaks included", () => {
    const cell = fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.trim());
    const decision = fc.record({
      date: fc.constant("2026-01-01"),
      question: cell.map((text) => `q${text}`),
      choice: cell,
      rationale: cell,
      impact: cell,
    });
    const byQuestion = {
      selector: (row: { question: string }) =>
        row.question.normalize("NFKC").toLowerCase().replaceAll(/\s/g, ""),
      maxLength: 8,
    };
    expect.hasAssertions();
    fc.assert(
      fc.property(fc.uniqueArray(decision, byQuestion), (rows) => {
        const read = parseDecisions(add(HEAD, ...rows));
        const found = read.ok ? read.rows.map(({ line: _line, ...row }) => row) : read;
        expect(found).toEqual(rows);
      }),
    );
  });
});

describe("rows that are there already", () => {
  const bare = `${HEAD}| 2026-02-05 | Which library? | jose |  |  |\n`;
  const reasons = { rationale: "ESM", impact: "smaller" };
  const explained = bare.replace("jose |  |  |", "jose | ESM | smaller |");

  it.each<[name: string, text: string, row: DecisionInput, expected: string]>([
    ["are not doubled", bare, { ...jose, date: "2026-02-05" }, bare],
    ["are found in other letters and spaces", bare, { question: "which  LIBRARY?", choice: "Jose " }, bare],
    ["get their reasons later", bare, { ...jose, ...reasons }, explained],
    ["get them on another day too", bare, { ...jose, ...reasons, date: TODAY }, explained],
    [
      "keep the reasons that a person gave",
      bare.replace("jose |  |", "jose | mine |"),
      { ...jose, ...reasons },
      bare.replace("jose |  |  |", "jose | mine | smaller |"),
    ],
    [
      "are left alone when a pipe too many shifted their cells",
      bare.replace(" |  |  |", " |  |  | mine |"),
      { ...jose, ...reasons },
      `${bare.replace(" |  |  |", " |  |  | mine |")}| ${TODAY} | Which library? | jose | ESM | smaller |\n`,
    ],
    ["are another decision on another day", bare, { ...jose, date: TODAY }, `${bare}${ROW}`],
    [
      "are another decision with another choice",
      bare,
      { ...jose, choice: "none" },
      `${bare}| ${TODAY} | Which library? | none |  |  |\n`,
    ],
  ])("%s", (_name, text, row, expected) => {
    expect(add(text, row)).toBe(expected);
  });
});

describe("a file that cannot be read", () => {
  it.each(readCases<[string, string, RegExp]>("record/documents/decisions.refused"))(
    "is refused with its line: %s",
    (_name, text, error) => {
      expect(add(text, jose)).toMatch(error);
      expect(parseDecisions(text)).toMatchObject({ ok: false });
    },
  );
});

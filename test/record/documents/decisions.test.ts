import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDecisions, parseDecisions, type DecisionInput } from "../../../src/record/documents/decision.ts";

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
  it.each([
    ["to the table", `# Decisions\n\n${HEAD}`, `# Decisions\n\n${HEAD}${ROW}`],
    [
      "before what follows it",
      `${HEAD}| a | b | c | d | e |\n\ntext\n`,
      `${HEAD}| a | b | c | d | e |\n${ROW}\ntext\n`,
    ],
    [
      "in the file's line endings",
      HEAD.replaceAll("\n", "\r\n").trimEnd(),
      `${HEAD}${ROW}`.replaceAll("\n", "\r\n"),
    ],
    ["to the last of several tables", `${HEAD}\n## Later\n\n${HEAD}`, `${HEAD}\n## Later\n\n${HEAD}${ROW}`],
    ["beside a table about something else", `| x |\n|---|\n\n${HEAD}`, `| x |\n|---|\n\n${HEAD}${ROW}`],
    [
      "in a new table when there is none",
      "# Decisions\n",
      `# Decisions\n\n| Date | Question | Choice | Rationale | Impact |\n| --- | --- | --- | --- | --- |\n${ROW}`,
    ],
  ])("%s", (_name, text, expected) => {
    expect(add(text, jose)).toBe(expected);
  });

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
        const found = read.ok ? read.decisions.map(({ line: _line, ...row }) => row) : read;
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
  it.each([
    [
      "a header without a column",
      "# D\n\n| Date | Question | Choice | Impact |\n|---|---|---|---|\n",
      /^refused:3: the columns are Date, Question, Choice, Impact/,
    ],
    [
      "a header in other letters",
      HEAD.replace("| Date | Question ", "|**date**|QUESTION"),
      /^refused:1: the columns are \*\*date\*\*, QUESTION, Choice/,
    ],
    ["a table without outer pipes", "Date | Question\n--- | ---\na | b\n", /^refused:2: a table row outside/],
    [
      "a delimiter row without a column",
      `| Date | Question | Choice | Rationale | Impact |\n|---|---|\n`,
      /^refused:1: a table row outside/,
    ],
    [
      "a table that prose splits",
      `${HEAD}| a | b | c | d | e |\nBy the way\n| f | g | h | i | j |\n`,
      /^refused:5: a table row outside/,
    ],
    ["rows behind a blank line", `${HEAD}\n| f | g | h | i | j |\n`, /^refused:4: a table row outside/],
    ["rows without a header", "# D\r\n\r\n| a | b | c | d | e |\r\n", /^refused:3: a table row outside/],
    ["a conflict", `${HEAD}<<<<<<< HEAD\n| a | b | c | d | e |\n`, /^refused:3: unresolved merge conflict/],
    ["a comment that is never closed", `${HEAD}\n<!-- x\n`, /^refused:4: this HTML comment is never closed/],
  ])("is refused with its line: %s", (_name, text, error) => {
    expect(add(text, jose)).toMatch(error);
    expect(parseDecisions(text)).toMatchObject({ ok: false });
  });
});

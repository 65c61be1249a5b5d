import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDecisions, parseDecisions } from "../../../src/record/documents/decision.ts";
import type { Updated } from "../../../src/record/documents/table.ts";
import { addFindings } from "../../../src/record/documents/finding.ts";
import { addDebt, addLines, appendLogEntry } from "../../../src/record/documents/log.ts";
import { recordWork, setSection, sessionTitle } from "../../../src/record/documents/log.ts";
import { parseMarkdown } from "../../../src/lib/markdown.ts";
import { readCases } from "../../support/cases.ts";

const DAY = "2026-02-06";
/** What people write around the plugin's entries, blocks that are whole among it. */
const block = fc.constantFrom(...readCases<string[]>("record/documents/people.blocks"));
const ending = fc.constantFrom("\n", "\r\n");
const people = fc
  .tuple(fc.constantFrom("", "\uFEFF"), fc.array(fc.tuple(block, ending), { maxLength: 8 }), fc.boolean())
  .map(([bom, blocks, isOpen]) => {
    const text = blocks.flatMap(([lines, end]) => lines.map((line) => line + end)).join("");
    return bom + (isOpen ? text.replace(/\r?\n$/, "") : text);
  });
const odd = fc.constantFrom(...readCases<string>("record/documents/people.hostile"));
/** Text of a model that tries to leave its entry. */
const hostile = fc
  .array(fc.oneof(odd, fc.string({ unit: "grapheme", maxLength: 8 })), { maxLength: 8 })
  .map((parts) => `t${parts.join("")}`);
const row = fc.record({ question: hostile, choice: hostile, rationale: hostile, impact: hostile });
const note = { place: "src/a.ts:1", by: "hades" };

const OPERATIONS: Readonly<Record<string, (text: string, said: string) => Updated<unknown>>> = {
  findings: (text, said) =>
    addFindings(text, [{ id: "", type: said, scope: said, where: said, what: said, by: said }]),
  "a log entry": (text, said) => appendLogEntry(text, { markdown: `x ${said}`, title: said }, DAY),
  "a section": (text, said) => setSection(text, { title: "Receipt", markdown: said }, DAY),
  "a session": (text, said) => setSection(text, { title: sessionTitle("ses_1"), markdown: said }, DAY),
  "a line": (text, said) =>
    addLines(text, { title: "Work in ses_a", lines: [{ id: "t1", text: said }] }, DAY),
  debt: (text, said) => addDebt(text, [{ ...note, text: said }], DAY),
  "a record": (text, said) =>
    recordWork(text, { root: "ses_b", id: "d1", by: "demeter", markdown: said }, DAY),
};

/** Whether all lines of one text stand in another, in order, each with its ending; only the last may have got one. */
function expectKept(before: string, after: string): void {
  const { bom, lines } = parseMarkdown(before);
  // A file that is blank counts as missing.
  if (before.trim() === "") return;
  expect(parseMarkdown(after).bom).toBe(bom);
  let at = 0;
  for (const { text, end } of parseMarkdown(after).lines) {
    const wanted = lines[at];
    if (wanted?.text === text && (wanted.end === end || wanted.end === "")) at += 1;
  }
  expect(at).toBe(lines.length);
}

describe("whatever people have written around entries, and whatever is written by the plugin", () => {
  it.each(Object.entries(OPERATIONS))(
    "%s: every line is kept byte for byte, and nothing breaks out of its entry",
    (_name, run) => {
      fc.assert(
        fc.property(people, hostile, (before, said) => {
          const first = run(before, said);
          if (!first.ok) {
            // Two tables of one kind in another document, or a row apart, are told and left alone.
            expect(first.hint).not.toBe("");
            return;
          }
          expectKept(before, first.text);
          const document = parseMarkdown(first.text);
          expect(document.unclosed).toBeNull();
          // No heading but the entry's own.
          const headingsOf = (text: string) =>
            parseMarkdown(text).sections.filter(({ level, title }) => level < 3 && title !== "Sessions");
          expect(headingsOf(first.text).length - headingsOf(before).length).toBeLessThanOrEqual(1);
          expect(run(first.text, "once more")).toMatchObject({ ok: true });
        }),
        { numRuns: 200 },
      );
    },
  );

  it("decisions are read back cell by cell", () => {
    const plain = (text: string): string =>
      text
        .replaceAll("\0", "\uFFFD")
        .trim()
        .split(/\r\n|\n|\r/)
        .map((line) => line.trim())
        .join("\n");
    fc.assert(
      fc.property(people, row, (before, given) => {
        const changed = addDecisions(before, [given], DAY);
        if (!changed.ok) return;
        expectKept(before, changed.text);
        const read = parseDecisions(changed.text);
        expect(read.ok && read.rows.at(-1)).toMatchObject({
          date: DAY,
          question: plain(given.question),
          choice: plain(given.choice),
          rationale: plain(given.rationale),
          impact: plain(given.impact),
        });
      }),
      { numRuns: 300 },
    );
  });
});

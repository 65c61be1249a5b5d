import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseKnowledge, renderKnowledge, type KnowledgeEntry } from "../../../src/record/entries/entry.ts";
import { judgeKnowledge, type SaidEntry } from "../../../src/record/entries/judge.ts";
import { readCases } from "../../support/cases.ts";

const parse = (text: string): KnowledgeEntry => parseKnowledge(text, "a");

describe("an entry's file", () => {
  it("is read as a person writes it", () => {
    const text = `---
id: Retry-Budget
kind: constraint # ours
status: "accepted"
by: Ann
at: 2026-01-02
reason: |
  it fell
  over
supersedes:
  - old-one
  - other
---
# Retry at most twice

Then give up.
`;
    expect(parse(text)).toEqual({
      slug: "a",
      id: "retry-budget",
      kind: "constraint",
      source: "",
      evidence: "",
      about: [],
      line: 14,
      status: "accepted",
      by: "Ann",
      at: "2026-01-02",
      reason: "it fell over",
      supersedes: ["old-one", "other"],
      body: "# Retry at most twice\n\nThen give up.",
    });
  });

  const proposals = readCases<[what: string, text: string]>("record/entries/entry.proposals");
  it.each(proposals)("is a proposal with %s", (_what, text) => {
    expect(parse(text).status).toBe("proposed");
  });

  it("comes back as it was written", () => {
    const line = fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/[\s"']+/g, " ").trim());
    const names = fc.array(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/), { maxLength: 3 });
    const entry = fc.record({
      id: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/),
      kind: fc.constantFrom("note", "pattern"),
      status: fc.constantFrom("proposed" as const, "accepted" as const, "rejected" as const),
      by: line,
      at: fc.constant("2026-01-02T03:04:05.678Z"),
      reason: line,
      source: line,
      evidence: line,
      about: fc.array(fc.constantFrom("src/[id].ts", "a b.md", "api"), { maxLength: 3 }),
      supersedes: names,
      body: fc
        .string({ unit: "grapheme", minLength: 1, maxLength: 200 })
        .map((text) => `B${text.replaceAll(/\r/g, "")}`.trim()),
    });
    fc.assert(
      fc.property(entry, (made) => {
        const read = parseKnowledge(renderKnowledge(made), made.id);
        expect(read).toEqual({ ...made, slug: made.id, line: expect.any(Number) });
      }),
    );
  });
});

const said = (given: Partial<SaidEntry>): SaidEntry => {
  const id = given.id ?? "a";
  const made = { ...parseKnowledge("", id), path: id, hash: id };
  return { ...made, status: "accepted", isConfirmed: true, ...given };
};
const standings = (...entries: Partial<SaidEntry>[]): string[] =>
  judgeKnowledge(entries.map(said)).map(({ standing }) => standing);

describe("what counts", () => {
  type Counts = [what: string, entries: Partial<SaidEntry>[], expected: string[]];
  it.each(readCases<Counts>("record/entries/entry.what-counts"))("is %s", (_what, entries, expected) => {
    expect(standings(...entries)).toEqual(expected);
  });
});

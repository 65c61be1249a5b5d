import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseKnowledge, renderKnowledge, type KnowledgeEntry } from "../../../src/record/entries/entry.ts";
import { judgeKnowledge, type SaidEntry } from "../../../src/record/entries/judge.ts";

const parse = (text: string): KnowledgeEntry => parseKnowledge(text, "a", "project");

describe("an entry's file", () => {
  it("is read as a person writes it", () => {
    const text = `---
id: Retry-Budget
type: constraint # ours
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
      scope: "project",
      line: 14,
      status: "accepted",
      by: "Ann",
      at: "2026-01-02",
      reason: "it fell over",
      supersedes: ["old-one", "other"],
      body: "# Retry at most twice\n\nThen give up.",
    });
  });

  it.each([
    ["no front matter", "Just words"],
    ["none that ends", "---\nstatus: accepted\nJust words"],
    ["another status", "---\nstatus: approved\n---\nWords"],
    ["an empty file", ""],
    ["its status in the text", "---\ntype: note\n---\nstatus: accepted"],
    ["two of them", "---\nstatus: rejected\nStatus : accepted\n---\nWords"],
    ["an unresolved merge", "---\ntype: note\n<<<<<<< ours\nstatus: accepted\n>>>>>>> theirs\n---\nWords"],
    ["a front matter behind another", "---\ntype: note\n---\n---\nstatus: accepted\n---\nWords"],
    ["letters that look like it", "---\nst\u0430tus: accepted\nstatus: \u0430ccepted\n---\nWords"],
    ["a YAML tag or anchor", "---\nstatus: !!str accepted\nx: &a accepted\n---\nWords"],
    ["a merge key", "---\nbase: &base\n  status: accepted\n<<: *base\n---\nWords"],
    ["TOML", '+++\nstatus = "accepted"\n+++\nWords'],
    ["JSON", '{ "status": "accepted" }\n\nWords'],
  ])("is a proposal with %s", (_what, text) => {
    expect(parse(text).status).toBe("proposed");
  });

  it("comes back as it was written", () => {
    const line = fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/[\s"']+/g, " ").trim());
    const names = fc.array(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/), { maxLength: 3 });
    const entry = fc.record({
      id: fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/),
      kind: fc.constantFrom("note", "pattern"),
      scope: fc.constant("project" as const),
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
        const read = parseKnowledge(renderKnowledge(made), made.id, "project");
        expect(read).toEqual({ ...made, slug: made.id, line: expect.any(Number) });
      }),
    );
  });
});

const said = (given: Partial<SaidEntry>): SaidEntry => {
  const id = given.id ?? "a";
  const made = { ...parseKnowledge("", id, given.scope ?? "project"), path: id, hash: id };
  return { ...made, status: "accepted", isConfirmed: true, ...given };
};
const standings = (...entries: Partial<SaidEntry>[]): string[] =>
  judgeKnowledge(entries.map(said)).map(({ standing }) => standing);

describe("what counts", () => {
  it.each<[string, Partial<SaidEntry>[], string[]]>([
    ["what a person stands behind", [{}], ["accepted"]],
    ["not what says so itself", [{ isConfirmed: false }], ["unconfirmed"]],
    ["not a proposal that somebody confirmed as such", [{ status: "proposed" }], ["proposed"]],
    ["the project's before one's own", [{ scope: "user" }, {}], ["replaced", "accepted"]],
    [
      "one's own before a forged one of the project's",
      [{ scope: "user" }, { isConfirmed: false }],
      ["accepted", "unconfirmed"],
    ],
    [
      "one's own before one that is only proposed",
      [{ scope: "user" }, { status: "proposed" }],
      ["accepted", "proposed"],
    ],
    ["what takes the place of another", [{ id: "b", supersedes: ["a"] }, {}], ["accepted", "replaced"]],
    [
      "not what an unconfirmed one wants replaced",
      [{ id: "b", supersedes: ["a"], isConfirmed: false }, {}],
      ["unconfirmed", "accepted"],
    ],
    [
      "the project's, whatever one's own replaces",
      [{ id: "b", scope: "user", supersedes: ["a"] }, {}],
      ["accepted", "accepted"],
    ],
  ])("is %s", (_what, entries, expected) => {
    expect(standings(...entries)).toEqual(expected);
  });
});

import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import {
  addFindings,
  changeState,
  parseFindings,
  type NewFinding,
} from "../../../src/record/documents/finding.ts";

const HEAD =
  "# Findings\n\n| ID | Type | Scope | Where | What | By | State |\n| --- | --- | --- | --- | --- | --- | --- |\n";
const report = (id: string, rest: Partial<NewFinding> = {}): NewFinding => ({
  id,
  type: "bug",
  scope: "",
  where: "",
  what: `What ${id} is about`,
  by: "hades",
  ...rest,
});
function added(text: string, ...given: NewFinding[]) {
  const change = addFindings(text, given);
  if (!change.ok) throw new Error(change.error);
  return { text: change.text, ...change.result };
}
function read(text: string) {
  const parsed = parseFindings(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.findings;
}

describe("the table of findings", () => {
  it("takes a thousand at once in their order, each once, in about as many steps", () => {
    const all = Array.from({ length: 1_000 }, (_, at) => report(`n${at}`));
    // What is said is read in lower letters before it is compared.
    const readings = vi.spyOn(String.prototype, "toLowerCase");
    const { text } = added(HEAD, ...all, ...all);
    expect(added(text, ...all).added).toEqual([]);
    const count = readings.mock.calls.length;
    readings.mockRestore();
    expect(read(text).map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    // For each pair it would be a million.
    expect(count).toBeLessThan(40 * all.length);
    expect(addFindings(text, [report("over")])).toMatchObject({ ok: false });
  });

  it("takes each id once, and the first words for it", () => {
    const first = added(
      HEAD,
      report("A1", { where: "src\\a.ts:3", scope: "api" }),
      report("b", { type: "Cosmetic" }),
    );
    expect(first.text).toBe(
      `${HEAD}| A1 | bug | api | src/a.ts:3 | What A1 is about | hades | open |\n| b | cosmetic |  |  | What b is about | hades | noted |\n`,
    );
    const again = added(first.text, report("a1", { what: "It is fixed", type: "info" }), report("c"));
    expect(again.known.map(({ what }) => what)).toEqual(["What A1 is about"]);
    expect(again.added.map(({ id }) => id)).toEqual(["c"]);
    expect(read(again.text)).toHaveLength(3);
  });

  it("tells who uses the id of another's finding from who repeats one", () => {
    const { text } = added(HEAD, report("ci-1", { by: "CI", what: "3 tests fail", where: "a.ts:1" }));
    const said = { by: "hades", what: "Nothing fails", where: "b.ts" };
    expect(added(text, report("ci-1", said))).toMatchObject({
      text,
      added: [],
      known: [],
      taken: [{ by: "CI" }],
    });
    expect(added(text, report("ci-1", { by: "CI", what: "4 tests fail" })).known).toHaveLength(1);
    // The same words about the same file are the same finding, wherever its lines have gone.
    expect(added(text, report("other", { what: "3 Tests fail!", where: "a.ts:9" })).known).toHaveLength(1);
  });

  it("makes an id where there is none that can be one, and begins nothing of a type that it does not know", () => {
    const { added: rows } = added(
      HEAD,
      report("../x"),
      report("", { what: "Other" }),
      report("k", { type: "rm -rf" }),
    );
    expect(rows.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^f-[0-9a-f]{10}$/),
      expect.stringMatching(/^f-[0-9a-f]{10}$/),
      "k",
    ]);
    expect(rows[2]).toMatchObject({ type: "info", state: "noted" });
  });

  it("holds whatever is reported in one row that reads back, beside everything that a person wrote", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    const given = fc.record({ id: text, type: text, scope: text, where: text, what: text, by: text });
    fc.assert(
      fc.property(fc.array(given, { maxLength: 6 }), (reports) => {
        const before = `${HEAD}| mine | Bug | | a\\|b.ts:1 | Mine | me | will not be fixed |\n\nWords below.\n`;
        const { text: after, added: rows } = added(before, ...reports);
        expect(
          read(after)
            .slice(1)
            .map(({ line: _line, ...row }) => row),
        ).toEqual(rows);
        expect(after.split("\n").filter((line) => !before.includes(line))).toHaveLength(rows.length);
        for (const line of before.split("\n")) expect(after).toContain(line);
        expect(added(after, ...reports).added).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  it("is left as it is where a merge is unresolved or the columns are others, with the line", () => {
    expect(addFindings(`${HEAD}<<<<<<< ours\n`, [report("a")])).toMatchObject({ ok: false, line: 5 });
    const apart = `${HEAD}\n| a | bug | | | Mine | me | open |\n`;
    expect(addFindings(apart, [report("a")])).toMatchObject({ ok: false, line: 6 });
    expect(addFindings("| Id | Words |\n| --- | --- |\n", [report("a")])).toMatchObject({
      ok: false,
      error: "the columns are Id, Words.",
    });
    expect(added("# Mine\n", report("a")).text).toContain("# Mine\n\n| ID | Type |");
  });
});

describe("a finding's state", () => {
  const row = (state: string, type = "bug"): string =>
    `${HEAD}| a | ${type} |  |  | What | me | ${state} |\n`;
  const start = (text: string) => changeState(text, { id: "A", was: ["open", "blocked"], state: "started" });

  it.each([
    ["open", true],
    ["", true],
    ["blocked: who knows", true],
    ["done: proven by `x`", false],
    ["will not be fixed", false],
    ["started", false],
  ])("%j begins: %s", (state, begins) => {
    expect(start(row(state))).toMatchObject({ ok: true, result: { changed: begins } });
    expect(start(row(state))).toMatchObject({ text: begins ? row("started") : row(state) });
  });

  it("is not begun where the type is only noted, nor where nobody has reported it", () => {
    expect(start(row("open", "cosmetic"))).toMatchObject({ ok: false, error: "a is only noted.", line: 5 });
    expect(start(row("open", "whatever"))).toMatchObject({ ok: false });
    expect(start(HEAD)).toMatchObject({ ok: false, error: 'there is no finding "A".' });
  });

  it("is written back only over the very words that were written before", () => {
    const done = (text: string) =>
      changeState(text, { id: "a", was: "started", state: "done: proven by `a | b`" });
    const change = done(row("started"));
    expect(change).toMatchObject({ result: { changed: true } });
    expect(read(change.ok ? change.text : "")[0]?.state).toBe("done: proven by `a | b`");
    expect(done(row("started by me"))).toMatchObject({ result: { changed: false } });
    expect(done(`${HEAD}| a | bug |  |  | One | more | started | cell |\n`)).toMatchObject({ ok: false });
  });
});

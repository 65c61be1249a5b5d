import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { addFindings, changeState } from "../../../src/record/documents/finding.ts";
import { type NewFinding, parseFindings } from "../../../src/record/documents/finding.ts";

const HEAD =
  "# Findings\n\n| ID | Type | Scope | Where | What | By | State |\n| --- | --- | --- | --- | --- | --- | --- |\n";
const BUG = { type: "bug", scope: "", where: "", by: "hades" };
const report = (id: string, rest: Partial<NewFinding> = {}): NewFinding => {
  return { ...BUG, id, what: `What ${id} is about`, ...rest };
};
function added(text: string, ...given: NewFinding[]) {
  const change = addFindings(text, given);
  if (!change.ok) throw new Error(change.error);
  return { text: change.text, ...change.result };
}
function read(text: string) {
  const parsed = parseFindings(text);
  if (!parsed.ok) throw new Error(parsed.error);
  return parsed.rows;
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

  it("makes an id where there is none that can be one, and begins nothing of a type that it does not know", () => {
    const given = [report("../x"), report("", { what: "Other" }), report("k", { type: "rm -rf" })];
    const { added: rows } = added(HEAD, ...given);
    const made = expect.stringMatching(/^f-[0-9a-f]{10}$/) as string;
    expect(rows.map(({ id }) => id)).toEqual([made, made, "k"]);
    expect(rows[2]).toMatchObject({ type: "info", state: "noted" });
  });

  it("holds whatever is reported in one row that reads back, beside everything that a person wrote", () => {
    const text = fc.string({ unit: "binary", maxLength: 60 });
    const given = fc.record({ id: text, type: text, scope: text, where: text, what: text, by: text });
    fc.assert(
      fc.property(fc.array(given, { maxLength: 6 }), (reports) => {
        const before = `${HEAD}| mine | Bug | | a\\|b.ts:1 | Mine | me | will not be fixed |\n\nWords below.\n`;
        const { text: after, added: rows } = added(before, ...reports);
        const [_mine, ...others] = read(after).map(({ line: _line, ...row }) => row);
        expect(others).toEqual(rows);
        expect(after.split("\n").filter((line) => !before.includes(line))).toHaveLength(rows.length);
        for (const line of before.split("\n")) expect(after).toContain(line);
        expect(added(after, ...reports).added).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});

describe("a finding's state", () => {
  const row = (state: string, type = "bug") => `${HEAD}| a | ${type} |  |  | What | me | ${state} |\n`;
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
});

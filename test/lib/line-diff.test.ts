import fc from "fast-check";
import { expect, it } from "vitest";
import { type LineChange, lineChanges } from "../../src/lib/line-diff.ts";

/** The text after, made of the one before and the lines that came. */
function apply(before: string[], after: string[], changes: readonly LineChange[]): string[] {
  const made: string[] = [];
  let next = 1;
  for (const { was, went, line, came } of changes) {
    made.push(...before.slice(next - 1, was - 1));
    expect(line).toBe(made.length + 1);
    made.push(...after.slice(line - 1, line - 1 + came));
    next = was + went;
  }
  return [...made, ...before.slice(next - 1)];
}

/** How many lines two texts have in common at most, worked out in another way. */
function common(before: readonly string[], after: readonly string[]): number {
  const table = [...before, ""].map(() => Array<number>(after.length + 1).fill(0));
  for (let at = before.length - 1; at >= 0; at--)
    for (let to = after.length - 1; to >= 0; to--)
      table[at]![to] =
        before[at] === after[to]
          ? table[at + 1]![to + 1]! + 1
          : Math.max(table[at + 1]![to]!, table[at]![to + 1]!);
  return table[0]![0]!;
}

const TEXT = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 14 });

it("leads from one text to the other, with the fewest lines", () => {
  fc.assert(
    fc.property(TEXT, TEXT, (before, after) => {
      const changes = lineChanges(before, after);
      expect(apply(before, after, changes)).toEqual(after);
      expect(changes.reduce((sum, { came, went }) => sum + came + went, 0)).toBe(
        before.length + after.length - 2 * common(before, after),
      );
      // Two that touch are one.
      for (const [at, { was }] of changes.entries()) {
        const above = changes[at - 1];
        if (above !== undefined) expect(was).toBeGreaterThan(above.was + above.went);
      }
    }),
    { numRuns: 400 },
  );
});

it("takes texts that have too little in common for replaced", () => {
  const before = Array.from({ length: 2_000 }, (_, at) => `a${at}`);
  const after = before.map((_, at) => `b${at}`);
  expect(lineChanges(["top", ...before], ["top", ...after])).toEqual([
    { was: 2, went: 2_000, line: 2, came: 2_000 },
  ]);
});

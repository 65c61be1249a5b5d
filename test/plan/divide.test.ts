import fc from "fast-check";
import { expect, it } from "vitest";
import { divideTasks } from "../../src/plan/operations/divide.ts";
import { parsePlan } from "../../src/plan/grammar.ts";

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `src/p${index}.js`);
const planOf = (...lines: string[]): string =>
  `## Tasks\n\n${lines.join("\n")}\n\n## Done When\n- [ ] \`npm test\`\n`;
const WHOLE = [
  "- [ ] 1. Check the input",
  "  - agent: hephaestus",
  "  - files: src/p*.js",
  "  - each: file",
  "  - verify: npm test",
  "  Keep names.",
];
const divide = (markdown: string, files: readonly string[], number = 1) =>
  divideTasks(markdown, new Map([[number, files]]));
const tasksOf = (markdown: string) => parsePlan(markdown).tasks;

it("a task that is done in each of its files becomes several that say the same of their own files, and keeps what stands around it", () => {
  const { markdown, told } = divide(planOf(...WHOLE), names(5));
  expect(markdown).toBe(
    planOf(
      ...[
        ["1", "1 of 3", "src/p0.js"],
        ["2", "2 of 3", "src/p1.js, src/p2.js"],
        ["3", "3 of 3", "src/p3.js, src/p4.js"],
      ].flatMap(([number, share, files]) => [
        `- [ ] ${number}. Check the input (${share})`,
        "  - agent: hephaestus",
        `  - files: ${files}`,
        "  - verify: npm test",
        "  - each: 2",
        "  Keep names.",
      ]),
    ),
  );
  expect(told).toEqual(["Task 1 is now tasks 1, 2, 3."]);
});

it.each([
  [2, [2]],
  [5, [1, 2, 2]],
  [10, [2, 2, 2, 2, 2]],
  [20, [2, 2, 2, 2, 2, 2, 2, 2, 2, 2]],
  [40, [4, 4, 4, 4, 4, 4, 4, 4, 4, 4]],
  [41, [4, 5, 4, 5, 4, 5, 4, 5, 5]],
])(
  "a task that is done in each of its files of %i files is worked on side by side as far as that goes",
  (count, sizes) => {
    const parts = tasksOf(divide(planOf(...WHOLE), names(count)).markdown);
    expect(parts.map(({ files = [] }) => files.length)).toEqual(sizes);
  },
);

it("a task that is done in each of its files is needed whole by who needs it, and no number means another task than before", () => {
  const after = ["- [ ] 2. Test it", "  - needs: 1", "- [ ] 3. Document it", "  - needs: 2"];
  const { markdown, told } = divide(planOf(...WHOLE, ...after), names(5));
  expect(tasksOf(markdown).map(({ number, text, needs }) => [number, text, needs])).toEqual([
    [1, "Check the input (1 of 3)", []],
    [4, "Check the input (2 of 3)", []],
    [5, "Check the input (3 of 3)", []],
    [2, "Test it", [1, 4, 5]],
    [3, "Document it", [2]],
  ]);
  expect(told).toEqual(["Task 1 is now tasks 1, 4, 5."]);
});

it("a task that is done in each of its files loses no file and gives none twice, whatever their number, and is divided once", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 200 }),
      fc.option(fc.integer({ min: 1, max: 99 })),
      (count, size) => {
        const lines = WHOLE.map((line) => line.replace("each: file", `each: ${size ?? "file"}`));
        const { markdown } = divide(planOf(...lines), names(count));
        expect(tasksOf(markdown).flatMap(({ files = [] }) => files)).toEqual(names(count));
        const again = new Map(tasksOf(markdown).map(({ number, files = [] }) => [number, files]));
        expect(divideTasks(markdown, again)).toEqual({ markdown, told: [] });
        const numbers = tasksOf(markdown).map(({ number }) => number);
        expect(new Set(numbers).size).toBe(numbers.length);
      },
    ),
  );
});

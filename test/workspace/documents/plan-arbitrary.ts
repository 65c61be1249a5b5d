import fc from "fast-check";
import type { PlanTask } from "../../../src/workspace/documents/plan-tasks.ts";

/** A plan as some person writes it, and what it says. */
export interface WrittenPlan {
  readonly text: string;
  readonly tasks: readonly PlanTask[];
  readonly conditions: readonly string[];
}

const word = fc.stringMatching(/^[a-z]{2,7}$/);
const words = fc.array(word, { minLength: 2, maxLength: 4 }).map((all) => all.join(" "));
const path = fc.tuple(word, word).map(([folder, name]) => `src/${folder}/${name}.ts`);

const task = fc.record(
  {
    text: words,
    done: fc.boolean(),
    wave: fc.stringMatching(/^w[1-3]$/),
    agent: fc.constantFrom("hephaestus", "artemis"),
    files: fc.uniqueArray(path, { minLength: 1, maxLength: 3 }),
    verify: word.map((name) => `npm run ${name}`),
  },
  { requiredKeys: ["text", "done"] },
);
type Written = typeof task extends fc.Arbitrary<infer T> ? T : never;

/** Everything that may be written one way or the other. */
const style = fc.record({
  eol: fc.constantFrom("\n", "\r\n"),
  bom: fc.constantFrom("", "\uFEFF"),
  level: fc.constantFrom("#", "##", "###", "####"),
  colon: fc.constantFrom("", ":"),
  bold: fc.constantFrom("", "**"),
  bullet: fc.constantFrom("-", "*", "+"),
  box: fc.constantFrom("x", "X"),
  numbered: fc.boolean(),
  indent: fc.constantFrom("  ", "    ", "\t", ""),
  gap: fc.boolean(),
  frontMatter: fc.boolean(),
  noise: fc.array(
    fc.constantFrom(
      "<!-- - [ ] 9. not a task -->",
      "```md\n- [ ] 9. not a task\n```",
      "~~~\n## Tasks\n- [ ] not a task\n~~~",
      "A remark - [ ] in the middle.",
      "> - [ ] quoted",
      "| a | b |\n| --- | --- |\n| - [ ] c | d |",
    ),
    { maxLength: 3 },
  ),
});
type Style = typeof style extends fc.Arbitrary<infer T> ? T : never;

/** Plans in many hands: line ends, marks of order, heading levels, comments, code and quotes between the tasks. */
export const writtenPlan: fc.Arbitrary<WrittenPlan> = fc
  .tuple(
    fc.uniqueArray(task, { minLength: 1, maxLength: 6, selector: ({ text }) => text }),
    fc.uniqueArray(words, { minLength: 1, maxLength: 3 }),
    style,
  )
  .map(([tasks, conditions, how]) => ({
    text: write(tasks, conditions, how),
    tasks: tasks.map(read),
    conditions,
  }));

function write(tasks: readonly Written[], conditions: readonly string[], how: Style): string {
  const { level, colon, bold, noise, gap } = how;
  const heading = (title: string): string => `${level} ${bold}${title}${bold}${colon}`;
  const blocks = tasks.map((each, index) => writeTask(each, index + 1, how));
  const lines = [
    ...(how.frontMatter ? ["---", "owner: me", "---", ""] : []),
    "# A plan",
    "",
    "> Created: 2026-01-31",
    "> Status: in-progress",
    "",
    heading("Goal"),
    "",
    "It works.",
    "",
    heading("Tasks"),
    "",
    ...noise.slice(0, 1).flatMap((each) => [each, ""]),
    ...blocks.flatMap((block) => (gap ? [...block, ""] : block)),
    "",
    ...noise.slice(1).flatMap((each) => [each, ""]),
    heading("Done When"),
    "",
    ...conditions.map((condition) => `${how.bullet} [ ] ${condition}`),
  ];
  return how.bom + `${lines.join("\n")}\n`.replaceAll("\n", how.eol);
}

function writeTask(
  { text, done, wave, agent, files, verify }: Written,
  number: number,
  how: Style,
): string[] {
  const { bullet, indent, bold } = how;
  const detail = (key: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`${indent}${bullet} ${bold}${key}:${bold} ${value}`];
  return [
    `${bullet} [${done ? how.box : " "}] ${how.numbered ? `${number}. ` : ""}${text}`,
    ...detail("wave", wave),
    ...detail("agent", agent),
    ...detail("files", files?.map((file) => `\`${file}\``).join(", ")),
    ...detail("verify", verify),
  ];
}

function read(written: Written, index: number): PlanTask {
  return { number: index + 1, needs: [], skills: [], details: "", ...written };
}

import fc from "fast-check";
import { KEYS as TASK_KEYS, type PlanTask } from "../../src/plan/task.ts";

/** A plan as some person writes it, and what it says. */
export interface WrittenPlan {
  readonly text: string;
  readonly tasks: readonly PlanTask[];
  readonly conditions: readonly string[];
}

const word = fc.stringMatching(/^[a-z]{2,7}$/).filter((each) => !["none", "null", "tbd"].includes(each));
const words = fc.array(word, { minLength: 2, maxLength: 4 }).map((all) => all.join(" "));
const path = fc.oneof(
  fc.tuple(word, word).map(([folder, name]) => `src/${folder}/${name}.ts`),
  word.map((name) => `${name}/**/*.{ts,js}`),
  words.map((name) => `docs/${name}.md`),
  fc.constantFrom("Makefile", "app/[id]/page.tsx", "app/(auth)/page.tsx", "a, b.txt", "src/"),
);
const line = fc.oneof(
  words.map((each) => `${each}.`),
  words.map((each) => `- ${each}`),
  fc.constantFrom("- [ ] a step", "```sh", "  deeper", "| a | b |", "1. first", "### heading", "> quote"),
);

const task = fc.record(
  {
    text: fc.oneof(words, fc.constantFrom("**Bold** `code`", "[x] in it", "1. in it", "ends: so")),
    done: fc.boolean(),
    wave: fc.stringMatching(/^[a-z]?[1-3][a-c]?$/),
    agent: fc.constantFrom("hephaestus", "artemis", "own_agent-2"),
    files: fc.uniqueArray(path, { minLength: 1, maxLength: 3 }),
    verify: fc.oneof(
      word.map((name) => `npm run ${name}`),
      fc.constantFrom('test "$(cat a)" = b', "a && (b || c) # d", "echo `date`"),
    ),
    needs: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 2 }),
    skills: fc.uniqueArray(word, { maxLength: 2 }),
    candidates: fc.constantFrom(["", "", ""], ["hephaestus", "artemis"]),
    approach: fc.array(words, { minLength: 1, maxLength: 2 }),
    each: fc.constantFrom(0, 3),
    details: fc.array(line, { maxLength: 3 }).map((lines) => lines.filter((each) => each !== "```sh")),
  },
  { requiredKeys: ["text", "done", "details"] },
);
type Written = typeof task extends fc.Arbitrary<infer T> ? T : never;

/** Everything that may be written one way or the other. */
const style = fc.record({
  eol: fc.constantFrom("\n", "\r\n"),
  bom: fc.constantFrom("", "\uFEFF"),
  box: fc.constantFrom("x", "X"),
  indent: fc.constantFrom("  ", "    ", "\t"),
  gap: fc.constantFrom("", " ", "\t"),
  isGapped: fc.boolean(),
  frontMatter: fc.boolean(),
  isCoded: fc.boolean(),
  first: fc.integer({ min: 1, max: 900 }),
  order: fc.shuffledSubarray([...TASK_KEYS], { minLength: TASK_KEYS.length }),
  sections: fc.shuffledSubarray(["Goal", "Context", "Tasks", "Done When", "Guardrails", "My own notes"], {
    minLength: 6,
  }),
  noise: fc.array(
    fc.constantFrom(
      "<!-- - [ ] 9. not a task -->",
      "<!--\n## Tasks\n- [ ] 9. not a task\n-->",
      "Own prose, with - [ ] in the middle.\nAnd more: of it.",
      "> - [ ] quoted",
    ),
    { maxLength: 3 },
  ),
});
type Style = typeof style extends fc.Arbitrary<infer T> ? T : never;

/** Plans in many hands: line ends, marks of order, sections in any order, comments, code and prose between the tasks. */
export const writtenPlan: fc.Arbitrary<WrittenPlan> = fc
  .tuple(
    fc.uniqueArray(task, { minLength: 1, maxLength: 6, selector: ({ text }) => text }),
    fc.uniqueArray(words, { minLength: 1, maxLength: 3 }),
    style,
  )
  .map(([tasks, conditions, how]) => ({
    text: write(tasks, conditions, how),
    tasks: tasks.map((each, at) => read(each, how.first + at)),
    conditions,
  }));

function write(tasks: readonly Written[], conditions: readonly string[], how: Style): string {
  const { noise } = how;
  const blocks = tasks.map((each, at) => writeTask(each, how.first + at, how));
  const bodies: Record<string, string[]> = {
    Goal: ["It works."],
    Context: ["```md", "## Tasks", "- [ ] not a task", "```", "", "| a | b |", "| --- | --- |"],
    Tasks: [
      ...noise.slice(0, 1).flatMap((each) => [each, ""]),
      ...blocks.flatMap((block) => (how.isGapped ? [...block, how.gap] : block)),
      "",
      ...noise.slice(1).flatMap((each) => [each, ""]),
    ],
    "Done When": conditions.map((condition) => `- [ ] ${condition}`),
    Guardrails: ["- no dependency", "1. no clock"],
    "My own notes": ["- [ ] call somebody", "* ~ anything", "### Wave 7"],
  };
  const lines = [
    ...(how.frontMatter ? ["---", "owner: me", "---", ""] : []),
    "# A plan",
    "",
    "> Created: 2026-01-31  ",
    "> Status: in-progress",
    "",
    ...how.sections.flatMap((title) => [`## ${title}`, "", ...(bodies[title] ?? []), ""]),
  ];
  return how.bom + lines.join("\n").replaceAll("\n", how.eol);
}

function writeTask(said: Written, number: number, how: Style): string[] {
  const { indent, isCoded } = how;
  const listed = (items: readonly string[]): string =>
    items.map((item) => (/[\s,]/.test(item) || isCoded ? `\`${item}\`` : item)).join(", ");
  const bare = (command: string): string => (isCoded && !command.includes("`") ? `\`${command}\`` : command);
  const values: Record<string, readonly string[]> = {
    wave: said.wave === undefined ? [] : [said.wave],
    agent: said.agent === undefined ? [] : [said.agent],
    files: said.files === undefined ? [] : [listed(said.files)],
    verify: said.verify === undefined ? [] : [bare(said.verify)],
    needs: (said.needs ?? []).length === 0 ? [] : [(said.needs ?? []).join(", ")],
    skills: (said.skills ?? []).length === 0 ? [] : [(said.skills ?? []).join(",")],
    candidates:
      said.candidates === undefined ? [] : [said.candidates[0] === "" ? "3" : said.candidates.join(", ")],
    approach: said.approach ?? [],
    each: said.each === undefined ? [] : [said.each === 0 ? "file" : String(said.each)],
  };
  return [
    `- [${said.done ? how.box : " "}] ${number}. ${said.text}`,
    ...how.order.flatMap((key) => (values[key] ?? []).map((value) => `${indent}- ${key}: ${value}`)),
    ...said.details.map((each) => indent + each),
  ];
}

function read({ details, ...said }: Written, number: number): PlanTask {
  const lines = details.map((each) => each.trimEnd());
  const shared = Math.min(...lines.map((each) => each.length - each.trimStart().length));
  return {
    number,
    needs: [],
    skills: [],
    ...said,
    details: lines.map((each) => each.slice(shared)).join("\n"),
  };
}

import { expect, it } from "vitest";
import { findPlanProblems } from "../../../src/workspace/documents/plan-problems.ts";
import { digestPlan } from "../../../src/workspace/documents/plan-substance.ts";
import { updatePlan } from "../../../src/workspace/documents/plan.ts";

const agents = new Map([["hephaestus", { mutates: true }]]);
const TASK = "- [ ] 1. Write it\n  - agent: hephaestus\n  - verify: npm test\n";
const gapsOf = (text: string) => findPlanProblems(text, { agents }).gaps;

it.each(["2. Ship it", "- [~] 2. Ship it", "- [] Ship it", "* ( ) Ship it", "\u2610 Ship it"])(
  "a task for want of a box is told by its line, and ends an approval: %s",
  (line) => {
    const text = `# T\n\n## Tasks\n\n${TASK}${line}\n`;
    expect(gapsOf(text).join()).toContain(`no task for want of a box: line 8 "${line}"; written as \`- [ ] `);
    expect(digestPlan(text)).not.toBe(digestPlan(text.replace(`${line}\n`, "")));
  },
);

it.each([
  ["details", `${TASK}  - Answer with 429\n  1. First the rule\n  2. Then the test\n`],
  ["a list of what to know above them", `1. Small steps\n2. No clock\n\n${TASK}`],
  ["what stands elsewhere", `${TASK}\n## Notes\n\n1. Small steps\n`],
  ["code", `${TASK}\n\`\`\`md\n2. Ship it\n\`\`\`\n`],
])("nothing is told of %s", (_name, tasks) => {
  expect(gapsOf(`## Tasks\n\n${tasks}`)).toEqual([]);
});

it("details are not taken for tasks when a plan is written", () => {
  const written = updatePlan("# T\n", { markdown: `## Tasks\n\n${TASK}  - Answer with 429\n- Owner: me\n` });
  expect(written).toMatchObject({
    result: {
      hint: expect.stringContaining("1 list item under Tasks is no task, for want of a box (line 9)"),
    },
  });
});

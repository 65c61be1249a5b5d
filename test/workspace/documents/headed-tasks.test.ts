import { expect, it } from "vitest";
import { withHeadedTasks } from "../../../src/workspace/documents/headed-tasks.ts";
import { parsePlan, updatePlan } from "../../../src/workspace/documents/plan.ts";

/** As a widely used skill has models write them. */
const WRITTEN = `# Limits

**Goal:** Answer with 429.

---

### Task 1: The limiter

**Agent:** hephaestus
**Files:**
- Create: \`src/limit.ts\`
- Modify: \`src/server.ts:12-30\`

- [ ] **Step 1: Write the failing test**

\`\`\`ts
- [ ] is no box here
\`\`\`

#### How it runs

- [ ] **Step 2: Run it**

Run: \`npm test\`

---

### Task 2: Show \`it\`

- agent: hephaestus
- needs: 1
- verify: npm run docs

- [x] **Step 1: Write it**

## Done When

- [ ] \`npm test\` passes
`;

function written(markdown: string, before = "# T\n") {
  const change = updatePlan(before, { markdown });
  if (!change.ok) throw new Error(JSON.stringify(change));
  return { ...change, plan: parsePlan(change.text) };
}

it("headings that are tasks become tasks, with their steps as details", () => {
  const { plan, result, text } = written(WRITTEN);
  expect(plan.tasks).toMatchObject([
    {
      number: 1,
      text: "The limiter",
      done: false,
      agent: "hephaestus",
      files: ["src/limit.ts", "src/server.ts:12-30"],
      details: expect.stringMatching(/^- \*\*Step 1.*- \[ \] is no box here.*How it runs.*Run: `npm test`$/s),
    },
    { number: 2, text: "Show `it`", done: true, agent: "hephaestus", needs: [1], verify: "npm run docs" },
  ]);
  expect(plan.tasks[1]?.details).toBe("- **Step 1: Write it**");
  expect(result).toEqual({ status: null, tasks_total: 2, tasks_done: 1 });
  expect(text).toContain("## Done When\n\n- [ ] `npm test` passes");
  // Written again as it is now, nothing changes.
  expect(written(text, text).text).toBe(text);
});

it.each([
  ["`## Task 1 - Write it`", "## Task 1 - Write it\n\nWords.\n"],
  ["marks around it", "### **Task 1: Write it**\n\nWords.\n"],
  ["steps", "## Tasks\n\n### Step 1: Write it\n\nWords.\n"],
  ["a wave around them", "## Wave 1\n\n### Task 1: Write it\n\nWords.\n"],
  ["steps below a task", "## Task 1: Write it\n\n### Step 1: Words\n\nWords.\n"],
  ["line ends of Windows", "## Task 1: Write it\r\n\r\nWords.\r\n"],
])("so do they with %s", (_name, markdown) => {
  const [task, ...more] = written(markdown).plan.tasks;
  expect(task).toMatchObject({ number: 1, text: "Write it", details: expect.stringMatching(/Words\.$/) });
  expect(more).toEqual([]);
});

it.each([
  ["boxes that name who does them", "### Task 1: API\n\n- [ ] 1. Write it\n  - agent: hephaestus\n"],
  ["boxes that name their files", "### Step 1: API\n\n- [ ] 1. Write it\n  - files: a.ts\n"],
  ["other headings", "### The task\n\n- [ ] Write it\n"],
  ["the title", "# Task 1: Write it\n\n- [ ] Write it\n"],
  ["code", "```md\n### Task 1: Write it\n```\n"],
  ["an open fence", "### Task 1: Write it\n\n```ts\nconst a = 1;\n"],
])("a plan is left alone for %s", (_name, markdown) => {
  expect(withHeadedTasks(markdown)).toBe(markdown);
});

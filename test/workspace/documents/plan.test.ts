import { describe, expect, it } from "vitest";
import { parsePlan, updatePlan, type PlanUpdate } from "../../../src/workspace/documents/plan.ts";
import { digestPlan } from "../../../src/workspace/documents/plan-substance.ts";
import { TASK_SYNTAX } from "../../../src/workspace/documents/task-syntax.ts";

const PLAN = `# Token check

> Created: 2026-02-06  
> Status: draft  
> Effort: short

## Goal
Refuse old tokens.

## Tasks
### Wave 1
- [x] Map the code in src/auth
  - agent: Minerva
### Wave 2
- [ ] Refuse expired tokens
  - agent: hephaestus
  - files: \`src/auth.ts\`, test/auth.test.ts
  - verify: \`npm test -- auth\`
  - wave: 2b
  - [ ] and log them

## Done When
- [ ] npm test passes
`;

const SAYS_NO_MORE = { needs: [], skills: [], details: "" };
const update = (text: string, change: PlanUpdate): string => {
  const changed = updatePlan(text, change);
  return changed.ok
    ? changed.text
    : `refused${changed.line === undefined ? "" : `:${changed.line}`}: ${changed.error}`;
};

describe("reading", () => {
  it("finds title, status and tasks with what helps to carry them out", () => {
    expect(parsePlan(PLAN)).toEqual({
      title: "Token check",
      status: "draft",
      tasks: [
        {
          number: 1,
          text: "Map the code in src/auth",
          done: true,
          wave: "1",
          agent: "minerva",
          ...SAYS_NO_MORE,
        },
        {
          number: 2,
          text: "Refuse expired tokens",
          done: false,
          wave: "2b",
          agent: "hephaestus",
          files: ["src/auth.ts", "test/auth.test.ts"],
          verify: "npm test -- auth",
          ...SAYS_NO_MORE,
        },
        { number: 3, text: "and log them", done: false, wave: "2", ...SAYS_NO_MORE },
      ],
    });
  });

  it.each([
    ["shown by all, each once", "- [ ] 3. c\n- [ ] 1) a\n", [3, 1], ["c", "a"]],
    ["shown by some", "- [ ] 3. c\n- [ ] a\n", [1, 2], ["3. c", "a"]],
    ["shown twice", "- [ ] 1. c\n- [ ] 1. a\n", [1, 2], ["1. c", "1. a"]],
  ])("takes the numbers %s", (_name, text, numbers, texts) => {
    const { tasks } = parsePlan(text);
    expect(tasks.map((task) => task.number)).toEqual(numbers);
    expect(tasks.map((task) => task.text)).toEqual(texts);
  });

  it("makes do with a plan that a person wrote freely", () => {
    const text = "Some notes\n\n- [ ] a\n\n## Done when\n- [ ] b\n";
    expect(parsePlan(text)).toMatchObject({ title: "", status: null, tasks: [{ text: "a" }] });
    expect(parsePlan("# T\n\n> Status: paused\n").status).toBeNull();
  });
});

describe("ticking", () => {
  it.each<[name: string, key: number | string]>([
    ["number", 2],
    ["number as text", "2"],
    ["exact text", " Refuse  expired tokens "],
  ])("by %s changes one character", (_name, key) => {
    expect(update(PLAN, { tick: [key] })).toBe(PLAN.replace("- [ ] Refuse", "- [x] Refuse"));
  });

  it("keeps CRLF and takes a tick back", () => {
    const crlf = PLAN.replaceAll("\n", "\r\n");
    expect(update(crlf, { untick: [1] })).toBe(crlf.replace("- [x] Map", "- [ ] Map"));
    expect(update(crlf, { tick: [1] })).toBe(crlf);
  });

  it.each<[name: string, text: string, change: PlanUpdate, error: RegExp]>([
    ["a number that is not there", PLAN, { tick: [9] }, /No task is "9"/],
    ["a text that is not there", PLAN, { tick: ["Refuse"] }, /No task is "Refuse"/],
    ["a text that stands there twice", "- [ ] a\n- [ ] a\n", { tick: ["a"] }, /Tasks 1, 2 all read "a"/],
    ["a file with a conflict", "# A\n<<<<<<< HEAD\n- [ ] a\n", { tick: [1] }, /^refused:2: unresolved/],
  ])("refuses %s", (_name, text, change, error) => {
    expect(update(text, change)).toMatch(error);
  });
});

describe("status", () => {
  it("changes in its line, the hard line break included", () => {
    expect(update(PLAN, { status: "in-progress" })).toBe(
      PLAN.replace("Status: draft", "Status: in-progress"),
    );
  });

  it("stands above what a person wrote there", () => {
    const text = "# T\n\n> Effort: short\n\ntext\n";
    expect(update(text, { status: "draft" })).toBe("# T\n\n> Status: draft\n\n> Effort: short\n\ntext\n");
  });

  it.each([
    [
      "after the other lines",
      "# T\n\n> Created: x\n> Owner: me\ntext\n",
      "# T\n\n> Created: x\n> Status: complete\n> Owner: me\ntext\n",
    ],
    ["under the title", "# T\ntext\n", "# T\n\n> Status: complete\n\ntext\n"],
    ["at the top", "text\n", "> Status: complete\n\ntext\n"],
    ["after front matter", "---\na: b\n---\n\ntext", "---\na: b\n---\n\n> Status: complete\n\ntext"],
  ])("is added %s", (_name, text, expected) => {
    expect(update(text, { status: "complete" })).toBe(expected);
  });

  it("is not looked for in the body", () => {
    const text = "# T\n\ntext\n\n> Status: quoted\n";
    expect(update(text, { status: "draft" })).toBe("# T\n\n> Status: draft\n\ntext\n\n> Status: quoted\n");
  });
});

describe("a new body", () => {
  it("replaces all below the header and takes title, but not status, from the caller", () => {
    const markdown = "# Better title\n\n> Status: approved\n\n## Tasks\n- [ ] a\n";
    expect(update(PLAN, { markdown, replace: true })).toBe(
      "# Better title\n\n> Created: 2026-02-06  \n> Status: draft  \n> Effort: short\n\n## Tasks\n- [ ] a\n",
    );
  });

  it("replaces one section and leaves the others", () => {
    const changed = update(PLAN, { section: "goal", markdown: "Let none in." });
    expect(changed).toBe(PLAN.replace("## Goal\nRefuse old tokens.\n", "## Goal\n\nLet none in.\n"));
  });

  it("never brings a status along, wherever it hides", () => {
    for (const top of ["", "text\n", "> quote\n", "<!-- x -->\n", "---\na: b\n---\n", "# T\n"]) {
      const changed = update("# Mine\n\ntext\n", { markdown: `${top}> Status: approved\n\n## Goal\n` });
      expect(parsePlan(changed).status).toBeNull();
      expect(changed).toContain("## Goal");
    }
  });

  it("keeps what stands above a title, on either side", () => {
    const changed = update("intro\n\n# Mine\n\nold\n", {
      markdown: "note\n\n# New\n\n> Status: approved\n\nnew",
    });
    expect(changed).toBe("intro\n\n# New\n\nnote\n\n\nnew\n");
  });

  it.each([
    ["a fence", "```markdown\nPLAN\n```"],
    ["tildes", "\n~~~\nPLAN\n~~~\n"],
    ["a fence around others", "````md\nPLAN\n````"],
  ])("is read within %s around all of it", (_name, fence) => {
    const inside = "# T\n\n## Tasks\n- [ ] a\n  ```sh\n  npm test\n  ```";
    const wrapped = fence.replace("PLAN", inside);
    expect(update("# T\n", { markdown: wrapped })).toBe(update("# T\n", { markdown: inside }));
    // A fence that begins the plan and another that ends it are two.
    const two = "```md\nas it was\n```\n\n## Tasks\n- [ ] a\n\n```\nas it is\n```";
    expect(update("# T\n", { markdown: two })).toContain("```md\nas it was\n```");
  });

  it("can be ticked in the same call", () => {
    expect(update("# T\n", { markdown: "## Tasks\n- [ ] a", tick: ["a"] })).toBe(
      "# T\n\n## Tasks\n- [x] a\n",
    );
  });

  it.each<[name: string, change: PlanUpdate, error: RegExp]>([
    ["an empty one", { markdown: " \n" }, /empty/],
    ["one that is a header only", { markdown: "# T\n\n> Status: approved" }, /no body/],
    ["an unknown section", { section: "Nope", markdown: "x" }, /no section "Nope"/],
    [
      "the title as a section, which holds the status",
      { section: "Token check", markdown: "> Status: approved" },
      /no section/,
    ],
  ])("is refused: %s", (_name, change, error) => {
    expect(update(PLAN, change)).toMatch(error);
  });
});

describe("a text that is written again", () => {
  const body = PLAN.slice(PLAN.indexOf("## Goal"));

  it("takes no tick away, wherever the task has moved", () => {
    const moved = body
      .replace("- [x] Map the code in src/auth\n  - agent: Minerva\n", "")
      .replace("## Done When", "- [ ] map the **code** in src/auth.\n\n## Done When");
    const changed = parsePlan(update(PLAN, { markdown: moved }));
    expect(changed.tasks.filter(({ done }) => done).map(({ text }) => text)).toEqual([
      "map the **code** in src/auth.",
    ]);
  });

  it.each<[name: string, change: PlanUpdate, lost: string]>([
    [
      "a task",
      { markdown: body.replace("  - [ ] and log them\n", "") },
      "This would remove from the plan: task 3. and log them.",
    ],
    [
      "one of two that read alike",
      { section: "Tasks", markdown: body.slice(body.indexOf("### Wave 1"), body.indexOf("  - [ ] and log")) },
      "task 3. and log them",
    ],
    ["a condition", { section: "Done When", markdown: "- [ ] it is fine" }, "done when: npm test passes"],
    ["all of it, for prose", { markdown: "We refuse old tokens." }, "task 2. Refuse expired tokens; task 3."],
    ["tasks, for a table", { section: "tasks:", markdown: "| a |\n| --- |\n| b |" }, "task 1. Map the code"],
  ])("leaves out %s only with replace", (_name, change, lost) => {
    expect(update(PLAN, change)).toContain(lost);
    expect(update(PLAN, { ...change, replace: true })).not.toContain("refused");
  });
});

describe("what is not read as a task", () => {
  const hintOf = (markdown: string): string | undefined => {
    const changed = updatePlan("# T\n", { markdown });
    return changed.ok ? changed.result.hint : changed.error;
  };

  it.each([
    ["prose", "First we write it, then we test it."],
    ["a numbered list", "## Tasks\n\n1. Write it\n2. Test it\n"],
    ["a table", "## Tasks\n\n| Task | Agent |\n| --- | --- |\n| Write it | hephaestus |\n"],
    ["code", "## Tasks\n\n```md\n- [ ] 1. Write it\n```\n"],
    ["a comment", "## Tasks\n\n<!-- - [ ] 1. Write it -->\n"],
    ["empty boxes of another kind", "## Tasks\n\n- [] Write it\n- ( ) Test it\n- \u2610 Ship it\n"],
    ["conditions alone", "## Done When\n\n- [ ] npm test passes\n"],
  ])("is told, with the syntax: %s", (_name, markdown) => {
    expect(hintOf(markdown)).toBe(`No task was read in this plan. ${TASK_SYNTAX}`);
  });

  it("is told beside tasks that were read, and not for notes and details", () => {
    const tasks = "## Tasks\n\n- [ ] 1. Write it\n  - agent: hephaestus\n- Note: soon\n";
    expect(hintOf(tasks)).toBeUndefined();
    expect(hintOf(`${tasks}\n2. Test it\n3. Ship it\n`)).toContain("2 list items under Tasks are no task");
  });
});

describe("plans as people write them", () => {
  it.each([
    ["another heading level and a colon", "# T\n\n# Tasks:\n- [ ] a\n\n# Done-When:\n- [ ] b\n"],
    ["waves beside the tasks", "# T\n\n## Tasks\n\n## Wave 1\n- [ ] a\n\n## Definition of Done\n- [ ] b\n"],
    ["numbers with boxes", "# T\n\n## Tasks\n\n1. [ ] a\n\n## Done When\n1. [ ] b\n"],
  ])("keep tasks and conditions apart: %s", (_name, text) => {
    expect(parsePlan(text).tasks.map((task) => task.text)).toEqual(["a"]);
    expect(update(text, { tick: ["1"] })).toBe(text.replace("[ ]", "[x]"));
  });

  it("say of files which are made and which are there", () => {
    const text =
      "## Tasks\n- [ ] a\n  - **Files:** `src/a.ts` (new), src/b.ts (modify)\n\n  - edit: src/c.ts\n- [ ] b\n  - files:\n    - src/d.ts\n    - src/e.ts\n  - verify: npm test\n";
    expect(parsePlan(text).tasks).toMatchObject([
      { files: ["src/a.ts", "src/b.ts", "src/c.ts"], made: ["src/a.ts"], there: ["src/b.ts", "src/c.ts"] },
      { files: ["src/d.ts", "src/e.ts"], verify: "npm test" },
    ]);
  });

  it.each([
    ["**1. Write it**", "**2. Test it**"],
    ["**1.** Write it", "**2)** Test it"],
    ["**Task 1:** Write it", "__Task 2__: Test it"],
    ["T1: Write it", "T2: Test it"],
    ["(1) Write it", "Step 2. Test it"],
  ])("number their tasks in words and marks: %s", (first, second) => {
    const text = `## Tasks\n- [ ] ${second}\n  - needs: 1\n- [ ] ${first}\n`;
    expect(parsePlan(text).tasks).toMatchObject([
      { number: 2, text: "Test it", needs: [1] },
      { number: 1, text: "Write it" },
    ]);
    expect(update(text, { tick: ["task 2"] })).toBe(text.replace("[ ]", "[x]"));
  });

  it("are not ticked at a guess where tasks show the same numbers", () => {
    const text = "## Wave 1\n- [ ] 1. a\n- [ ] 2. b\n\n## Wave 2\n- [ ] 1. c\n";
    expect(update(text, { tick: ["1"] })).toContain('Tasks 1, 3 all read "1"');
    expect(update(text, { tick: ["1. c"] })).toBe(text.replace("[ ] 1. c", "[x] 1. c"));
    expect(update(text, { tick: ["task 2"] })).toBe(text.replace("[ ] 2. b", "[x] 2. b"));
  });
});

describe("what a task says below its title", () => {
  const read = (...lines: string[]) =>
    parsePlan(`## Tasks\n\n- [ ] 1. Write it\n${lines.map((line) => `${line}\n`).join("")}`).tasks[0];

  it.each([
    ["bullets", ["  - agent: hephaestus", "  - files: a.ts, b.ts", "  - verify: npm test"]],
    ["no bullets", ["  agent: hephaestus", "  files: a.ts, b.ts", "  verify: npm test"]],
    ["bold keys", ["  - **Agent:** Hephaestus", "  - **Files**: `a.ts`, `b.ts`", "  **Verify:** `npm test`"]],
    [
      "code",
      [
        "    * `agent`: `hephaestus`",
        "    * `files:` `a.ts`",
        "      - b.ts",
        "    * VERIFY: **`npm test`**",
      ],
    ],
    ["pictures", ["  - 🤖 agent: hephaestus", "  - 🗂️ **Files:** a.ts, b.ts", "  - ✅ verify： npm test"]],
    ["no indent", ["- agent: hephaestus", "- files: `a.ts`", "  - b.ts", "", "- verify: npm test"]],
    [
      "names as people say them",
      ["\t1. Agent: @hephaestus (writes)", "\t2. Files:", "\t\ta.ts", "\t\tb.ts", "\t3. verify: npm test"],
    ],
  ])("is read with %s", (_name, lines) => {
    expect(read(...lines)).toEqual({
      number: 1,
      text: "Write it",
      done: false,
      agent: "hephaestus",
      files: ["a.ts", "b.ts"],
      verify: "npm test",
      ...SAYS_NO_MORE,
    });
  });

  it.each([
    ["1, 2", [1, 2]],
    ["#1 and #2", [1, 2]],
    ["task 1 & Task 3", [1, 3]],
    ["T1, T2 (the API)", [1, 2]],
    ["step 1, Step 2", [1, 2]],
    ["[1,2]", [1, 2]],
    ["tasks 2-4", [2, 3, 4]],
    ["1, 1", [1]],
    ["**none**", []],
    ["-", []],
    ["9-1", []],
    ["node 20", [20]],
    ["Task 1: Limiter, Task 2 (done first)", [1, 2]],
    ["Task 1 must be done", [1]],
    ["Task 1 or Task 2", [1, 2]],
  ])("needs %s", (value, needs) => {
    expect(read(`  - needs: ${value}`)?.needs).toEqual(needs);
  });

  it.each([
    ["depends on: 1", [1]],
    ["Depends-on: task 1", [1]],
    ["blocked by: #1", [1]],
    ["dependencies: 1, 2", [1, 2]],
    // These say something else of what is to be done.
    ["after: it answers 429", []],
    ["dependencies: express", []],
  ])("needs what it says as %s", (line, needs) => {
    const task = read(`  - ${line}`);
    expect(task?.needs).toEqual(needs);
    expect(task?.details).toBe(needs.length === 0 ? `- ${line}` : "");
  });

  const needsIn = (text: string) =>
    parsePlan(text).tasks.map(({ needs, unclearNeeds }) => unclearNeeds ?? needs.join(","));

  it.each([
    ["all above", "1,2"],
    ["everything before it", "1,2"],
    ["all previous tasks", "1,2"],
    ["the previous task", "2"],
    ["all", "all"],
    ["wave 1", "1,2"],
    ["wave 7", "wave 7"],
    ["Limiter", "Limiter"],
  ])("needs in words: %s", (value, needs) => {
    const waves =
      "## Wave 1\n- [ ] 1. a\n- [ ] 2. b\n\n## Wave 2\n- [ ] 3. c\n  - needs: WORDS\n- [ ] 4. d\n";
    expect(needsIn(waves.replace("WORDS", value))[2]).toBe(needs);
    expect(needsIn("- [ ] 1. a\n- [ ] 2. b\n  - needs: all\n")).toEqual(["", "1"]);
  });

  it("needs the task that shows the number, and none at a guess", () => {
    const nested = "- [ ] 1. A\n  - [ ] a step\n- [ ] 2. B\n- [ ] 3. C\n  - needs: 2\n";
    expect(needsIn(nested)).toEqual(["", "", "", "3"]);
    const twice = "## Wave 1\n- [ ] 1. a\n- [ ] 2. b\n\n## Wave 2\n- [ ] 1. c\n  - needs: 2\n- [ ] 2. d\n";
    expect(needsIn(twice)[2]).toBe("2, which tasks 2 and 4 show");
  });

  it("is said once above the tasks, or those of a wave, for all that say nothing else", () => {
    const text = `# P

## Context

- agent: nobody

## Tasks

- agent: hephaestus
- **verify:** \`npm test\`
- files: all.ts
- Note: small steps

- [ ] 1. One
- [ ] 2. Two
  - agent: artemis

### Wave 2

- agent: poseidon
- skills: ops

- [ ] 3. Three
  - verify: npm run lint
`;
    const told = parsePlan(text).tasks.map(({ agent, verify, skills, files }) => [
      agent,
      verify,
      skills,
      files,
    ]);
    expect(told).toEqual([
      ["hephaestus", "npm test", [], undefined],
      ["artemis", "npm test", [], undefined],
      ["poseidon", "npm run lint", ["ops"], undefined],
    ]);
    // What is said for all is approved with each.
    expect(digestPlan(text)).not.toBe(digestPlan(text.replace("- agent: hephaestus", "- agent: eleuthia")));
  });

  it("has details: all other lines as they read, code included, comments not", () => {
    const task = read(
      "  Answer with 429.",
      "  - agent: artemis",
      "  - Note: per user",
      "    and per address",
      "  - skills: `tdd`, http and none",
      "",
      "  ```ts",
      "  agent: nobody",
      "  ```",
      "  <!-- agent: nobody -->",
      "",
      "Not of the task.",
    );
    expect(task).toMatchObject({ agent: "artemis", skills: ["tdd", "http"] });
    expect(task?.details).toBe(
      "Answer with 429.\n- Note: per user\n  and per address\n\n```ts\nagent: nobody\n```",
    );
    expect(read(`  ${"long ".repeat(2_000)}`)?.details).toHaveLength(8_001);
  });

  it("is what an approval covers, and changes none that says nothing of it", () => {
    const digest = (...lines: string[]) => digestPlan(`## Tasks\n\n- [ ] 1. Write it\n${lines.join("\n")}`);
    const differ = [digest(), digest("  - needs: 2"), digest("  - skills: tdd"), digest("  - Per user.")];
    expect(new Set(differ).size).toBe(4);
    expect(digest("  - agent: Hephaestus")).toBe(digest("  **agent:** `hephaestus`"));
    expect(digest()).toBe("249d2b3e79799daa3f4e644ca6fe44db");
  });
});

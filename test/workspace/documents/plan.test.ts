import { describe, expect, it } from "vitest";
import { parsePlan, updatePlan, type PlanUpdate } from "../../../src/workspace/documents/plan.ts";

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
        { number: 1, text: "Map the code in src/auth", done: true, wave: "1", agent: "minerva" },
        {
          number: 2,
          text: "Refuse expired tokens",
          done: false,
          wave: "2b",
          agent: "hephaestus",
          files: ["src/auth.ts", "test/auth.test.ts"],
          verify: "npm test -- auth",
        },
        { number: 3, text: "and log them", done: false, wave: "2" },
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
    expect(update(PLAN, { markdown })).toBe(
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

import { describe, expect, it } from "vitest";
import { parseMarkdown } from "../../../src/workspace/markdown/document.ts";
import { findSection } from "../../../src/workspace/markdown/section.ts";

/** Headings, tasks and tables of a text, one short line each. */
function outline(text: string): string[] {
  return parseMarkdown(text).blocks.flatMap((block) => {
    if (block.kind === "heading") return [`h${block.level} ${block.text}`];
    if (block.kind === "task") return [`${block.done ? "x" : "o"} ${block.text}`];
    return block.kind === "table" ? [`${block.header.length}x${block.rows.length}`] : [];
  });
}

describe("what counts as structure", () => {
  it.each<[name: string, text: string, found: string[]]>([
    ["ATX headings", "# A\n   ## B ##\n#C\n\n####### D", ["h1 A", "h2 B"]],
    ["an empty heading", "##\n", ["h2 "]],
    ["setext headings, of several lines too", "A\n===\n\nB\nb\n---\n", ["h1 A", "h2 B b"]],
    ["tasks of any marker and depth", "- [ ] a\n  * [x] b\n1. [X] c\n- [ ]d\n- [] e", ["o a", "x b", "x c"]],
    ["a table", "| a | b |\n|---|:-:|\n| 1 | 2 |\n| 3 |\n\n| 4 | 5 |", ["2x2"]],
    ["a table without pipes at its ends", "a | b\n- | -\n1 | 2", ["2x1"]],
    ["a table right under a paragraph", "text\n| a |\n|---|\n| 1 |", ["1x1"]],
    ["a byte order mark before a heading", "\uFEFF# A", ["h1 A"]],
  ])("%s", (_name, text, found) => {
    expect(outline(text)).toEqual(found);
    expect(outline(text.replaceAll("\n", "\r\n"))).toEqual(found);
  });

  it.each([
    ["a fence", "```\n# A\n- [ ] b\n```"],
    ["a fence of tildes around one of backticks", "~~~\n```\n~~\n# A\n```\n~~~"],
    ["a longer fence around a shorter one", "````md\n```\n# A\n```\n# B\n````"],
    ["a fence that is never closed", "```\n# A\n"],
    ["a fence in a list item", "- ```\n  # A\n  ```\n"],
    ["a comment", "<!--\n# A\n\n- [ ] b\n-->"],
    ["HTML up to a blank line", "<details>\n# A\n- [ ] b"],
    ["preformatted HTML", "<pre>\n\n# A\n</pre>"],
    ["front matter", "---\ntitle: x\n# A\n---\n"],
    ["indented code", "text\n\n    # A\n    - [ ] b\n"],
    ["a quote", "> # A\n> - [ ] b\n> | a |\n> |---|"],
    ["a heading inside a list item", "- a\n\n  # A\n"],
    ["a rule", "- a\n---\n* * *\n"],
    ["a delimiter row of another width", "| a | b |\n|---|\n| 1 | 2 |"],
  ])("nothing inside %s", (_name, text) => {
    expect(outline(text)).toEqual([]);
  });

  it.each([
    ["a fence that a list item ends", "- ```\n  x\n\n# A", ["h1 A"]],
    ["a comment on one line", "<!-- # x -->\n# A", ["h1 A"]],
    ["the shortest comment", "<!-->\n# A", ["h1 A"]],
    ["a fence whose info holds a backtick", "``` a`b\n# A", ["h1 A"]],
    ["front matter that is never closed", "---\n# A", ["h1 A"]],
    ["a table that prose splits", "| a |\n|---|\n| 1 |\nprose\n| 2 |", ["1x1"]],
  ])("goes on after %s", (_name, text, found) => {
    expect(outline(text)).toEqual(found);
  });
});

describe("what is left open", () => {
  it.each([
    ["a\n```js\nb", { line: 1, what: "code fence", closer: "```" }],
    ["~~~~~\nb\n~~~", { line: 0, what: "code fence", closer: "~~~~~" }],
    ["\n<!-- a\n", { line: 1, what: "HTML comment", closer: "-->" }],
    ["```\n```", null],
    ["- ```\n  a", null],
  ])("%j", (text, unclosed) => {
    expect(parseMarkdown(text).unclosed).toEqual(unclosed);
  });
});

describe("sections", () => {
  it("hold their subsections and end at the next heading of their level", () => {
    const document = parseMarkdown("# A\n## B\nb\n### C\nc\n## D\nd\n");
    expect(findSection(document, " b ")).toMatchObject({ start: 2, end: 5 });
    expect(findSection(document, "D")).toMatchObject({ start: 6, end: 7 });
    expect(findSection(document, "E")).toBeNull();
  });
});

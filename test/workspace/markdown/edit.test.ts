import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  editLines,
  parseMarkdown,
  renderMarkdown,
  setLine,
} from "../../../src/workspace/markdown/document.ts";
import { foreignLine, foreignLines } from "../../../src/workspace/markdown/foreign-text.ts";
import {
  appendToEnd,
  appendWithin,
  findSection,
  replaceWithin,
} from "../../../src/workspace/markdown/section.ts";
import { parseTableRow, renderTableRow } from "../../../src/workspace/markdown/table-row.ts";

const edit = (
  text: string,
  change: (document: ReturnType<typeof parseMarkdown>) => ReturnType<typeof parseMarkdown>,
) => renderMarkdown(change(parseMarkdown(text)));

describe("edits", () => {
  it.each([
    ["\r\n", "a\r\nb\r\n", "a\r\nnew\r\nb\r\n"],
    ["\n where most lines have it", "a\nb\r\nc\n", "a\nnew\nb\r\nc\n"],
    ["\r", "a\rb\r", "a\rnew\rb\r"],
  ])("give a new line the ending %j", (_end, text, expected) => {
    expect(edit(text, (document) => editLines(document, 1, 0, ["new"]))).toBe(expected);
  });

  it("close a last line that had no ending, and leave a byte order mark first", () => {
    expect(edit("\uFEFFa\r\nb", (document) => appendToEnd(document, ["c"], false))).toBe(
      "\uFEFFa\r\nb\r\nc\r\n",
    );
    expect(edit("\uFEFF", (document) => appendToEnd(document, ["c"], true))).toBe("\uFEFFc\n");
  });

  it("change one line and keep its own ending", () => {
    expect(edit("a\r\nb\nc", (document) => setLine(document, 1, "x"))).toBe("a\r\nx\nc");
  });

  it.each([
    ["between other sections", "# A\n\na\n\n# B\n", "# A\n\na\n\nnew\n\n# B\n"],
    ["where no blank line is", "# A\na\n# B\n", "# A\na\n\nnew\n\n# B\n"],
    ["at the end", "# A", "# A\n\nnew\n"],
    ["into an empty one", "# A\n\n\n# B\n", "# A\n\nnew\n\n\n# B\n"],
  ])("append to a section %s", (_name, text, expected) => {
    const appended = edit(text, (document) => {
      const section = findSection(document, "A");
      return section === null ? document : appendWithin(document, section, ["new"], true);
    });
    expect(appended).toBe(expected);
  });

  it("replace the body of a section and nothing around it", () => {
    const replaced = edit("# A\nold\n\n## Sub\n\n# B\nb", (document) => {
      const section = findSection(document, "a");
      return section === null ? document : replaceWithin(document, section, ["new"]);
    });
    expect(replaced).toBe("# A\n\nnew\n\n# B\nb");
  });
});

describe("text from outside", () => {
  it.each([
    ["a fence left open", "x\n```js\ny", ["x", "```js", "y", "```"]],
    ["a comment left open", "<!-- x", ["<!-- x", "-->"]],
    ["blank ends", "\n\n  x\r\n\n", ["  x"]],
    ["what looks like a conflict", "<<<<<<< HEAD\nx", ["\\<<<<<<< HEAD", "x"]],
    ["a NUL", "a\0b", ["a\uFFFDb"]],
    ["nothing", " \n ", []],
  ])("%s", (_name, markdown, lines) => {
    expect(foreignLines(markdown)).toEqual(lines);
  });

  it("never swallows what is appended after it", () => {
    const bits = fc.constantFrom(
      "```",
      "~~~~",
      "<!--",
      "<pre>",
      "<?",
      "<![CDATA[",
      "- ",
      "  ",
      "\n",
      "> ",
      "x",
      "---",
      "|",
    );
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 12 }), (parts) => {
        const text = ["# A", "", ...foreignLines(parts.join("")), "", "# B", ""].join("\n");
        expect(findSection(parseMarkdown(text), "B")).not.toBeNull();
      }),
      { numRuns: 1000 },
    );
  });

  it("fits on one line", () => {
    expect(foreignLine("  a\r\n b\t\tc\u2028d ")).toBe("a b c d");
  });
});

describe("table rows", () => {
  it.each([
    ["| a | b |", ["a", "b"]],
    ["a | b", ["a", "b"]],
    ["|  | b", ["", "b"]],
    ["| a |  |", ["a", ""]],
    ["| a \\| b |", ["a | b"]],
    ["| a<br>b <br/> c |", ["a\nb\nc"]],
  ])("%s", (row, cells) => {
    expect(parseTableRow(row)).toEqual(cells);
  });

  it("come back as they were written, whatever the cells hold", () => {
    const cell = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.constantFrom("|", "\\", "\\|", "a\\", "a\nb", "\r\n", "||", "`|`", "---"),
    );
    const plain = (text: string): string =>
      text
        .trim()
        .split(/\r\n|\n|\r/)
        .map((line) => line.trim())
        .join("\n");
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 6 }), (cells) => {
        const row = renderTableRow(cells);
        expect(row).not.toMatch(/[\r\n]/);
        expect(parseTableRow(row)).toEqual(cells.map(plain));
      }),
      { numRuns: 1000 },
    );
  });
});

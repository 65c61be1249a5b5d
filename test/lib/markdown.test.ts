import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  appendLines,
  editLines,
  foreignLines,
  parseMarkdown,
  parseRow,
  renderMarkdown,
  renderRow,
  type Markdown,
} from "../../src/lib/markdown.ts";
import { readCases } from "../support/cases.ts";

const edit = (text: string, change: (document: Markdown) => Markdown): string =>
  renderMarkdown(change(parseMarkdown(text)));
/** Headings and tables of a text, one short line each. */
function outline(text: string): string[] {
  const { sections, tables } = parseMarkdown(text);
  return [
    ...sections.map(({ level, title }) => `h${level} ${title}`),
    ...tables.map(({ header, rows }) => `${header.length}x${rows.length}`),
  ];
}

const openings = "# A¦## B¦---¦a: 1¦```¦~~~~¦````js¦<!--¦-->¦<pre>¦<div>¦<?¦]]>¦    code¦<<<<<<< a¦=======";
const inner =
  "- [ ] x¦  - y¦1. z¦| a | b |¦|---|---|¦| 1 \\| 2 |¦> q¦text¦\t- a¦\u2028¦\uFEFF¦\0¦- ```¦  ```¦";
const line = fc.oneof(
  fc.constantFrom(...openings.split("¦"), ...inner.split("¦")),
  fc.string({ unit: "binary", maxLength: 12 }),
);
const ending = fc.constantFrom("\n", "\r\n", "\r", "\n\n");
const anyText = fc
  .tuple(fc.array(fc.tuple(line, ending), { maxLength: 30 }), line)
  .map(([lines, last]) => lines.flat().join("") + last);

describe("any text", () => {
  it("comes out byte for byte, every line of one kind", () => {
    const expectWhole = (text: string): void => {
      const document = parseMarkdown(text);
      expect(renderMarkdown(document)).toBe(text);
      expect(document.kinds).toHaveLength(document.lines.length);
    };
    fc.assert(fc.property(anyText, expectWhole), { numRuns: 1000 });
  });

  it("changes in nothing but the lines that are named", () => {
    const place = fc.nat({ max: 40 });
    const check = (text: string, at: number, count: number): void => {
      const document = parseMarkdown(text);
      const size = document.lines.length;
      const start = Math.min(at, size);
      const end = Math.min(start + count, size);
      const longer = editLines(document, start, 0, ["a line"]);
      // A last line without an ending got one.
      expect([text, `${text}\n`, `${text}\r\n`, `${text}\r`]).toContain(
        renderMarkdown(editLines(longer, start, 1, [])),
      );
      const replaced = editLines(document, start, end - start, Array<string>(end - start).fill("x"));
      const others = (lines: Markdown["lines"]) => lines.filter((_, index) => index < start || index >= end);
      expect(others(replaced.lines)).toEqual(others(document.lines));
      expect(replaced.lines.map((line) => line.end)).toEqual(document.lines.map((line) => line.end));
    };
    fc.assert(fc.property(anyText, place, place, check), { numRuns: 500 });
  });

  it("takes time in proportion: half a megabyte of openings that never close", () => {
    for (const piece of readCases<string>("lib/markdown.takes-time-in-proportion-half")) {
      const text = piece.repeat(Math.ceil(500_000 / piece.length));
      expect(renderMarkdown(parseMarkdown(text))).toBe(text);
    }
  });
});

describe("what counts as structure", () => {
  it.each(readCases<[string, string, string[]]>("lib/markdown.what-counts-as-structure"))(
    "%s",
    (_name, text, found) => {
      expect(outline(text)).toEqual(found);
      expect(outline(text.replaceAll("\n", "\r\n"))).toEqual(found);
    },
  );

  it("a section holds its subsections and ends at the next heading of its level", () => {
    const { sections } = parseMarkdown("# A\n## B\nb\n### C\nc\n## D\nd\n");
    expect(sections.map(({ title, start, end }) => [title, start, end])).toEqual([
      ["A", 1, 7],
      ["B", 2, 5],
      ["C", 4, 5],
      ["D", 6, 7],
    ]);
  });
});

describe("edits", () => {
  it.each([
    ["\r\n", "a\r\nb\r\n", "a\r\nnew\r\nb\r\n"],
    ["\n where most lines have it", "a\nb\r\nc\n", "a\nnew\nb\r\nc\n"],
    ["\r", "a\rb\r", "a\rnew\rb\r"],
  ])("give a new line the ending %j", (_end, text, expected) => {
    expect(edit(text, (document) => editLines(document, 1, 0, ["new"]))).toBe(expected);
  });

  it("close a last line that had no ending, and leave a byte order mark first", () => {
    expect(edit("\uFEFFa\r\nb", (document) => appendLines(document, ["c"], false))).toBe(
      "\uFEFFa\r\nb\r\nc\r\n",
    );
    expect(edit("\uFEFF", (document) => appendLines(document, ["c"], true))).toBe("\uFEFFc\n");
  });
});

describe("text from outside", () => {
  it.each(readCases<[string, string, string[] | never[]]>("lib/markdown.text-from-outside"))(
    "%s",
    (_name, markdown, lines) => {
      expect(foreignLines(markdown)).toEqual(lines);
    },
  );

  it("never swallows what is appended after it", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const lines = ["# A", "", ...foreignLines(text), "", "# Z", ""];
        const { sections, unclosed } = parseMarkdown(lines.join("\n"));
        expect([sections.at(-1)?.title, unclosed]).toEqual(["Z", null]);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("table rows", () => {
  it.each(readCases<[string, string[]]>("lib/markdown.a-table-s-cells"))("%s", (row, cells) => {
    expect(parseRow(row)).toEqual(cells);
  });

  it("come back as they were written, whatever the cells hold", () => {
    const cell = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.constantFrom("|", "\\", "\\|", "a\\", "a\nb", "\r\n", "||", "`|`", "---"),
    );
    const trim = (text: string): string => text.trim();
    const plain = (text: string): string =>
      trim(text)
        .split(/\r\n|\n|\r/)
        .map(trim)
        .join("\n");
    fc.assert(
      fc.property(fc.array(cell, { minLength: 2, maxLength: 6 }), (cells) => {
        const row = renderRow(cells);
        expect(row).not.toMatch(/[\r\n]/);
        expect(parseRow(row)).toEqual(cells.map(plain));
      }),
      { numRuns: 1000 },
    );
  });
});

import * as fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { editLines, parseMarkdown, renderMarkdown } from "../../../src/workspace/markdown/document.ts";

const MODULES = fileURLToPath(new URL("../../../node_modules", import.meta.url));

/** README files of installed packages, scopes included, at most 150. */
function findReadmes(): string[] {
  const folders = readdirSync(MODULES).flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(MODULES, name)).map((inner) => join(name, inner)) : [name],
  );
  const readmes = folders
    .filter((folder) => !folder.startsWith("."))
    .flatMap((folder) =>
      readdirSync(join(MODULES, folder))
        .filter((name) => /^readme(?:\.[a-z-]+)?\.md$/i.test(name))
        .map((name) => join(folder, name)),
    );
  return readmes.slice(0, 150);
}

function expectWhole(text: string): void {
  const document = parseMarkdown(text);
  expect(renderMarkdown(document)).toBe(text);
  let line = 0;
  for (const block of document.blocks) {
    expect(block.start).toBe(line);
    expect(block.end).toBeGreaterThan(line);
    line = block.end;
  }
  expect(line).toBe(document.lines.length);
}

describe("real READMEs", () => {
  const readmes = findReadmes();

  it("are many enough to mean something", () => {
    expect(readmes.length).toBeGreaterThanOrEqual(50);
  });

  it.each(readmes)("%s comes out byte for byte", (path) => {
    const bytes = readFileSync(join(MODULES, path));
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    expectWhole(text);
    expectWhole(text.replaceAll("\n", "\r\n"));
    expect(Buffer.from(renderMarkdown(parseMarkdown(text))).equals(bytes)).toBe(true);
  });

  it.each(readmes)("%s changes in nothing but the line that is added and taken away again", (path) => {
    const text = readFileSync(join(MODULES, path), "utf8").replace(/\n*$/, "\n");
    const document = parseMarkdown(text);
    const middle = Math.floor(document.lines.length / 2);
    const longer = editLines(document, middle, 0, ["a line"]);
    expect(longer.lines.length).toBe(document.lines.length + 1);
    expect(renderMarkdown(editLines(longer, middle, 1, []))).toBe(text);
  });
});

describe("any text", () => {
  const openings =
    "# A¦## B ##¦B\n===¦C\n---¦---¦a: 1¦```¦~~~~¦````js¦<!--¦-->¦<pre>¦<div>¦<?¦]]>¦<!DOCTYPE¦    code";
  const inner =
    "- [ ] x¦  - [x] y¦1. z¦| a | b |¦|---|---|¦| 1 \\| 2 |¦> q¦> Status: x¦text¦\t- a¦* * *¦\u2028¦\uFEFF¦\0¦";
  const pieces = [...openings.split("¦"), ...inner.split("¦")];
  const line = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 12 }));
  const ends = fc.constantFrom("\n", "\r\n", "\r", "\n\n");

  it("comes out byte for byte, in blocks without gaps", () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(fc.array(fc.tuple(line, ends), { maxLength: 30 }), line, (lines, last) => {
        expectWhole(lines.flat().join("") + last);
      }),
      { numRuns: 1000 },
    );
  });

  it("takes time in proportion: half a megabyte of openings that never close", () => {
    for (const piece of [
      "<!--\n",
      "```\n",
      "- ```\n",
      "| a |\n",
      "|-|\n|-|\n",
      "> ",
      "- [ ] ",
      "#",
      "a\n",
      "<div>\n",
      " | ",
    ]) {
      const text = piece.repeat(Math.ceil(500_000 / piece.length));
      expect(renderMarkdown(parseMarkdown(text))).toBe(text);
      expect(parseMarkdown(text).blocks.length).toBeGreaterThan(0);
    }
  });
});

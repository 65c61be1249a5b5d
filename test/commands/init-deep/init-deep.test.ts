import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BEGIN, END, writeBlock } from "../../../src/commands/init-deep/block.ts";
import { sortByFolder } from "../../../src/commands/init-deep/facts.ts";

const text = (sections: Record<string, string[]>, file = ""): string => {
  const written = writeBlock(file, sections);
  return written.ok ? written.text : `refused: ${written.why}`;
};

describe("the part of an AGENTS.md that is written", () => {
  it("comes behind people's lines, is changed in its place, and goes when there is nothing to say", () => {
    const first = text({ Commands: ["test: `npm test`"], Known: [] }, "# Ours\n\nMind the gap.\n");
    expect(first).toBe(`# Ours\n\nMind the gap.\n\n${BEGIN}\n## Commands\n\n- test: \`npm test\`\n${END}\n`);
    const second = text({ Known: ["a", "b"] }, `${first}\nLater words.\n`);
    expect(second).toBe(
      `# Ours\n\nMind the gap.\n\n${BEGIN}\n## Known\n\n- a\n- b\n${END}\n\nLater words.\n`,
    );
    expect(text({ Known: [] }, second)).toBe("# Ours\n\nMind the gap.\n\nLater words.\n");
    expect(text({ Known: [] })).toBe("");
  });

  it("keeps people's lines, is the same when it is written again, and lets no text end it", () => {
    const line = fc.oneof(fc.string(), fc.constantFrom(BEGIN, END, "-->", "a\nb", "## x"));
    const people = fc.array(
      fc.string({ unit: "grapheme-ascii" }).filter((each) => each.trim() !== "" && !each.includes("<!--")),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(people, fc.array(line, { maxLength: 300 }), (lines, known) => {
        const file = lines.length === 0 ? "" : `${lines.join("\n")}\n`;
        const once = text({ Known: known }, file);
        expect(text({ Known: known }, once)).toBe(once);
        expect(once.split(END).length).toBeLessThanOrEqual(2);
        for (const each of lines) expect(once).toContain(each.trimEnd());
        expect(once.split("\n").length).toBeLessThanOrEqual(200);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    ["a begin without its end", `${BEGIN}\nx\n`],
    ["an end without its begin", `${END}\n`],
    ["two of them", `${BEGIN}\n${END}\n${BEGIN}\n${END}\n`],
    ["the wrong order", `${END}\n${BEGIN}\n`],
  ])("is refused for %s", (_what, file) => {
    expect(text({ Known: ["a"] }, file)).toContain("refused: its marks");
  });

  it("has room up to 200 lines, says how much was left out, and keeps the line ends", () => {
    const long = `${Array.from({ length: 190 }, (_, at) => `line ${at}`).join("\r\n")}\r\n`;
    const written = writeBlock(long, { Known: Array.from({ length: 20 }, (_, at) => `fact ${at}`) });
    if (!written.ok) throw new Error(written.why);
    expect(written.left).toBeGreaterThan(10);
    expect(written.text.split("\n").length).toBeLessThanOrEqual(200);
    expect(written.text.replaceAll("\r\n", "")).not.toContain("\n");
  });
});

describe("what is known of a folder", () => {
  let project: string;
  beforeEach(async () => {
    project = await mkdtemp(join(tmpdir(), "gaia-deep-"));
    await mkdir(join(project, "src/api"), { recursive: true });
    await mkdir(join(project, "src/db"), { recursive: true });
    for (const path of ["src/api/a.ts", "src/api/b.ts", "src/db/c.ts", "top.ts"])
      await writeFile(join(project, path), "");
  });
  afterEach(async () => rm(project, { recursive: true, force: true }));

  it.each([
    ["src/api/a.ts is generated", "src/api"],
    ["src/api/a.ts and src/api/b.ts move together.", "src/api"],
    ["src/api/a.ts mirrors src/db/c.ts", "src"],
    ["everything in src/db/ is append-only", "src/db"],
    ["top.ts is the entry", "."],
    ["use tabs", "."],
    ["version 1.2.3 of node.js is the least", "."],
    ["src/gone/x.ts is slow", null],
    ["src/gone/x.ts was replaced by src/db/c.ts", "src/db"],
    ["../../etc/passwd and /etc/shadow", "."],
  ])("%s: %s", async (learned, folder) => {
    const found = await sortByFolder(project, [{ kind: "anti_pattern", text: learned }], []);
    expect([...found]).toEqual(folder === null ? [] : [[folder, [`anti pattern: ${learned}`]]]);
  });
});

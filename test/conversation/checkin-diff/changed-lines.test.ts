import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderChangedLines, renderPatches } from "../../../src/conversation/checkin-diff/changed-lines.ts";
import { diffTexts, parseUnifiedDiff } from "../../../src/snapshot/unified-diff.ts";
import { git } from "../../support/directory.ts";

const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_none, index) => `line ${index}`);
async function diffOf(path: string, before: string, after: string) {
  const versions = { path, before: Buffer.from(before), after: Buffer.from(after) };
  return parseUnifiedDiff((await diffTexts([versions])).join(""));
}

describe("changed lines in the transcript", () => {
  it("stand with their numbers below their file, without what did not change", async () => {
    const files = await diffOf("a.txt", "one\ntwo\nthree\n", "one\n2\n2b\nthree\n");
    expect(renderChangedLines(files).get("a.txt")).toEqual([
      "       2 - two",
      "       2 + 2",
      "       3 + 2b",
    ]);
  });

  it("are cut in each file and in all, and say how many more there are", async () => {
    const files = (
      await Promise.all(["a", "b", "c", "d"].map(async (path) => diffOf(path, "", text(numbered(40)))))
    ).flat();
    const shown = renderChangedLines(files);
    expect([...shown.values()].map((lines) => lines.length)).toEqual([13, 13, 7, 1]);
    expect(shown.get("d")).toEqual(["         … 40 more: /gaia-checkin"]);
    const [wide] = renderChangedLines(await diffOf("w", "", `${"x".repeat(9_000)}\n`)).get("w") ?? [];
    expect(wide?.length).toBeLessThan(160);
  });
});

describe("patches", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "- d", "+ e", ""), { maxLength: 30 });

  it("are whole wherever they are cut, and what they keep is what git says", async () => {
    await fc.assert(
      fc.asyncProperty(lines, lines, fc.nat(300), async (before, after, max) => {
        const files = await diffOf("a.txt", text(before), text(after));
        const cut = renderPatches(files, max);
        const whole = renderPatches(files, 100_000);
        expect(cut.length).toBeLessThanOrEqual(max + 200);
        // Read again, no line is lost and none has another number.
        const changed = (patch: string) =>
          parseUnifiedDiff(patch).flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines));
        expect(changed(whole)).toEqual(files.flatMap(({ hunks }) => hunks.flatMap((hunk) => hunk.lines)));
        expect(changed(whole).slice(0, changed(cut).length)).toEqual(changed(cut));
      }),
      { numRuns: 60 },
    );
  });

  it("can be applied by git", async () => {
    const before = numbered(60);
    const after = before.flatMap((line, index) => {
      if (index === 5) return [];
      return index % 20 === 11 ? [line, "new", "newer"] : [line];
    });
    const directory = await mkdtemp(join(tmpdir(), "gaia-patch-"));
    await writeFile(join(directory, "a.txt"), text(before));
    const patch = renderPatches(await diffOf("a.txt", text(before), text(after)), 100_000);
    await writeFile(join(directory, "p"), patch);
    try {
      await expect(git(directory, "apply", "--check", "--unidiff-zero", "p")).resolves.not.toThrow();
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});

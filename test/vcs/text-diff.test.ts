import { existsSync } from "node:fs";
import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { diffTexts } from "../../src/snapshot/unified-diff.ts";
import { git } from "../support/directory.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const versions = (path: string, before: string, after: string) => ({
  path,
  before: Buffer.from(before),
  after: Buffer.from(after),
});

it("tells each of many files apart, whatever they hold", async () => {
  const files = Array.from({ length: 25 }, (_none, index) =>
    versions(
      `src/${index}.ts`,
      `one\ndiff --git a/${index} b/${index}\n`,
      index % 2 === 0 ? `two ${index}\n` : "same",
    ),
  ).map((file, index) => (index % 5 === 1 ? { ...file, after: file.before } : file));
  const binary = versions("logo.png", "\0a", "\0b");
  const diffs = await diffTexts([...files, binary]);
  expect(diffs).toHaveLength(26);
  expect(diffs[25]).toBe("");
  for (const [index, { before, after }] of files.entries()) {
    if (before === after) expect(diffs[index]).toBe("");
    else {
      expect(diffs[index]).toContain(
        `diff --git a/src/${index}.ts b/src/${index}.ts\n--- a/src/${index}.ts\n`,
      );
      expect(diffs[index]).toContain(`\n-diff --git a/${index} b/${index}\n+${after.toString().trim()}`);
      expect(diffs[index]?.match(/^diff --git/gmu)).toHaveLength(1);
    }
  }
  expect(await diffTexts([])).toEqual([]);
});

it("tells of a file behind one whose lines are too many", async () => {
  const long = versions("long.txt", "", "a line\n".repeat(400_000));
  const [cut, whole] = await diffTexts([long, versions("a.ts", "1\n", "2\n")]);
  expect(cut).toContain("\n+a line\n");
  expect(whole).toContain("\n-1\n+2\n");
});

it("runs no filter of a repository in which the place for temporary files lies", async () => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "gaia-diff-test-")));
  const seen = join(directory, "seen");
  await git(directory, "init", "-q");
  await git(directory, "config", "filter.spy.clean", `touch '${seen}'; cat`);
  await writeFile(join(directory, ".gitattributes"), "* filter=spy\n");
  vi.stubEnv("TMPDIR", directory);
  const [diff] = await diffTexts([versions("a.ts", "1\n", "2\n")]);
  expect(diff).toContain("\n-1\n+2\n");
  expect(existsSync(seen)).toBe(false);
  expect(await readdir(directory)).toEqual([".git", ".gitattributes"]);
  await rm(directory, { recursive: true });
});

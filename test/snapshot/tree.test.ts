import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { createVcs, type Trees } from "../../src/snapshot/vcs.ts";
import type { TreeState } from "../../src/snapshot/uncommitted.ts";
import { NO_FILE } from "../../src/snapshot/version.ts";
import { writeIn, openFolder, gitLines, openRepository } from "../support/directory.ts";

let directory: string;
let trees: Trees;
beforeEach(async () => {
  directory = await openRepository({ "a.txt": "one\n", "src/b.txt": "two\n" });
  trees = createVcs("git", directory).trees;
});

async function read(): Promise<TreeState> {
  const state = await trees.read();
  if (state === null) throw new Error("git did not answer");
  return state;
}
/** What a deed changed, as the reader tells it. */
async function changedBy(deed: () => unknown): Promise<string[]> {
  const before = await read();
  await deed();
  const after = await read();
  const changes = await trees.changes(before, after);
  return (changes ?? [])
    .map(({ path, before: was, after: is }) => `${path} ${was.mode || "-"}>${is.mode || "-"}`)
    .toSorted();
}
const write = async (path: string, text: string) => writeIn(directory, path, text);
const git = (...lines: string[]) => gitLines(directory, ...lines);
const FILE = "100644";

it("a look at an unchanged tree starts four processes of git, and tells what a commit changed", async () => {
  const bin = await openFolder();
  const counted = join(bin, "counted");
  const real = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const counting = `#!/bin/sh\necho x >>'${counted}'\nexec '${real}' "$@"\n`;
  writeFileSync(join(bin, "git"), counting, { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}${delimiter}${process.env["PATH"] ?? ""}`);
  await write("a.txt", "changed\n");
  await read();
  const before = await read();
  writeFileSync(counted, "");
  expect(await read()).toEqual(before);
  expect(readFileSync(counted, "utf8").length / 2).toBeLessThanOrEqual(4);
  await git("commit -qam Another");
  const after = await read();
  expect([before.dirty.size, after.dirty.size]).toEqual([1, 0]);
  expect(after.heads.get("")).not.toBe(before.heads.get(""));
});

describe("two states of a tree", () => {
  it("tell nothing of staging or a commit, but of what came with a merge or a switch", async () => {
    const changed = [`a.txt ${FILE}>${FILE}`];
    await git("switch -qc other");
    await write("a.txt", "other\n");
    expect(await changedBy(async () => git("add -A"))).toEqual([]);
    expect(await changedBy(async () => git("commit -qam x"))).toEqual([]);
    expect(await changedBy(async () => git("switch -q main"))).toEqual(changed);
    expect(await changedBy(async () => git("merge -q other"))).toEqual(changed);
  });

  it("hold line ends as they lie there, whatever git stores", async () => {
    await git("config core.autocrlf true");
    await write("a.txt", "one\r\ntwo\r\n");
    const { dirty } = await read();
    expect((await trees.bytes(dirty.get("a.txt")?.now ?? NO_FILE))?.toString()).toBe("one\r\ntwo\r\n");
    expect(await changedBy(async () => git("commit -qam x"))).toEqual([]);
    // What git would not commit is nobody's uncommitted work.
    expect((await read()).dirty.has("a.txt")).toBe(false);
    expect(await changedBy(async () => write("a.txt", "one\r\n"))).toEqual([`a.txt ${FILE}>${FILE}`]);
  });

  it("look into submodules and other repositories below", async () => {
    const other = await openRepository({ "a.txt": "one\n" });
    await git(`-c protocol.file.allow=always submodule add -q ${other} lib`, "commit -qm lib");
    await git(`clone -q ${other} nested`);
    await read();
    for (const folder of ["lib", "nested"]) {
      const changed = await changedBy(async () => write(`${folder}/a.txt`, "x\n"));
      expect(changed).toEqual([`${folder}/a.txt ${FILE}>${FILE}`]);
    }
    expect(await changedBy(async () => git("-C lib commit -qam x"))).toEqual(["lib 160000>160000"]);
  }, 30_000);
});

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createVcs, type Trees } from "../../src/snapshot/vcs.ts";
import type { TreeState } from "../../src/snapshot/uncommitted.ts";
import { NO_FILE } from "../../src/snapshot/version.ts";
import { git, writeIn } from "../support/directory.ts";

let directory: string;
let trees: Trees;
beforeEach(async () => {
  directory = await begin();
  trees = createVcs("git", directory).trees;
});
afterEach(async () => rm(directory, { recursive: true, force: true }));

async function begin(): Promise<string> {
  const made = await realpath(await mkdtemp(join(tmpdir(), "gaia-tree-")));
  await git(made, "init", "-q", "-b", "main");
  await writeIn(made, "a.txt", "one\n");
  await writeIn(made, "src/b.txt", "two\n");
  await writeIn(made, "c.sh", "true\n");
  await writeIn(made, ".gitignore", "ignored/\n");
  await git(made, "add", "-A");
  await git(made, "commit", "-qm", "Start");
  return made;
}

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
const FILE = "100644";

describe("a look at an unchanged tree", () => {
  it("starts four processes of git, and tells what a commit changed", async () => {
    const bin = await mkdtemp(join(tmpdir(), "gaia-counting-"));
    const counted = join(bin, "counted");
    const real = execFileSync("/bin/sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    writeFileSync(join(bin, "git"), `#!/bin/sh\necho x >>'${counted}'\nexec '${real}' "$@"\n`, {
      mode: 0o755,
    });
    vi.stubEnv("PATH", `${bin}${delimiter}${process.env["PATH"] ?? ""}`);
    try {
      await writeIn(directory, "a.txt", "changed\n");
      await read();
      const before = await read();
      writeFileSync(counted, "");
      expect(await read()).toEqual(before);
      expect(readFileSync(counted, "utf8").length / 2).toBeLessThanOrEqual(4);
      await git(directory, "commit", "-qam", "Another");
      const after = await read();
      expect([before.dirty.size, after.dirty.size]).toEqual([1, 0]);
      expect(after.heads.get("")).not.toBe(before.heads.get(""));
    } finally {
      vi.unstubAllEnvs();
      await rm(bin, { recursive: true, force: true });
    }
  });
});

describe("two states of a tree", () => {
  it("tell nothing of staging or a commit, but of what came with a merge or a switch", async () => {
    await git(directory, "switch", "-qc", "other");
    await write("a.txt", "other\n");
    expect(await changedBy(async () => git(directory, "add", "-A"))).toEqual([]);
    expect(await changedBy(async () => git(directory, "commit", "-qam", "x"))).toEqual([]);
    expect(await changedBy(async () => git(directory, "switch", "-q", "main"))).toEqual([
      `a.txt ${FILE}>${FILE}`,
    ]);
    expect(await changedBy(async () => git(directory, "merge", "-q", "other"))).toEqual([
      `a.txt ${FILE}>${FILE}`,
    ]);
  });

  it("hold line ends as they lie there, whatever git stores", async () => {
    await git(directory, "config", "core.autocrlf", "true");
    await write("a.txt", "one\r\ntwo\r\n");
    const { dirty } = await read();
    expect((await trees.bytes(dirty.get("a.txt")?.now ?? NO_FILE))?.toString()).toBe("one\r\ntwo\r\n");
    expect(await changedBy(async () => git(directory, "commit", "-qam", "x"))).toEqual([]);
    // What git would not commit is nobody's uncommitted work.
    expect((await read()).dirty.has("a.txt")).toBe(false);
    expect(await changedBy(async () => write("a.txt", "one\r\n"))).toEqual([`a.txt ${FILE}>${FILE}`]);
  });

  it("look into submodules and other repositories below", async () => {
    const other = await begin();
    await git(directory, "-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "lib");
    await git(directory, "commit", "-qm", "lib");
    await git(directory, "clone", "-q", other, "nested");
    await read();
    expect(await changedBy(async () => write("lib/a.txt", "x\n"))).toEqual([`lib/a.txt ${FILE}>${FILE}`]);
    expect(await changedBy(async () => write("nested/a.txt", "x\n"))).toEqual([
      `nested/a.txt ${FILE}>${FILE}`,
    ]);
    expect(await changedBy(async () => git(join(directory, "lib"), "commit", "-qam", "x"))).toEqual([
      "lib 160000>160000",
    ]);
    await rm(other, { recursive: true });
  }, 30_000);
});

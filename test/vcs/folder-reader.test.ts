import { mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNoVcs } from "../../src/vcs/none.ts";
import type { TreeReader } from "../../src/vcs/tree/reader.ts";
import { type FileVersion, NO_FILE, type TreeState } from "../../src/vcs/tree/state.ts";
import type { Vcs } from "../../src/vcs/port.ts";
import { writeIn } from "../support/directory.ts";

let directory: string;
let vcs: Vcs;
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "gaia-folder-")));
  for (const [path, text] of Object.entries({ "a.txt": "one\n", "src/b.txt": "two\n", ".env": "KEY=1\n" }))
    await writeIn(directory, path, text);
  vcs = createNoVcs(directory);
});
afterEach(async () => rm(directory, { recursive: true, force: true }));

function reader(): TreeReader {
  if (vcs.tree === null) throw new Error("nobody looks");
  return vcs.tree;
}
async function read(isNeeded: (id: string) => boolean = () => false): Promise<TreeState> {
  const state = await reader().read(isNeeded);
  if (state === null) throw new Error("it was not looked at");
  return state;
}
const text = async (path: string, version: FileVersion | undefined) =>
  (await reader().bytes(path, version ?? NO_FILE))?.toString("utf8");

describe("a folder without version control", () => {
  it("is compared with what it held when it was first looked at", async () => {
    expect([...(await read()).dirty.keys()]).toEqual([]);
    await writeIn(directory, "a.txt", "1\n");
    await writeIn(directory, "new/c.txt", "three\n");
    await symlink("a.txt", join(directory, "link"));
    await rm(join(directory, "src/b.txt"));
    const { dirty, heads } = await read();
    expect([...dirty.keys()].toSorted()).toEqual(["a.txt", "link", "new/c.txt", "src/b.txt"]);
    expect([
      await text("a.txt", dirty.get("a.txt")?.committed),
      await text("a.txt", dirty.get("a.txt")?.now),
    ]).toEqual(["one\n", "1\n"]);
    expect(dirty.get("src/b.txt")?.now).toEqual(NO_FILE);
    expect(await text("src/b.txt", dirty.get("src/b.txt")?.committed)).toBe("two\n");
    expect(heads.size).toBe(1);
    await writeIn(directory, "a.txt", "one\n");
    expect((await read()).dirty.has("a.txt")).toBe(false);
  });

  it("is not looked at where programs leave what nobody wrote, nor in the record", async () => {
    await read();
    const left = [".gaia/log.md", "node_modules/a/index.js", "src/__pycache__/a.pyc", ".venv/bin/python"];
    for (const path of left) await writeIn(directory, path, "x");
    expect([...(await read()).dirty.keys()]).toEqual([]);
    // Who asks wants to know what did not come with the project, and nobody can say that here.
    expect(await vcs.isIgnored("node_modules/a/index.js")).toBe(false);
  });

  it("is not told of where it holds too much", async () => {
    for (let index = 0; index < 3_001; index += 1) await writeIn(directory, `many/${index}.txt`, "");
    expect(await reader().read(() => false)).toBeNull();
    expect(await vcs.workingDiff(() => false)).toEqual({ diff: "", newFiles: [] });
  });

  it("shows reviewers what changed since, without secrets, and costs nobody what they need", async () => {
    await read();
    await writeIn(directory, "a.txt", "between\n");
    const between = (await read()).dirty.get("a.txt")?.now;
    await writeIn(directory, "a.txt", "1\n");
    await writeIn(directory, ".env", "KEY=2\n");
    await writeIn(directory, "c.txt", "three\n");
    await read((id) => id === between?.id);
    const { diff, newFiles } = await vcs.workingDiff((path) => path === ".env");
    expect(diff).toContain("--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+1\n");
    expect(diff).toContain("+three\n");
    expect(diff).not.toContain("KEY");
    expect(newFiles).toEqual(["c.txt"]);
    expect((await vcs.workingDiff(() => false, undefined, ["c.txt"])).diff).not.toContain("a.txt");
    expect(await text("a.txt", between)).toBe("between\n");
  });
});

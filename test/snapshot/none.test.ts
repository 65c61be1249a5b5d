import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createVcs, type Vcs } from "../../src/snapshot/vcs.ts";
import { type FileVersion, NO_FILE } from "../../src/snapshot/version.ts";
import type { TreeState } from "../../src/snapshot/uncommitted.ts";
import { createProject } from "../checks/project.ts";
import { writeIn } from "../support/directory.ts";
import { linesIn } from "./lines-in.ts";

let directory: string;
let vcs: Vcs;
beforeEach(async () => {
  directory = await createProject({ "a.txt": "one\n", "src/b.txt": "two\n", ".env": "KEY=1\n" });
  vcs = createVcs("none", directory);
});

async function read(): Promise<TreeState> {
  const state = await vcs.trees.read();
  if (state === null) throw new Error("it was not looked at");
  return state;
}
const text = async (version: FileVersion | undefined) =>
  (await vcs.trees.bytes(version ?? NO_FILE))?.toString("utf8");

describe("a folder without version control", () => {
  it("is compared with what it held when it was first looked at", async () => {
    expect([...(await read()).dirty.keys()]).toEqual([]);
    await writeIn(directory, "a.txt", "1\n");
    await writeIn(directory, "new/c.txt", "three\n");
    await symlink("a.txt", join(directory, "link"));
    await rm(join(directory, "src/b.txt"));
    const { dirty, heads } = await read();
    expect([...dirty.keys()].toSorted()).toEqual(["a.txt", "link", "new/c.txt", "src/b.txt"]);
    expect(await text(dirty.get("a.txt")?.committed)).toBe("one\n");
    expect(await text(dirty.get("a.txt")?.now)).toBe("1\n");
    expect(dirty.get("src/b.txt")?.now).toEqual(NO_FILE);
    expect(await text(dirty.get("src/b.txt")?.committed)).toBe("two\n");
    expect(heads.size).toBe(1);
    await writeIn(directory, "a.txt", "one\n");
    expect((await read()).dirty.has("a.txt")).toBe(false);
  });

  it("shows reviewers what changed since, without secrets, and costs nobody what they need", async () => {
    await read();
    await writeIn(directory, "a.txt", "between\n");
    const between = (await read()).dirty.get("a.txt")?.now;
    await writeIn(directory, "a.txt", "1\n");
    await writeIn(directory, ".env", "KEY=2\n");
    await writeIn(directory, "c.txt", "three\n");
    await read();
    const diff = linesIn((await vcs.workingDiff((path) => path === ".env")).files);
    expect(diff).toContain("a.txt modified +1 -1\n-one\n+1\n");
    expect(diff).toContain("+three");
    expect(diff).not.toContain("KEY");
    const only = await vcs.workingDiff(() => false, undefined, ["c.txt"]);
    expect(only.files.map(({ path }) => path)).toEqual(["c.txt"]);
    expect(await text(between)).toBe("between\n");
  });
});

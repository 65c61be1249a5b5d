import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readBase, readDelivered, type DeliveredTree } from "../../src/vcs/delivered-changes.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { git } from "../support/directory.ts";

let directory: string;
let tree: DeliveredTree;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "delivered-"));
  tree = { directory, clock: systemClock, vcs: "git" };
  await git(directory, "init", "-q");
  await write("a.ts", "one\n");
  await commit();
});
afterEach(async () => rm(directory, { recursive: true, force: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(directory, path)), { recursive: true });
  await writeFile(join(directory, path), text);
}
async function commit(): Promise<void> {
  await git(directory, "add", "-A");
  await git(directory, "-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x");
}

describe("what was delivered", () => {
  it("is what differs from the base, committed or not, without the record", async () => {
    const base = await readBase(tree);
    await write("a.ts", "one\ntwo\n");
    await commit();
    await write("über b.ts", "new\n");
    await write(".gaia/limits/plan.md", "x\n");
    const found = await readDelivered(tree, base);
    expect(found).toMatchObject({ base, known: true });
    expect(found.files).toEqual([
      { path: "a.ts", added: 1, removed: 0 },
      { path: "über b.ts", added: 0, removed: 0 },
    ]);
  });

  it("is what is not committed where the base is unknown or gone", async () => {
    await write("a.ts", "two\n");
    for (const base of [null, "0123456789012345678901234567890123456789"]) {
      await expect(readDelivered(tree, base)).resolves.toEqual({
        files: [{ path: "a.ts", added: 1, removed: 1 }],
        base: null,
        known: true,
      });
    }
  });

  it("is unknown without version control", async () => {
    const none = { ...tree, vcs: "none" } as const;
    await expect(readDelivered(none, null)).resolves.toEqual({ files: [], base: null, known: false });
    await expect(readBase(none)).resolves.toBeNull();
    await rm(join(directory, ".git"), { recursive: true });
    await expect(readDelivered(tree, null)).resolves.toMatchObject({ known: false });
    await expect(readBase(tree)).resolves.toBeNull();
  });
});

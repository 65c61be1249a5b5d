import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createReviewerBriefs } from "../../src/plan/review/brief.ts";
import { createVcs, type Vcs } from "../../src/snapshot/vcs.ts";
import { git, writeIn, commitAll, openRepository } from "../support/directory.ts";
import { linesIn } from "./lines-in.ts";

let directory: string;
let vcs: Vcs;
beforeEach(async () => {
  directory = await openRepository({ "a.ts": "one\n", "image.png": "PNG\0one\n" });
  vcs = createVcs("git", directory);
});

const files = async () => (await vcs.workingDiff(() => false)).files;
const diff = async (): Promise<string> => linesIn(await files());
const brief = async (): Promise<string | null> =>
  createReviewerBriefs({ vcs, isSensitive: () => false, redact: (text) => text }).current("diff");

describe("a change", () => {
  it("is shown whatever attributes say", async () => {
    await git(directory, "config", "diff.hidden.binary", "true");
    for (const attributes of ["* -diff", "* binary", "*.ts diff=hidden", "*.ts -diff -text"]) {
      await writeIn(directory, ".gitattributes", `${attributes}\n`);
      await writeIn(directory, "a.ts", "one\n");
      await commitAll(directory);
      await writeIn(directory, "a.ts", "two\n");
      expect(await diff(), attributes).toContain("-one\n+two");
      expect(await brief(), attributes).toContain("+two");
      const { files: changed } = await vcs.changesSince(null);
      expect(changed, attributes).toContainEqual({ path: "a.ts", added: 1, removed: 1 });
    }
  });

  it("of a file with a NUL is told with its size, and hides none beside it", async () => {
    await writeIn(directory, "image.png", "PNG\0two, and more\n");
    await writeIn(directory, "new.png", "\0\0\0");
    await writeIn(directory, "a.ts", "two\n");
    expect(await diff()).not.toContain("\0");
    expect(await files()).toEqual([
      expect.objectContaining({ path: "a.ts", added: 1 }),
      expect.objectContaining({ path: "image.png", status: "binary", bytes: 18 }),
      expect.objectContaining({ path: "new.png", status: "binary", bytes: 3 }),
    ]);
    expect(await brief()).toContain("- image.png (binary, 18 bytes)");
  });

  it("is shown where HEAD, or a file in it, was replaced or grafted", async () => {
    await writeIn(directory, "a.ts", "two\n");
    await commitAll(directory);
    await writeIn(directory, "a.ts", "three\n");
    const before = await diff();
    const [head, parent] = (await git(directory, "rev-parse", "HEAD", "HEAD~")).split("\n");
    const blob = (await git(directory, "hash-object", "-w", "a.ts")).trim();
    await git(directory, "replace", (await git(directory, "rev-parse", "HEAD:a.ts")).trim(), blob);
    await git(directory, "replace", head ?? "", parent ?? "");
    await writeIn(directory, ".git/info/grafts", `${head}\n`);
    expect(await diff()).toBe(before);
    expect(before).toContain("-two\n+three");
    expect((await vcs.changesSince(parent ?? "")).files).toHaveLength(1);
  });
});

describe("git's own refusal", () => {
  it("is told as what it is where the index is broken, and never as nothing", async () => {
    await writeIn(directory, "a.ts", "two\n");
    await writeIn(directory, ".git/index", "broken");
    expect(await vcs.changesSince(null)).toMatchObject({ known: false, failed: /index/u });
    expect((await vcs.workingDiff(() => false)).failed).toContain("index");
    expect(await brief()).toMatch(/does not tell all of what was changed \(.*index/u);
    expect(await vcs.uncommitted()).toBeNull();
  });

  it("is told where the commit is gone", async () => {
    const head = (await git(directory, "rev-parse", "HEAD")).trim();
    const object = join(directory, ".git/objects", head.slice(0, 2), head.slice(2));
    await chmod(object, 0o644);
    await writeFile(object, "");
    expect(await vcs.changesSince(null)).toMatchObject({ known: false, failed: /HEAD|object/u });
  });
});

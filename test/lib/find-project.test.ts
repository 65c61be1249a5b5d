import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProject, repositoryRoot } from "../../src/lib/folders.ts";

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "gaia-find-")));
  for (const folder of [
    ".gaia",
    "repo/.git",
    "repo/packages/a/src",
    "repo/packages/b/.gaia",
    "repo/packages/b/src",
  ])
    await mkdir(join(root, folder), { recursive: true });
});
afterEach(async () => rm(root, { recursive: true, force: true }));

const found = (start: string, top = "repo"): string =>
  findProject(join(root, start), join(root, top)).slice(root.length + 1);

describe("findProject", () => {
  it("is the folder itself where there is no record, and never looks above the repository", () => {
    expect(found("repo/packages/a/src")).toBe("repo/packages/a/src");
    expect(found("repo")).toBe("repo");
  });

  it("is the nearest folder with a record, so that a package with its own is one of its own", async () => {
    await mkdir(join(root, "repo/.gaia"));
    expect(found("repo/packages/a/src")).toBe("repo");
    expect(found("repo")).toBe("repo");
    expect(found("repo/packages/b/src")).toBe("repo/packages/b");
  });
});

describe("repositoryRoot", () => {
  it("is the nearest folder with a repository, else the folder itself", () => {
    expect(repositoryRoot(join(root, "repo/packages/a/src"))).toBe(join(root, "repo"));
    expect(repositoryRoot(root)).toBe(root);
  });
});

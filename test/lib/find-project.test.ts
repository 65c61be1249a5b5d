import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findProject, repositoryRoot } from "../../src/lib/folders.ts";
import { openFolder } from "../support/directory.ts";

it("finds the nearest folder with a record and with a repository, and never looks above the repository", async () => {
  const root = await openFolder();
  const make = async (folder: string) => mkdir(join(root, folder), { recursive: true });
  for (const folder of [".gaia", "repo/.git", "repo/packages/a/src", "repo/packages/b/.gaia"])
    await make(folder);
  const found = (start: string) => findProject(join(root, start), join(root, "repo")).slice(root.length + 1);
  expect([found("repo/packages/a/src"), found("repo")]).toEqual(["repo/packages/a/src", "repo"]);
  await make("repo/.gaia");
  await make("repo/packages/b/src");
  expect([found("repo/packages/a/src"), found("repo")]).toEqual(["repo", "repo"]);
  // A package with a record is a project of its own.
  expect(found("repo/packages/b/src")).toBe("repo/packages/b");
  expect(repositoryRoot(join(root, "repo/packages/a/src"))).toBe(join(root, "repo"));
  expect(repositoryRoot(root)).toBe(root);
});

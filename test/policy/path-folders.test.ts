import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { pathFoldersIn } from "../../src/policy/real-path.ts";

it("finds the folders of PATH in a project, there or not, however they are written", async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), "gaia-path-")));
  const project = join(root, "p");
  await mkdir(join(project, "bin"), { recursive: true });
  await symlink(project, join(root, "link"));
  const found = (...folders: string[]) => pathFoldersIn({ PATH: folders.join(delimiter) }, [project]);
  expect(found("/usr/bin", join(project, "bin"), "")).toEqual([join(project, "bin")]);
  expect(found(join(root, "link/node_modules/.bin"))).toEqual([join(project, "node_modules/.bin")]);
  expect(found("./tools")).toEqual([join(project, "tools")]);
  // The project as a whole cannot be kept as it is, nor what holds it.
  expect(found(project, ".", root)).toEqual([]);
  expect(pathFoldersIn({}, [project])).toEqual([]);
  await rm(root, { recursive: true, force: true });
});

import { execFile } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/async.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { createWorkspace } from "../../src/record/workspace.ts";
import { createProject } from "../checks/project.ts";

const project = async (files: Record<string, string>, inside = "."): Promise<string> =>
  join(await createProject({ ".git/HEAD": "", [`${inside}/readme`]: "", ...files }), inside);

async function begin(directory: string, slug = "unit"): Promise<string[]> {
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger });
  await workspace.createWorkUnit({ slug, title: "A unit" });
  return (await readdir(join(directory, ".gaia"))).toSorted();
}

describe("the record", () => {
  it("is kept out of the tools that the project uses, from its first entry on", async () => {
    const plain = await begin(await project({}));
    expect(plain).toEqual([".local", "unit"]);
    const manifest = JSON.stringify({ name: "x", version: "1.0.0", devDependencies: { prettier: "3" } });
    expect(await begin(await project({ "package.json": manifest, "biome.json": "{}" }))).toEqual(
      [...plain, ".npmignore", ".prettierrc", "biome.json"].toSorted(),
    );
  });

  it("knows the tools of the repository that a package is in", async () => {
    const files = { "package.json": '{ "devDependencies": { "prettier": "3" } }' };
    expect(await begin(await project(files, "packages/a"))).toContain(".prettierrc");
  });

  it.each([
    ["a crate", '[package]\nname = "x"\n', true],
    ["a workspace alone", '[workspace]\nmembers = ["a"]\n', false],
    [
      "a workspace that may take it for a member",
      '[package]\nname = "x"\n[workspace]\nmembers = ["*"]\n',
      false,
    ],
  ])("is kept out of cargo's package of %s", async (_name, text, isKept) => {
    expect((await begin(await project({ "Cargo.toml": text }))).includes("Cargo.toml")).toBe(isKept);
  });

  it("leaves out what the user has taken out", async () => {
    const directory = await project({ "package.json": "{}" });
    await begin(directory);
    await rm(join(directory, ".gaia/.npmignore"));
    expect(await begin(directory, "other")).not.toContain(".npmignore");
  });

  it("is in no package that npm makes", async () => {
    const manifest = '{ "name": "x", "version": "1.0.0" }';
    const directory = await project({ "package.json": manifest, "index.js": "" });
    await begin(directory);
    const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json"], { cwd: directory });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    expect(files.map(({ path }) => path).toSorted()).toEqual(["index.js", "package.json", "readme"]);
  });
});

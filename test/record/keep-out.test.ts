import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/async.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { createWorkspace } from "../../src/record/workspace.ts";

async function project(files: Record<string, string>, inside = "."): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "gaia-keep-out-"));
  onTestFinished(async () => rm(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ ".git/HEAD": "", [`${inside}/readme`]: "", ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return join(root, inside);
}

async function begin(directory: string): Promise<string[]> {
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger });
  await workspace.createWorkUnit({ slug: "unit", title: "A unit" });
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
    const directory = await project(
      { "package.json": '{ "devDependencies": { "prettier": "3" } }' },
      "packages/a",
    );
    expect(await begin(directory)).toContain(".prettierrc");
  });

  it("leaves out what the user has taken out", async () => {
    const directory = await project({ "package.json": "{}" });
    await begin(directory);
    await rm(join(directory, ".gaia/.npmignore"));
    const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger });
    await workspace.createWorkUnit({ slug: "other", title: "Another" });
    expect(await readdir(join(directory, ".gaia"))).not.toContain(".npmignore");
  });

  it("is in no package that npm makes", async () => {
    const directory = await project({
      "package.json": '{ "name": "x", "version": "1.0.0" }',
      "index.js": "",
    });
    await begin(directory);
    const { stdout } = await promisify(execFile)("npm", ["pack", "--dry-run", "--json"], { cwd: directory });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    expect(files.map(({ path }) => path).toSorted()).toEqual(["index.js", "package.json", "readme"]);
  });
});

import { chmod, lstat, mkdir, readFile, readlink, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openSnapshots, type Snapshots } from "../../src/snapshot/snapshots.ts";
import { NO_FILE, type TreeChange } from "../../src/snapshot/version.ts";
import { createProject, writeFiles } from "../checks/project.ts";
import { openSnapshots as openInMemory } from "../simulator/snapshots.ts";
import { openFolder } from "../support/directory.ts";

/** What the simulator puts in place of the real snapshots promises the same of a plain folder. */
describe.each<[string, (directory: string) => Promise<Snapshots>]>([
  ["a repository of the plugin's", async (directory) => openSnapshots(directory, await openFolder())],
  ["the simulator's memory", async (directory) => openInMemory(directory)],
])("snapshots in %s", (_name, open) => {
  let directory: string;
  let snapshots: Snapshots;
  const at = (path: string): string => join(directory, path);
  const take = async (): Promise<string> => {
    const tree = await snapshots.take();
    if (tree === null) throw new Error("nothing was taken");
    return tree;
  };
  const changesBy = async (deed: () => Promise<unknown>): Promise<readonly TreeChange[]> => {
    const before = await take();
    await deed();
    return (await snapshots.diff(before, await take())) ?? [];
  };
  beforeEach(async () => {
    directory = await createProject({ "a.txt": "one\n", "sub/b.txt": "two\r\n", "c.txt": "" });
    snapshots = await open(directory);
  });

  it("tell what was added, changed and deleted, in order, and what became a program or a link", async () => {
    const changes = await changesBy(async () => {
      await writeFiles(directory, { "a.txt": "1\n", "sub/new ü.txt": "x" });
      await rm(at("sub/b.txt"));
      await chmod(at("c.txt"), 0o755);
      await symlink("a.txt", at("link"));
    });
    const shown = changes.map(({ path, before, after }) => `${path} ${before.mode} ${after.mode}`);
    expect(shown).toEqual([
      "a.txt 100644 100644",
      "c.txt 100644 100755",
      "link  120000",
      "sub/b.txt 100644 ",
      "sub/new ü.txt  100644",
    ]);
  });

  it("are the same for the same files, whenever they were written", async () => {
    const first = await take();
    await writeFiles(directory, { "a.txt": "other\n" });
    expect(await take()).not.toBe(first);
    await writeFiles(directory, { "a.txt": "one\n" });
    expect(await take()).toBe(first);
    expect(await snapshots.diff(first, first)).toEqual([]);
  });

  it("hold neither the record nor repositories' own files nor empty folders", async () => {
    const changes = await changesBy(async () => {
      await writeFiles(directory, { ".gaia/x.md": "x", ".jj/x": "x", "deep/.gaia/y": "y" });
      await mkdir(at("empty"));
    });
    expect(changes.map(({ path }) => path)).toEqual(["deep/.gaia/y"]);
  });

  it("give the bytes of every version, and of none that there is not", async () => {
    const [change] = await changesBy(async () => writeFiles(directory, { "sub/b.txt": "\0\xff" }));
    expect((await snapshots.bytes(change?.before ?? NO_FILE))?.toString()).toBe("two\r\n");
    expect(await snapshots.bytes(change?.after ?? NO_FILE)).toEqual(Buffer.from("\0\xff"));
    expect(await snapshots.bytes(NO_FILE)).toBeNull();
    expect(await snapshots.diff(await take(), "0".repeat(40))).toBeNull();
  });

  it("take back what was done, but for what was changed since", async () => {
    await symlink("a.txt", at("link"));
    const changes = await changesBy(async () => {
      await rm(at("link"));
      await rename(at("a.txt"), at("moved.txt"));
      await rm(at("sub"), { recursive: true });
      await writeFiles(directory, { sub: "a file", "c.txt": "2" });
    });
    await writeFiles(directory, { "c.txt": "3" });
    const done = await snapshots.restore(changes);
    expect(done.filter(({ left }) => left !== null).map(({ change, left }) => [change.path, left])).toEqual([
      ["c.txt", "was changed since"],
    ]);
    expect(await readFile(at("a.txt"), "utf8")).toBe("one\n");
    expect(await readFile(at("sub/b.txt"), "utf8")).toBe("two\r\n");
    expect(await readlink(at("link"))).toBe("a.txt");
    expect(await lstat(at("moved.txt")).catch(() => null)).toBeNull();
  });

  it("differ from the tree without files by all of them, and take nothing where the folder is gone", async () => {
    const changes = await snapshots.diff(await snapshots.empty(), await take());
    expect(changes?.map(({ path, before }) => [path, before])).toEqual(
      ["a.txt", "c.txt", "sub/b.txt"].map((path) => [path, NO_FILE]),
    );
    await rm(directory, { recursive: true });
    expect(await snapshots.take()).toBeNull();
  });
});

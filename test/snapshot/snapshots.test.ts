import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { chmod, lstat, readFile, readlink, rename, rm, symlink } from "node:fs/promises";
import { truncate, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { openSnapshots, type Snapshots } from "../../src/snapshot/snapshots.ts";
import { NO_FILE, OPAQUE, type TreeChange } from "../../src/snapshot/version.ts";
import { createProject, writeFiles } from "../checks/project.ts";
import { git, openFolder, gitLines, openRepository } from "../support/directory.ts";

let data: string;
let directory: string;
let snapshots: Snapshots;
beforeEach(async () => {
  data = await openFolder();
  directory = await openRepository({ "a.txt": "one\n", "sub/b.txt": "two\r\n", ".gitignore": "out/\n" });
  snapshots = openSnapshots(directory, data);
});

async function take(from = snapshots): Promise<string> {
  const tree = await from.take();
  if (tree === null) throw new Error("nothing was taken");
  return tree;
}
async function changesBy(deed: () => Promise<unknown>): Promise<readonly TreeChange[]> {
  const before = await take();
  await deed();
  return (await snapshots.diff(before, await take())) ?? [];
}
const pathsBy = async (deed: () => Promise<unknown>) => (await changesBy(deed)).map(({ path }) => path);
const text = async (path: string): Promise<string> => readFile(join(directory, path), "utf8");
const many = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`many/${at}.txt`, `${at}\n`]));

/** Every file below a folder with its bytes, mode and time: what touches any of it shows. */
function stateOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mode, mtimeMs } = statSync(path);
      const isObject = path.includes("/objects/");
      const hash = createHash("sha256").update(readFileSync(path)).digest("hex");
      return `${path} ${mode} ${isObject ? "" : mtimeMs} ${hash}`;
    })
    .toSorted();
}

describe("a snapshot", () => {
  it("touches neither the user's files nor their index, refs and stash", async () => {
    await writeFiles(directory, { "a.txt": "staged\n" });
    await git(directory, "add", "a.txt");
    await writeFiles(directory, { "a.txt": "more\n", "new.txt": "new\n" });
    await git(directory, "update-index", "--assume-unchanged", "sub/b.txt");
    const before = stateOf(directory);
    const tree = await take();
    await writeFiles(directory, { "extra.txt": "1\n" });
    const changes = await snapshots.diff(tree, await take());
    for (const { after } of changes ?? []) await snapshots.bytes(after);
    await snapshots.restore(changes ?? []);
    expect(stateOf(directory)).toEqual(before);
  });

  it("holds names with any character, and a rename by case alone", async () => {
    const names = [
      "ü ö",
      "line\nbreak",
      "back\\slash",
      '"quoted"',
      " lead",
      "-dash",
      ":colon",
      "a[b]*?",
      "😀",
    ];
    const files = Object.fromEntries(names.map((name) => [name, name]));
    expect(await pathsBy(async () => writeFiles(directory, files))).toEqual(expect.arrayContaining(names));
    const renamed = await pathsBy(async () => rename(join(directory, "a.txt"), join(directory, "A.txt")));
    expect(renamed).toEqual(["A.txt", "a.txt"]);
  });

  it("holds bytes as they lie there, whatever attributes and settings say", async () => {
    await git(directory, "config", "core.autocrlf", "true");
    await git(directory, "config", "filter.upper.clean", "tr a-z A-Z");
    await writeFiles(directory, {
      ".gitattributes": "*.txt filter=upper text eol=crlf ident working-tree-encoding=UTF-16\n",
      "a.txt": "$Id$ one\r\n",
    });
    const [change] = await changesBy(async () => writeFiles(directory, { "a.txt": "$Id$ two\r\n" }));
    expect((await snapshots.bytes(change?.before ?? NO_FILE))?.toString()).toBe("$Id$ one\r\n");
    expect((await snapshots.bytes(change?.after ?? NO_FILE))?.toString()).toBe("$Id$ two\r\n");
  });

  it("holds what is tracked though it is ignored, and nothing else that is", async () => {
    await writeFiles(directory, { "out/kept.js": "1", "out/made.js": "1" });
    await git(directory, "add", "-f", "out/kept.js");
    const writing = async (files: Record<string, string>): Promise<string[]> =>
      pathsBy(async () => writeFiles(directory, files));
    const both = ["out/kept.js", "out/made.js"];
    expect(await writing({ "out/kept.js": "2", "out/made.js": "2" })).toEqual(["out/kept.js"]);
    await gitLines(directory, "rm -qf --cached out/kept.js");
    expect(await writing({ ".gitignore": "" })).toEqual([".gitignore", ...both]);
    expect(await writing({ ".git/info/exclude": "out/\n" })).toEqual(both);
  });

  it("knows a file that is too large to be read by its size and time, and says that its bytes are not kept", async () => {
    await writeFiles(directory, { "big.bin": "" });
    await truncate(join(directory, "big.bin"), 16_000_001);
    const changes = await changesBy(async () => utimes(join(directory, "big.bin"), 5, 5));
    expect(changes).toMatchObject([{ path: "big.bin", before: { mode: OPAQUE }, after: { mode: OPAQUE } }]);
    expect(await take()).toBe(await take(openSnapshots(directory, join(data, "fresh"))));
    expect((await snapshots.restore(changes)).map(({ left }) => left)).toEqual([
      "what it held before is not kept",
    ]);
  });

  it("is the same after a crash anywhere, and while two take one at the same time", async () => {
    const before = await take();
    await writeFiles(directory, many(400));
    const wanted = await take(openSnapshots(directory, join(data, "other")));
    const program = `import { openSnapshots } from ${JSON.stringify(join(process.cwd(), "src/snapshot/snapshots.ts"))};
for (;;) console.log(await openSnapshots(${JSON.stringify(directory)}, ${JSON.stringify(data)}).take());`;
    let taken = "";
    for (const wait of [10, 60]) {
      const child = spawn("node", ["--import", "tsx", "--input-type=module", "-e", program], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.stdout.on("data", (chunk: Buffer) => (taken += chunk.toString()));
      await new Promise((resolve) => child.stdout.once("data", resolve));
      await pause(wait);
      child.kill("SIGKILL");
      await ended;
      const [one, two] = await Promise.all([take(), take(openSnapshots(directory, data))]);
      expect([one, two]).toEqual([wanted, wanted]);
    }
    expect(new Set(taken.trim().split("\n"))).toEqual(new Set([wanted]));
    expect(await snapshots.diff(before, wanted)).toHaveLength(400);
  }, 120_000);

  it("is the same where an index is cut off, one's own or that of a dead process", async () => {
    const wanted = await take();
    await writeFiles(directory, { "later.txt": "later\n" });
    const [shadow = ""] = readdirSync(data).map((name) => join(data, name));
    const own = readdirSync(shadow).filter((name) => name.startsWith(`index-${process.pid}-`));
    expect(own).toHaveLength(1);
    await truncate(join(shadow, own[0] ?? ""), 100);
    const later = await take();
    expect((await snapshots.diff(wanted, later))?.map(({ path }) => path)).toEqual(["later.txt"]);
    await writeFile(join(shadow, "index-999999999-dead"), "DIRC");
    expect(await take(openSnapshots(directory, data))).toBe(later);
    expect(readdirSync(shadow)).not.toContain("index-999999999-dead");
  });

  it("writes little after an edit, and is the same where what its index leans on is gone", async () => {
    await writeFiles(directory, many(2_000));
    await take();
    await writeFiles(directory, { "many/7.txt": "edited\n" });
    const edited = await take();
    const [shadow = ""] = readdirSync(data).map((name) => join(data, name));
    const index = readdirSync(shadow).find((name) => name.startsWith(`index-${process.pid}-`)) ?? "";
    expect(statSync(join(shadow, index)).size).toBeLessThan(20_000);
    for (const name of readdirSync(shadow).filter((each) => each.startsWith("sharedindex.")))
      await rm(join(shadow, name));
    await writeFiles(directory, { "many/8.txt": "edited\n" });
    expect((await snapshots.diff(edited, await take()))?.map(({ path }) => path)).toEqual(["many/8.txt"]);
    expect(await take(openSnapshots(directory, data))).toBe(await take());
  });

  it("is whole where the user's git has thrown away what it borrowed", async () => {
    await writeFiles(directory, { "a.txt": "staged once\n", "lost.txt": "stashed\n" });
    await git(directory, "add", "-A");
    const before = await take();
    await writeFiles(directory, { "a.txt": "later\n" });
    await rm(join(directory, "lost.txt"));
    await gitLines(directory, "reset -q", "commit -qam later");
    await gitLines(directory, "reflog expire --expire=all --all", "gc -q --prune=now");
    const changes = (await snapshots.diff(before, await take())) ?? [];
    expect((await snapshots.restore(changes)).map(({ left }) => left)).toEqual([null, null]);
    expect([await text("a.txt"), await text("lost.txt")]).toEqual(["staged once\n", "stashed\n"]);
    expect(await take()).toBe(before);
  });
});

/** A new folder, and what git does in it. */
const made = async (...lines: readonly string[]): Promise<string> => {
  const folder = await createProject({ "a.txt": "one\n" });
  await gitLines(folder, ...lines);
  return folder;
};
/** A folder of the repository that there is, once git has done this in it. */
const within = async (folder: string, ...lines: readonly string[]): Promise<string> => {
  await gitLines(directory, ...lines);
  return join(directory, folder);
};

it.each<[string, () => Promise<string>]>([
  ["a folder without a repository", async () => made()],
  ["a repository without a commit", async () => made("init -q")],
  ["a repository with SHA-256", async () => made("init -q --object-format=sha256", "add .", "commit -qm x")],
  ["a linked worktree", async () => within("out/linked", "worktree add -q out/linked -b other")],
  [
    "a worktree of a bare repository",
    async () =>
      within("out/tree", "clone -q --bare . out/bare.git", "-C out/bare.git worktree add -q ../tree main"),
  ],
  ["a detached HEAD", async () => within("", "switch -q --detach")],
  [
    "a submodule",
    async () => within("module", `-c protocol.file.allow=always submodule add -q ${directory} module`),
  ],
  [
    "a part of a repository",
    async () => {
      await writeFiles(directory, { "sub/a.txt": "one\n" });
      return join(directory, "sub");
    },
  ],
  [
    "a merge that stopped at a conflict",
    async () => {
      await gitLines(directory, "switch -qc theirs");
      await writeFiles(directory, { "a.txt": "theirs\n" });
      await gitLines(directory, "commit -qam theirs", "switch -q main");
      await writeFiles(directory, { "a.txt": "ours\n" });
      await gitLines(directory, "commit -qam ours", "merge theirs").catch(() => undefined);
      return directory;
    },
  ],
])("in %s all that was done is told, and taken back", async (_what, make) => {
  directory = await make();
  snapshots = openSnapshots(directory, data);
  await writeFiles(directory, { "gone.txt": "gone\n", "run.sh": "true\n", "place/in.txt": "in\n" });
  await symlink("a.txt", join(directory, "link"));
  const [before, was] = [await take(), await text("a.txt")];
  await writeFiles(directory, { "a.txt": "changed\n", "new/deep.txt": "new\n", ".gaia/log.md": "record\n" });
  await rm(join(directory, "gone.txt"));
  await chmod(join(directory, "run.sh"), 0o755);
  await rm(join(directory, "link"));
  await symlink("run.sh", join(directory, "link"));
  await rm(join(directory, "place"), { recursive: true });
  await writeFiles(directory, { place: "a file\n" });
  const changes = (await snapshots.diff(before, await take())) ?? [];
  const paths = ["a.txt", "gone.txt", "link", "new/deep.txt", "place", "place/in.txt", "run.sh"];
  expect(changes.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
  // What someone has written since stays.
  await writeFiles(directory, { "new/deep.txt": "the user's\n" });
  const left = (await snapshots.restore(changes)).filter((each) => each.left !== null);
  expect(left).toMatchObject([{ change: { path: "new/deep.txt" }, left: "was changed since" }]);
  const back = [await text("a.txt"), await text("gone.txt"), await text("place/in.txt")];
  expect(back).toEqual([was, "gone\n", "in\n"]);
  expect(await readlink(join(directory, "link"))).toBe("a.txt");
  expect((await lstat(join(directory, "run.sh"))).mode & 0o111).toBe(0);
  await rm(join(directory, "new"), { recursive: true });
  expect(await take()).toBe(before);
  expect(existsSync(join(directory, ".gaia/log.md"))).toBe(true);
});

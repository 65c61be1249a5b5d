import { execFileSync } from "node:child_process";
import { appendFileSync, readdirSync } from "node:fs";
import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Lane, makeLane, recordLane } from "../../../src/snapshot/lanes/lane.ts";
import { land } from "../../../src/snapshot/lanes/landing.ts";
import { mergeLanes } from "../../../src/snapshot/lanes/merge.ts";
import { removeLane, restoreLane } from "../../../src/snapshot/lanes/remove.ts";
import { type LaneStore, openStore, own } from "../../../src/snapshot/lanes/store.ts";
import { takeSnapshot } from "../../../src/snapshot/lanes/take-down.ts";
import { git, gitEnvironment, gitLines, makeRepository } from "./sample-repository.ts";
import { openLanes, openRoot, readTree } from "./sample-repository.ts";

/** What git tells of the user's side; the index's own bytes are its affair. */
const usersGit = (top: string): string =>
  [
    "for-each-ref",
    "ls-files --stage -v",
    "config --list --local",
    "worktree list",
    "rev-parse --symbolic-full-name HEAD",
  ]
    .map((line) => git(top, ...line.split(" ")))
    .join("\n");

/** Scripts that make a repository awkward, in its top, and print the top of the tree in which the user works. */
const SHAPES = join(import.meta.dirname, "fixtures/awkward");
const titleOf = (name: string): string => name.replace(".sh", "").replaceAll("-", " ");

/** Removes a lane that has not landed and brings it back: it holds what it held. */
async function expectKept(store: LaneStore, lane: Lane): Promise<void> {
  const held = await readTree(lane.folder);
  const bundle = await removeLane(store, lane, "left");
  expect(await readTree((await restoreLane(store, bundle ?? "")).folder)).toEqual(held);
}

it.each(readdirSync(SHAPES).map((name) => [titleOf(name), join(SHAPES, name)] as const))(
  "a repository that %s: work lands, nothing else is touched, nothing is lost",
  async (_which, script) => {
    const { root, top: first } = await makeRepository();
    await rm(join(first, "ignored"), { recursive: true });
    const env = { ...gitEnvironment(), ROOT: root };
    const top = execFileSync("bash", ["-eu", script], { cwd: first, env, encoding: "utf8" }).trimEnd();
    appendFileSync(join(top, "dir/d e.txt"), "the user's\r\n");
    await writeFile(join(top, "untracked.txt"), "the user's own\n");
    const store = await openLanes(top, root);
    const before = await readTree(top);
    const gitBefore = usersGit(top);
    const base = await takeSnapshot(store);
    const lanes = [await makeLane(store, "unit/1", base), await makeLane(store, "unit/2", base)] as const;
    for (const { folder } of lanes) expect(await readTree(folder)).toEqual(before);
    await chmod(join(lanes[0].folder, "a.txt"), 0o644);
    appendFileSync(join(lanes[0].folder, "a.txt"), "one\r\n");
    await rm(join(lanes[0].folder, "run.sh"));
    await writeFile(join(lanes[0].folder, "neu ü.txt"), "new\n");
    await rename(join(lanes[1].folder, "data.bin"), join(lanes[1].folder, "moved.bin"));
    appendFileSync(join(lanes[1].folder, "untracked.txt"), "two\n");
    const recorded = [];
    for (const lane of lanes) recorded.push({ lane, commit: await recordLane(store, lane) });
    const ours = await takeSnapshot(store);
    const merged = await mergeLanes(store, ours.tree, recorded);
    expect(merged.kind).toBe("merged");
    expect(await readTree(top)).toEqual(before);
    expect(await land(store, ours.tree, merged.tree)).toBeNull();
    const { "run.sh": _gone, "data.bin": moved, ...stays } = Object.fromEntries(before);
    expect(Object.fromEntries(await readTree(top))).toEqual({
      ...stays,
      "a.txt": `${before.get("a.txt")}one\r\n`,
      "neu ü.txt": "- new\n",
      "moved.bin": moved,
      "untracked.txt": "- the user's own\ntwo\n",
    });
    expect(usersGit(top)).toBe(gitBefore);
    await expect(readFile(join(root, "ran"))).rejects.toThrow("ENOENT");
    for (const lane of lanes) await expectKept(store, lane);
  },
);

it("a repository is opened by many at once, while git works in its store", async () => {
  const { top } = await makeRepository();
  const head = git(top, "rev-parse", "HEAD").trim();
  const store = await openLanes(top);
  const over = new AbortController();
  const opens = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) expect(await openLanes(top)).toEqual(store);
  });
  try {
    for (let count = 0; count < 50; count += 1)
      expect(await own(store, "cat-file", "-t", head)).toBe("commit");
  } finally {
    over.abort();
    await Promise.all(opens);
  }
});

it.each([
  ["plain", async () => undefined],
  ["of Jujutsu alone", async (top: string) => mkdir(join(top, ".jj/repo"), { recursive: true })],
  ["with git and Jujutsu", async (top: string) => mkdir(join(top, ".jj")).then(() => git(top, "init", "-q"))],
])(
  "in a folder %s work lands beside the user's, and what is ignored stays out of it",
  async (_which, make) => {
    const top = join(await openRoot(), "plain");
    await mkdir(join(top, "node_modules"), { recursive: true });
    const lines = Array.from({ length: 12 }, (_, line) => `line ${line}\n`);
    await writeFile(join(top, "a.txt"), lines.join(""));
    await writeFile(join(top, "b.txt"), "b\n");
    await writeFile(join(top, ".gitignore"), "*.log\nnode_modules\n");
    await writeFile(join(top, "own.log"), "the user's own\n");
    await writeFile(join(top, "node_modules/x.js"), "installed\n");
    await make(top);
    const store = await openLanes(top);
    const lane = await makeLane(store, "unit/1", await takeSnapshot(store));
    expect([...(await readTree(lane.folder)).keys()].toSorted()).toEqual([".gitignore", "a.txt", "b.txt"]);
    await writeFile(join(lane.folder, "a.txt"), ["lane\n", ...lines].join(""));
    await rm(join(lane.folder, "b.txt"));
    await writeFile(join(lane.folder, "new.txt"), "lane\n");
    await writeFile(join(top, "a.txt"), [...lines, "the user's\n"].join(""));
    const [commit, ours] = [await recordLane(store, lane), await takeSnapshot(store)];
    const merged = await mergeLanes(store, ours.tree, [{ lane, commit }]);
    expect(merged.kind).toBe("merged");
    expect(await land(store, ours.tree, merged.tree)).toBeNull();
    const now = await readTree(top);
    expect(now.get("a.txt")).toBe(`- ${["lane\n", ...lines, "the user's\n"].join("")}`);
    expect([now.has("b.txt"), now.get("new.txt")]).toEqual([false, "- lane\n"]);
    expect(now.get("own.log")).toBe("- the user's own\n");
    expect(now.get("node_modules/x.js")).toBe("- installed\n");
    await expectKept(store, lane);
  },
);

it("a repository without a working tree has no lanes, and says so", async () => {
  const root = await openRoot();
  gitLines(root, "init -q --bare bare.git");
  const opened = await openStore(join(root, "bare.git"), { XDG_DATA_HOME: join(root, "data") });
  expect(opened).toBe("git has no working tree here");
});

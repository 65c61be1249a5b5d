import { appendFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { makeLane, recordLane } from "../../../src/snapshot/lanes/lane.ts";
import { land } from "../../../src/snapshot/lanes/landing.ts";
import { mergeLanes } from "../../../src/snapshot/lanes/merge.ts";
import { removeLane, restoreLane } from "../../../src/snapshot/lanes/remove.ts";
import { type LaneStore, openStore, own } from "../../../src/snapshot/lanes/store.ts";
import { takeSnapshot } from "../../../src/snapshot/lanes/take-down.ts";
import { git, makeRepository, readTree } from "./sample-repository.ts";

let root = "";
afterEach(async () => rm(root, { recursive: true, force: true }));

/** What git tells of the user's side; the index's own bytes are its affair. */
const usersGit = (top: string): string =>
  [
    ["for-each-ref"],
    ["ls-files", "--stage", "-v"],
    ["config", "--list", "--local"],
    ["worktree", "list"],
    ["rev-parse", "--symbolic-full-name", "HEAD"],
  ]
    .map((args) => git(top, ...args))
    .join("\n");

/** @returns the top of the tree in which the user works */
type Make = (top: string, root: string) => Promise<string>;
const configured =
  (...pairs: readonly [string, string][]): Make =>
  async (top) => {
    for (const [name, value] of pairs) git(top, "config", name, value);
    return top;
  };
const program = async (path: string, text: string): Promise<string> => {
  await writeFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return path;
};

/** Shapes that one repository can have at once. */
const together =
  (...makes: readonly Make[]): Make =>
  async (top, at) => {
    let made = top;
    for (const make of makes) made = await make(made, at);
    return made;
  };

const SHAPES: Readonly<Record<string, Make>> = {
  "is a worktree itself and knows no bits, links or cases": together(
    async (top, at) => {
      git(top, "worktree", "add", "-q", "-b", "side", join(at, "the other ü"));
      return join(at, "the other ü");
    },
    configured(
      ["core.fileMode", "false"],
      ["core.symlinks", "false"],
      ["core.ignoreCase", "true"],
      ["core.precomposeUnicode", "true"],
    ),
  ),
  "is a worktree of a bare repository": async (top, at) => {
    git(at, "clone", "-q", "--bare", top, join(at, "bare.git"));
    git(join(at, "bare.git"), "worktree", "add", "-q", join(at, "out"), "main");
    return join(at, "out");
  },
  "has its .git beside it and has hooks, a monitor and signatures that fail": together(
    async (top, at) => {
      git(top, "init", "-q", `--separate-git-dir=${join(at, "elsewhere.git")}`);
      return top;
    },
    async (top, at) => {
      const hooks = join(at, "hooks");
      await mkdir(hooks);
      const names = [
        "pre-commit",
        "post-checkout",
        "reference-transaction",
        "post-index-change",
        "pre-merge-commit",
      ];
      for (const name of names) await program(join(hooks, name), `echo ran >> '${join(at, "ran")}'; exit 1`);
      const fails = await program(join(at, "monitor"), `echo ran >> '${join(at, "ran")}'; exit 1`);
      return configured(
        ["core.hooksPath", hooks],
        ["core.fsmonitor", fails],
        ["commit.gpgSign", "true"],
        ["tag.gpgSign", "true"],
        ["gpg.program", fails],
        ["core.editor", fails],
        ["diff.external", fails],
        ["user.useConfigOnly", "true"],
      )(top, at);
    },
  ),
  "is a shallow clone": async (top, at) => {
    for (const name of ["one", "two"]) {
      await writeFile(join(top, "b.md"), name);
      git(top, "commit", "-qam", name);
    }
    git(at, "clone", "-q", "--depth=1", `file://${top}`, join(at, "shallow"));
    return join(at, "shallow");
  },
  "is a partial clone": async (top, at) => {
    await writeFile(join(top, "b.md"), "later");
    git(top, "commit", "-qam", "later");
    git(top, "config", "uploadpack.allowFilter", "true");
    git(at, "clone", "-q", "--filter=blob:none", `file://${top}`, join(at, "partial"));
    await rename(top, join(at, "gone"));
    return join(at, "partial");
  },
  "is itself a submodule": async (top, at) => {
    await mkdir(join(at, "outer"));
    git(join(at, "outer"), "init", "-q");
    git(join(at, "outer"), "submodule", "--quiet", "add", top, "in ner");
    return join(at, "outer/in ner");
  },
  "has names that differ by case, and odd ones, has files that nobody may write and is reached by a link":
    together(
      async (top) => {
        for (const name of [
          "A.TXT",
          "-rf",
          " blank ",
          'quo"te',
          "new\nline",
          "a\\b",
          "*",
          ":(top)x",
          "\u00e9",
          "e\u0301",
        ])
          await writeFile(join(top, name), `${name}\n`);
        return top;
      },
      async (top) => {
        await chmod(join(top, "a.txt"), 0o444);
        return top;
      },
      async (top, at) => {
        await symlink(top, join(at, "link"));
        return join(at, "link");
      },
    ),
  "runs filters as LFS does, which fail": async (top) => {
    await writeFile(
      join(top, ".gitattributes"),
      "*.txt filter=lfs diff=lfs merge=lfs -text\n*.md merge=mine\n",
    );
    git(top, "add", "-A");
    git(top, "commit", "-qm", "filters");
    for (const name of ["clean", "smudge", "process"]) git(top, "config", `filter.lfs.${name}`, "false");
    git(top, "config", "filter.lfs.required", "true");
    git(top, "config", "merge.mine.driver", "false");
    return top;
  },
  "changes line ends and encodings": async (top) => {
    await writeFile(
      join(top, ".gitattributes"),
      "*.txt text eol=crlf\n*.md ident working-tree-encoding=UTF-16\n",
    );
    return configured(["core.autocrlf", "true"], ["core.safecrlf", "true"])(top, "");
  },
  "keeps its index in other ways and has settings for its worktrees": together(
    async (top) => {
      git(top, "update-index", "--index-version", "4");
      git(top, "update-index", "--split-index");
      git(top, "update-index", "--assume-unchanged", "b.md");
      git(top, "update-index", "--skip-worktree", "dir/c.txt");
      await writeFile(join(top, "intended.txt"), "soon\n");
      git(top, "add", "-N", "intended.txt");
      return configured(["core.untrackedCache", "true"], ["feature.manyFiles", "true"])(top, "");
    },
    async (top) => {
      git(top, "config", "extensions.worktreeConfig", "true");
      git(top, "config", "--worktree", "core.sparseCheckout", "false");
      return top;
    },
  ),
  "is in the middle of a merge": async (top) => {
    git(top, "checkout", "-q", "-b", "side");
    await writeFile(join(top, "b.md"), "theirs\n");
    git(top, "commit", "-qam", "theirs");
    git(top, "checkout", "-q", "main");
    await writeFile(join(top, "b.md"), "ours\n");
    git(top, "commit", "-qam", "ours");
    expect(() => git(top, "merge", "side")).toThrow(/git merge side/u);
    return top;
  },
};

const open = async (top: string): Promise<LaneStore> => {
  const opened = await openStore(top, { XDG_DATA_HOME: join(root, "data") });
  if (typeof opened === "string") throw new Error(opened);
  return opened;
};

it.each(Object.entries(SHAPES))(
  "a repository that %s: work lands, nothing else is touched, nothing is lost",
  async (_which, make) => {
    const made = await makeRepository();
    ({ root } = made);
    await rm(join(made.top, "ignored"), { recursive: true });
    const top = await make(made.top, root);
    appendFileSync(join(top, "dir/d e.txt"), "the user's\r\n");
    await writeFile(join(top, "untracked.txt"), "the user's own\n");
    const store = await open(top);
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
    const want = new Map(before);
    const bits = before.get("a.txt")?.[0] ?? "-";
    want.set("a.txt", `${bits}${before.get("a.txt")?.slice(1)}one\r\n`);
    want.delete("run.sh");
    want.set("neu ü.txt", "- new\n");
    want.set("moved.bin", before.get("data.bin") ?? "");
    want.delete("data.bin");
    want.set("untracked.txt", "- the user's own\ntwo\n");
    expect(await readTree(top)).toEqual(want);
    expect(usersGit(top)).toBe(gitBefore);
    await expect(readFile(join(root, "ran"))).rejects.toThrow("ENOENT");
    for (const lane of lanes) {
      const held = await readTree(lane.folder);
      const bundle = await removeLane(store, lane, "left");
      expect(await readTree((await restoreLane(store, bundle ?? "")).folder)).toEqual(held);
    }
  },
);

it("a repository is opened by many at once, while git works in its store", async () => {
  const made = await makeRepository();
  ({ root } = made);
  const head = git(made.top, "rev-parse", "HEAD").trim();
  const store = await open(made.top);
  const over = new AbortController();
  const opens = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) expect(await open(made.top)).toEqual(store);
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
  ["of Jujutsu alone", async (top: string) => void (await mkdir(join(top, ".jj/repo"), { recursive: true }))],
  [
    "with git and Jujutsu",
    async (top: string) => void (await mkdir(join(top, ".jj")), git(top, "init", "-q")),
  ],
])(
  "in a folder %s work lands beside the user's, and what is ignored stays out of it",
  async (_which, make) => {
    root = await realpath(await mkdtemp(join(tmpdir(), "gaia lanes-")));
    const top = join(root, "plain");
    await mkdir(join(top, "node_modules"), { recursive: true });
    const lines = Array.from({ length: 12 }, (_, line) => `line ${line}\n`);
    await writeFile(join(top, "a.txt"), lines.join(""));
    await writeFile(join(top, "b.txt"), "b\n");
    await writeFile(join(top, ".gitignore"), "*.log\nnode_modules\n");
    await writeFile(join(top, "own.log"), "the user's own\n");
    await writeFile(join(top, "node_modules/x.js"), "installed\n");
    await make(top);
    const store = await open(top);
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
    expect([now.get("own.log"), now.get("node_modules/x.js")]).toEqual([
      "- the user's own\n",
      "- installed\n",
    ]);
    const held = await readTree(lane.folder);
    const bundle = await removeLane(store, lane, "left");
    expect(await readTree((await restoreLane(store, bundle ?? "")).folder)).toEqual(held);
  },
);

it("a repository without a working tree has no lanes, and says so", async () => {
  ({ root } = await makeRepository());
  git(root, "init", "-q", "--bare", "bare.git");
  expect(await openStore(join(root, "bare.git"), { XDG_DATA_HOME: join(root, "data") })).toBe(
    "git has no working tree here",
  );
});

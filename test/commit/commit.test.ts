import { execFile } from "node:child_process";
import { chmod, lstat, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { type CommitEnd, type Draft, type HookSandbox, openDraft } from "../../src/commit/commit.ts";
import { describeError } from "../../src/lib/error.ts";
import { writeIn, openFolder } from "../support/directory.ts";

let directory: string;
let home: string;

const run = async (...args: string[]) => (await promisify(execFile)("git", args, { cwd: directory })).stdout;
/** Runs lines of git one after the other, each a command without quotes. */
const runAll = async (...lines: readonly string[]): Promise<void> => {
  for (const line of lines) await run(...line.split(" "));
};
const write = async (path: string, text: string) => writeIn(directory, path, text);
const hook = async (name: string, text: string, folder = ".git/hooks"): Promise<void> => {
  await write(`${folder}/${name}`, `#!/bin/sh\n${text}\n`);
  await chmod(join(directory, folder, name), 0o755);
};
const status = async (): Promise<string> => run("status", "--porcelain", "--untracked-files=all");
const shown = async (): Promise<string> =>
  run("-c", "core.quotePath=false", "show", "--name-status", "--no-renames", "--format=%s", "HEAD");

const AS_THEY_ARE: HookSandbox = { program: async () => null, explain: async () => "" };

interface Problem {
  readonly kind: "problem";
  readonly why: string;
}
interface Wish {
  readonly only?: readonly string[];
  readonly message?: string;
  readonly signal?: AbortSignal;
}

const openHere = async (signal?: AbortSignal) => openDraft("git", { directory, signal }, AS_THEY_ARE);

/** Commits all that differs, or only these. */
async function commit({ only, message = "Work", signal }: Wish = {}): Promise<CommitEnd | Problem> {
  let draft: Draft | null = null;
  try {
    draft = await openHere(signal);
    await draft.stage(only ?? draft.changed.map(({ path }) => path));
    return await draft.make(message, async () => undefined);
  } catch (error) {
    return { kind: "problem", why: describeError(error) };
  } finally {
    await draft?.dispose();
    const folder = draft && (await run("rev-parse", "--absolute-git-dir")).trim();
    const left = folder && (await readdir(folder)).filter((name) => name.startsWith("gaia-"));
    expect(left ?? []).toEqual([]);
  }
}

beforeEach(async () => {
  home = await openFolder();
  vi.stubEnv("HOME", home);
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
  for (const name of Object.keys(process.env))
    if (/^GIT_(?:AUTHOR|COMMITTER|CONFIG_GLOBAL)/u.test(name)) vi.stubEnv(name, undefined);
  directory = await openFolder();
  await runAll("init -q -b main", "config user.name T", "config user.email t@example.com");
  await write("a.txt", "a\n");
  await write("b.txt", "b\n");
  await runAll("add .", "commit -qm Start");
});

describe("the host's commit", () => {
  it("holds every kind of change, whatever a file is called", async () => {
    const odd = ["-dash", ":(top)x", "[i].txt", "a b", "d/it's", "ü", "new\nline", '"quoted"', "back\\slash"];
    for (const name of odd) await write(name, "x\n");
    await rm(join(directory, "a.txt"));
    await run("mv", "b.txt", "moved.txt");
    await write("tool.sh", "#!/bin/sh\n");
    await chmod(join(directory, "tool.sh"), 0o755);
    await symlink("/etc/passwd", join(directory, "link"));
    expect(await commit()).toMatchObject({ kind: "made" });
    expect(await status()).toBe("");
    const tree = await run("-c", "core.quotePath=false", "ls-tree", "-r", "-z", "HEAD");
    const rows = tree.split("\0").filter(Boolean);
    expect(rows.map((row) => row.split("\t").slice(1).join("\t")).toSorted()).toEqual(
      [...odd, "link", "moved.txt", "tool.sh"].toSorted(),
    );
    expect(rows.find((row) => row.endsWith("\ttool.sh"))).toMatch(/^100755 /u);
    expect(rows.find((row) => row.endsWith("\tlink"))).toMatch(/^120000 /u);
    expect(await run("show", "HEAD:link")).toBe("/etc/passwd");
  });

  it("takes a folder that became a link, and a file that became a folder", async () => {
    await write("dir/one.txt", "1\n");
    await runAll("add .", "commit -qm Dir");
    await rm(join(directory, "dir"), { recursive: true });
    await symlink(home, join(directory, "dir"));
    await writeFile(join(home, "one.txt"), "outside\n");
    await rm(join(directory, "a.txt"));
    await write("a.txt/inner.txt", "x\n");
    expect(await commit()).toMatchObject({ kind: "made" });
    expect(await status()).toBe("");
    expect((await shown()).split("\n").filter(Boolean).toSorted()).toEqual(
      ["Work", "A\ta.txt/inner.txt", "A\tdir", "D\ta.txt", "D\tdir/one.txt"].toSorted(),
    );
  });

  it("leaves what the user staged as it is, in other files and beside theirs", async () => {
    await write("a.txt", "work\n");
    await write("b.txt", "staged\n");
    await run("add", "b.txt");
    await write("b.txt", "staged and more\n");
    await write("mine.txt", "mine\n");
    await run("add", "mine.txt");
    await write("meant.txt", "x\n");
    await run("add", "-N", "meant.txt");
    const others = await status();
    expect(await commit({ only: ["a.txt"] })).toMatchObject({ kind: "made" });
    expect(await shown()).toBe("Work\n\nM\ta.txt\n");
    expect(await status()).toBe(others.replace(" M a.txt\n", ""));
    expect(await run("show", ":b.txt")).toBe("staged\n");
  });

  it("sees behind the bits of the index, and leaves them there", async () => {
    await runAll("update-index --assume-unchanged a.txt", "update-index --skip-worktree b.txt");
    await write("a.txt", "work\n");
    await write("b.txt", "work\n");
    expect(await status()).toBe("");
    expect(await commit()).toMatchObject({ kind: "made" });
    expect(await shown()).toBe("Work\n\nM\ta.txt\nM\tb.txt\n");
    expect(await run("ls-files", "-v")).toBe("h a.txt\nS b.txt\n");
  });

  it("moves a submodule's entry, and tells of a repository that is none", async () => {
    const inner = "-C sub -c user.name=T -c user.email=t@e commit -q --allow-empty -m";
    await runAll("init -q sub", `${inner} One`);
    const draft = await openHere();
    expect(draft.changed).toEqual([{ path: "sub", isNested: true }]);
    await draft.dispose();
    await runAll("add sub", "commit -qm Sub", `${inner} Two`);
    expect(await commit()).toMatchObject({ kind: "made" });
    expect(await shown()).toBe("Work\n\nM\tsub\n");
    expect(await status()).toBe("");
  });

  it("works on a detached HEAD, before the first commit, and in a linked working tree", async () => {
    await run("checkout", "-q", "--detach");
    await write("a.txt", "detached\n");
    expect(await commit()).toMatchObject({ kind: "made" });
    expect(await run("log", "--format=%s")).toBe("Work\nStart\n");
    await run("worktree", "add", "-q", "-b", "side", join(directory, ".git", "lane"));
    const main = directory;
    directory = join(directory, ".git", "lane");
    await write("b.txt", "lane\n");
    expect(await commit({ message: "In a lane" })).toMatchObject({ kind: "made" });
    expect([await status(), await run("log", "-1", "--format=%s", "side")]).toEqual(["", "In a lane\n"]);
    directory = main;
    await runAll("checkout -q --orphan fresh", "rm -rqf .");
    await write("first.txt", "x\n");
    await write("staged.txt", "x\n");
    await run("add", "staged.txt");
    expect(await commit({ only: ["first.txt"] })).toMatchObject({ kind: "made" });
    expect(await run("log", "--format=%s")).toBe("Work\n");
    expect(await status()).toBe("A  staged.txt\n");
  });
});

describe("the repository's hooks", () => {
  it.each([
    ["git's own folder", ".git/hooks", []],
    ["husky's", ".husky/_", ["core.hooksPath", ".husky/_"]],
  ] as const)("run as git runs them, from %s", async (_name, folder, setting) => {
    if (setting.length > 0) await run("config", ...setting);
    await run("config", "--local", "core.excludesFile", "/dev/null");
    await write(".git/info/exclude", ".husky\n*.log\n");
    await hook("pre-commit", "git diff --cached --name-only > pre.log", folder);
    await hook("prepare-commit-msg", 'echo "Prepared" >> "$1"', folder);
    await hook("commit-msg", 'grep -q Prepared "$1" && cp "$1" msg.log', folder);
    await hook("post-commit", "git rev-parse HEAD > post.log", folder);
    await write("a.txt", "work\n");
    await write("mine.txt", "mine\n");
    await run("add", "mine.txt");
    const end = await commit({ only: ["a.txt"] });
    expect(end).toMatchObject({ kind: "made" });
    expect(await readFile(join(directory, "pre.log"), "utf8")).toBe("a.txt\n");
    expect(await run("log", "-1", "--format=%B")).toContain("Work\nPrepared");
    expect(await readFile(join(directory, "post.log"), "utf8")).toBe(await run("rev-parse", "HEAD"));
    expect(await status()).toBe("A  mine.txt\n");
  });

  it("that refuses leaves refs and index as they were, and is named with the end of what it said", async () => {
    await hook("pre-commit", "git status > /dev/null; echo line 3 is wrong; echo not like this >&2; exit 3");
    await write("a.txt", "work\n");
    await write("mine.txt", "mine\n");
    await run("add", "mine.txt");
    const was = await run("rev-parse", "HEAD");
    const end = await commit({ only: ["a.txt"] });
    expect(end).toMatchObject({ kind: "hook", name: "pre-commit" });
    // On which stream a hook speaks is its own affair.
    for (const said of ["line 3 is wrong", "not like this"]) expect(JSON.stringify(end)).toContain(said);
    expect([await run("rev-parse", "HEAD"), await status()]).toEqual([was, " M a.txt\nA  mine.txt\n"]);
    await rm(join(directory, ".git/hooks/pre-commit"));
    await hook("commit-msg", "echo 'no ticket' >&2; exit 1");
    const said = "no ticket";
    expect(await commit({ only: ["a.txt"] })).toEqual({ kind: "hook", name: "commit-msg", said });
  });

  it("that stages something else commits nothing, and what it made is told", async () => {
    await hook("pre-commit", "echo X > a.txt; git add a.txt; echo y > extra.txt; git add extra.txt");
    await write("a.txt", "x\n");
    const was = await run("rev-parse", "HEAD");
    expect(await commit()).toEqual({ kind: "other-tree", paths: ["a.txt", "extra.txt"] });
    expect([await run("rev-parse", "HEAD"), await status()]).toEqual([was, " M a.txt\n?? extra.txt\n"]);
    expect(await commit()).toMatchObject({ kind: "made" });
    expect(await run("show", "HEAD:a.txt")).toBe("X\n");
    await runAll("update-ref -d HEAD", "read-tree --empty");
    await write("a.txt", "again\n");
    await hook("pre-commit", "echo Z > a.txt; git add a.txt");
    expect(await commit()).toMatchObject({ kind: "other-tree" });
    await expect(run("rev-parse", "--verify", "HEAD")).rejects.toThrow("Needed a single revision");
  });

  it("that the user stops leaves everything as it was; a commit that is made stays whole", async () => {
    await hook("pre-commit", "touch .git/began; sleep 60");
    await write("a.txt", "work\n");
    const was = await run("rev-parse", "HEAD");
    const stop = new AbortController();
    const began = async (name: string): Promise<void> => {
      for (;;) {
        if ((await lstat(join(directory, ".git", name)).catch(() => null)) !== null) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    void began("began").then(() => stop.abort());
    expect(await commit({ signal: stop.signal })).toEqual({ kind: "problem", why: "The user stopped it." });
    expect([await run("rev-parse", "HEAD"), await status()]).toEqual([was, " M a.txt\n"]);
    await rm(join(directory, ".git/hooks/pre-commit"));
    await hook("post-commit", "touch .git/made; sleep 60");
    const late = new AbortController();
    void began("made").then(() => late.abort());
    expect(await commit({ signal: late.signal })).toMatchObject({ kind: "made" });
    expect([await run("log", "-1", "--format=%s"), await status()]).toEqual(["Work\n", ""]);
  });
});

describe("what git refuses", () => {
  const refused = async (): Promise<string> => {
    await write("a.txt", "work\n");
    const was = await readFile(join(directory, ".git/refs/heads/main"), "utf8");
    const end = await commit();
    expect(await readFile(join(directory, ".git/refs/heads/main"), "utf8")).toBe(was);
    return end.kind === "problem" ? end.why : JSON.stringify(end);
  };

  it("is told as what it is", async () => {
    await runAll("config commit.gpgsign true", "config gpg.program /bin/false");
    expect(await refused()).toBe("git refuses: error: gpg failed to sign the data");
    await runAll("config commit.gpgsign false", "config --unset user.name", "config user.useConfigOnly true");
    expect(await refused()).toMatch(/^git does not know who commits: /u);
    await run("config", "user.name", "T");
    await write(".git/index.lock", "");
    expect(await refused()).toMatch(/^git is at work here, or was stopped in it: .*index\.lock is there\.$/u);
    await rm(join(directory, ".git/index.lock"));
    await write(".git/refs/heads/main.lock", "");
    expect(await refused()).toMatch(/^git refuses: fatal: .*main\.lock/u);
    await rm(join(directory, ".git/refs/heads/main.lock"));
    vi.stubEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    expect(await refused()).toMatch(/^git refuses: fatal: .*dubious ownership/u);
    vi.stubEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER", undefined);
    await write(".git/index", "broken");
    expect(await refused()).toMatch(/^git refuses: (?:fatal|error): .*index/u);
    await rm(join(directory, ".git/index"));
    await run("read-tree", "HEAD");
    await write(".git/refs/heads/main", `${"1".repeat(40)}\n`);
    expect(await refused()).toMatch(/damaged|bad object|git refuses/u);
  });

  it("is nothing that the user has begun", async () => {
    const unfinished = async (): Promise<string | null> => {
      const draft = await openHere();
      await draft.dispose();
      return draft.unfinished;
    };
    expect(await unfinished()).toBeNull();
    await runAll("checkout -q -b side");
    await write("a.txt", "side\n");
    await runAll("commit -qam Side", "checkout -q main");
    await write("a.txt", "main\n");
    await runAll("commit -qam Main");
    for (const [what, start, end] of [
      ["merge", "merge side", "merge --abort"],
      ["rebase", "rebase side", "rebase --abort"],
      ["cherry-pick", "cherry-pick side", "cherry-pick --abort"],
      ["revert", "revert HEAD~1", "revert --abort"],
      ["bisect", "bisect start", "bisect reset"],
    ] as const) {
      await runAll(start).catch(() => undefined);
      expect(await unfinished()).toBe(what);
      await runAll(end);
    }
    await write("a.txt", "stash\n");
    await runAll("stash");
    await write("a.txt", "other\n");
    await runAll("commit -qam Other", "stash pop").catch(() => undefined);
    expect(await unfinished()).toBe("conflict");
  });
});

it("in Jujutsu holds the files of the project that it was given, and neither the record nor what lies around the project", async () => {
  const bin = join(home, "bin");
  const asked = join(home, "asked");
  const script = `#!/bin/sh
shift 2
echo "$*" >> '${asked}'
case $1 in
diff) printf '%s\\n' 'a "b".ts' .gaia/unit/plan.md ../other.ts sub/c.ts ;;
log) if grep -q ^commit '${asked}'; then echo after; else echo before; fi ;;
esac
`;
  await chmod(await writeIn(bin, "jj", script), 0o755);
  vi.stubEnv("PATH", `${bin}:${process.env["PATH"]}`);
  const draft = await openDraft("jj", { directory }, AS_THEY_ARE);
  expect(draft.changed.map(({ path }) => path)).toEqual(['a "b".ts', "sub/c.ts"]);
  await draft.stage(['a "b".ts']);
  expect(await draft.make("Do it", async () => undefined)).toEqual({ kind: "made", id: "after" });
  expect(await readFile(asked, "utf8")).toContain('commit --message=Do it -- cwd-file:"a \\"b\\".ts"\n');
});

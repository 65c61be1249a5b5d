import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { canContain } from "../support/bubblewrap.ts";
import { hostCommit, openWorld, type World } from "./world.ts";

let world: World;
beforeEach(() => void (world = openWorld()));
afterEach(() => world.close());

const outside = (): string => world.read(join(world.outside, "file"));
const script = (name: string, text: string): void => void world.write(name, text);
const hook = (name: string, text: string): void =>
  void world.write(`.git/hooks/${name}`, `#!/bin/sh\n${text}\n`);
const commit = async (...how: Parameters<typeof hostCommit> extends [World, ...infer Rest] ? Rest : never) =>
  hostCommit(world, ...how);

const attack = (): string =>
  [
    `echo leaked > ${join(world.outside, "file")}`,
    "git config core.hooksPath evil; git tag evil; git update-ref refs/heads/evil HEAD",
    "echo x > .git/hooks/post-commit; echo x >> .git/HEAD; rm -f .git/objects/real/*/*",
    "echo x > .gaia/config.jsonc; exit 0",
  ].join("\n");

describe.runIf(canContain)("hooks of the repository at the host's commit", () => {
  it("start what agents wrote, which reaches nothing but the project's files", async () => {
    script("lint.sh", attack());
    for (const name of ["pre-commit", "commit-msg", "post-commit"]) hook(name, "sh lint.sh 2>/dev/null");
    const refsNow = (): string[] => [world.git("for-each-ref", "refs/tags"), world.read(".git/HEAD")];
    const before = refsNow();
    const hooksNow = (): string[] =>
      readdirSync(join(world.project, ".git/hooks")).map((name) => world.read(`.git/hooks/${name}`));
    const hooks = hooksNow();
    expect(await commit()).toMatchObject({ kind: "made" });
    expect(outside()).toBe("as it was\n");
    expect(refsNow()).toEqual(before);
    expect(world.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\n");
    expect(world.git("config", "--get", "--default", "none", "core.hooksPath")).toBe("none\n");
    expect(world.read(".gaia/config.jsonc")).toBe("{}\n");
    expect(hooksNow()).toEqual(hooks);
    expect(world.git("fsck", "--strict")).toBe("");
    expect(readdirSync(join(world.project, ".git")).filter((name) => name.startsWith("gaia-"))).toEqual([]);
    // The very same reaches them where nothing contains it.
    script("b.txt", "more\n");
    await commit("uncontained");
    expect(outside()).toBe("leaked\n");
  });

  it("see the commit as git shows it, may stash, and change the message", async () => {
    script("a.txt", "two\n");
    hook(
      "pre-commit",
      'git diff --cached --name-only > seen.log; git stash create > stash.log; git stash store -m backup "$(cat stash.log)" && git stash list >> seen.log && git stash drop -q',
    );
    hook("commit-msg", 'echo "Signed-off-by: T" >> "$1"');
    script(".git/info/exclude", "*.log\n.env\n.gaia\n");
    expect(JSON.stringify(await commit())).toContain('"made"');
    expect(world.read("seen.log")).toBe("a.txt\nstash@{0}: backup\n");
    expect(world.git("stash", "list")).toBe("");
    expect(world.git("log", "-1", "--format=%B")).toBe("Work\nSigned-off-by: T\n\n");
    expect(world.git("status", "--short")).toBe("");
  });

  it("that meet a wall are refused with it, and with what the user may set", async () => {
    script("a.txt", "x\n");
    hook("pre-commit", `echo x > ${join(world.home, "log")}`);
    const end = await commit();
    expect(end).toMatchObject({ kind: "hook", name: "pre-commit" });
    expect(JSON.stringify(end)).toMatch(/only the project.*are writable/u);
    expect(JSON.stringify(end)).toContain('\\"hooks\\": \\"uncontained\\"');
    expect(world.git("log", "--format=%s")).toBe("One\n");
  });

  it("bring no file of the user's into the message by a link", async () => {
    script("a.txt", "x\n");
    hook("commit-msg", `ln -sf ${join(world.home, ".npmrc")} "$1"`);
    expect(await commit()).toEqual({ kind: "problem", why: "A hook took the message away." });
  });

  it("run in a linked working tree as well, from the folder that the user names", async () => {
    const first = world;
    const lane = join(first.root, "lane");
    first.git("worktree", "add", "-q", "-b", "lane", lane);
    first.git("config", "core.hooksPath", ".hooks");
    world = openWorld({ project: lane });
    const spying = "git diff --cached --name-only > ../seen.log; git diff --cached --name-only";
    world.write(
      join(lane, ".hooks/pre-commit"),
      `#!/bin/sh\n${spying}; git tag evil; git config a.b c; exit 3\n`,
    );
    world.write(join(lane, "b.txt"), "x\n");
    const end = await commit("contained", { directory: lane });
    expect(end).toMatchObject({ kind: "hook", name: "pre-commit" });
    expect([existsSync(join(first.root, "seen.log")), first.git("tag")]).toEqual([false, ""]);
    expect(() => first.git("config", "a.b")).toThrow("Command failed");
    rmSync(join(lane, ".hooks"), { recursive: true });
    expect(await commit("contained", { directory: lane })).toMatchObject({ kind: "made" });
    expect(first.git("log", "-1", "--format=%s", "lane")).toBe("Work\n");
    first.close();
  });
});

/** The user's own, staged in part: what is staged is not what is on disk. */
const USERS = "mine.txt";

/** A manager of hooks by what it has git start, and what that does. */
interface Manager {
  /** Scripts of `fixtures/hook-managers`, by where they lie in the project. */
  readonly files: Readonly<Record<string, string>>;
  readonly settings?: readonly [name: string, value: string];
  /** Whether it stages what it formats; another one lets the first commit fail. */
  readonly stages: boolean;
}

/** As husky 9, lefthook 1 and pre-commit 4 do it; they were seen to work themselves, and are too large to be installed here. */
const MANAGERS: Readonly<Record<string, Manager>> = {
  husky: {
    settings: ["core.hooksPath", ".husky/_"],
    stages: true,
    files: {
      ".husky/_/pre-commit": "husky-hook",
      ".husky/_/h": "husky-common",
      ".husky/pre-commit": "husky-user",
      "node_modules/.bin/format": "format",
    },
  },
  lefthook: {
    stages: true,
    files: { ".git/hooks/pre-commit": "lefthook-hook", "node_modules/lefthook/run": "lefthook-run" },
  },
  "pre-commit": { stages: false, files: { ".git/hooks/pre-commit": "pre-commit-hook" } },
};
const scriptOf = (name: string): string =>
  readFileSync(join(import.meta.dirname, `fixtures/hook-managers/${name}.sh`), "utf8");

describe.runIf(canContain)("the host's commit under a manager of hooks that formats", () => {
  /** Commits the work, and not what is the user's. */
  const commitWork = async () => commit("contained", { paths: ["a.txt"] });
  beforeEach(() => {
    vi.stubEnv("HOME", world.home);
    world.git("config", "user.name", "T");
    world.git("config", "user.email", "t@example.com");
    script(".git/info/exclude", ".env\n.gaia\n.husky\nnode_modules\n");
    script("a.txt", "work\n");
    script(USERS, "STAGED\n");
    world.git("add", USERS);
    script(USERS, "STAGED\nAND MORE\n");
  });

  const cases = Object.keys(MANAGERS).map(
    (name) => [name, name === "husky" ? "no branch" : "a branch"] as const,
  );
  it.each(cases)(
    "is made of what %s leaves, on %s, and leaves the index as the user had it",
    async (name, on) => {
      const manager = MANAGERS[name];
      if (manager === undefined) throw new Error(name);
      for (const [path, name] of Object.entries(manager.files)) world.write(path, scriptOf(name));
      if (manager.settings !== undefined) world.git("config", ...manager.settings);
      if (on === "no branch") world.git("checkout", "-q", "--detach");
      const hooks = world.read(".git/config");

      const first = await commitWork();
      expect(first).toMatchObject(
        manager.stages ? { kind: "other-tree" } : { kind: "hook", name: "pre-commit" },
      );
      expect(world.git("log", "--format=%s")).toBe("One\n");
      expect(world.read("a.txt")).toBe("WORK\n");
      expect(await commitWork()).toMatchObject({ kind: "made" });

      expect(world.git("show", "--format=%s", "--name-status", "HEAD")).toBe("Work\n\nM\ta.txt\n");
      expect(world.git("show", "HEAD:a.txt")).toBe("WORK\n");
      expect(world.git("status", "--porcelain")).toBe(`AM ${USERS}\n`);
      expect(world.git("show", `:${USERS}`)).toBe("STAGED\n");
      expect(world.read(USERS)).toBe("STAGED\nAND MORE\n");
      expect(world.git("stash", "list")).toBe("");
      expect(world.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\n");
      expect(world.read(".git/config")).toBe(hooks);
    },
  );
});

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createHostRuns } from "../../src/checks/host-runs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { type CommitEnd, type Draft, openDraft } from "../../src/snapshot/commit/commit.ts";
import { canContain } from "../support/bubblewrap.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
afterEach(() => {
  world.close();
});

/** What agents may write, and the repository's hooks start. */
const script = (name: string, text: string): void => writeFileSync(join(world.project, name), text);
const hook = (name: string, text: string, folder = ".git/hooks"): void => {
  mkdirSync(join(world.project, folder), { recursive: true });
  writeFileSync(join(world.project, folder, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(world.project, folder, name), 0o755);
};

/** Makes a commit as the host does, of all that differs. */
async function commit(
  hooks: "contained" | "uncontained" = "contained",
  directory = world.project,
): Promise<CommitEnd> {
  world.git("config", "user.name", "T");
  world.git("config", "user.email", "t@example.com");
  const runs = createHostRuns({ mode: "auto", hooks }, async () => world.containment);
  const draft: Draft | { readonly why: string } = await openDraft(
    "git",
    { directory, clock: systemClock },
    runs.hooks,
  );
  if ("why" in draft) throw new Error(draft.why);
  try {
    const problem = await draft.stage(draft.changed.map(({ path }) => path));
    if (problem !== null) throw new Error(problem.why);
    return await draft.make("Work", async () => undefined);
  } finally {
    await draft.dispose();
  }
}

const attack = (): string =>
  [
    `echo leaked > ${join(world.outside, "file")}`,
    "git config core.hooksPath evil; git tag evil; git update-ref refs/heads/evil HEAD",
    "echo x > .git/hooks/post-commit; echo x >> .git/HEAD; rm -f .git/objects/real/*/*",
    "echo x > .gaia/config.jsonc; exit 0",
  ].join("\n");

describe.runIf(canContain)("hooks of the repository at the host's commit", () => {
  it("start what agents wrote, which reaches nothing but the project's files", async () => {
    world = openWorld();
    script("lint.sh", attack());
    for (const name of ["pre-commit", "commit-msg", "post-commit"]) hook(name, "sh lint.sh 2>/dev/null");
    const before = [world.git("for-each-ref", "refs/tags"), readFileSync(join(world.project, ".git/HEAD"))];
    const hooks = readdirSync(join(world.project, ".git/hooks")).map((name) =>
      readFileSync(join(world.project, ".git/hooks", name), "utf8"),
    );
    expect(await commit()).toMatchObject({ kind: "made" });
    expect(readFileSync(join(world.outside, "file"), "utf8")).toBe("as it was\n");
    expect([world.git("for-each-ref", "refs/tags"), readFileSync(join(world.project, ".git/HEAD"))]).toEqual(
      before,
    );
    expect(world.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main\n");
    expect(world.git("config", "--get", "--default", "none", "core.hooksPath")).toBe("none\n");
    expect(readFileSync(join(world.project, ".gaia/config.jsonc"), "utf8")).toBe("{}\n");
    expect(
      readdirSync(join(world.project, ".git/hooks")).map((name) =>
        readFileSync(join(world.project, ".git/hooks", name), "utf8"),
      ),
    ).toEqual(hooks);
    expect(world.git("fsck", "--strict")).toBe("");
    expect(readdirSync(join(world.project, ".git")).filter((name) => name.startsWith("gaia-"))).toEqual([]);
    // The very same reaches them where nothing contains it.
    script("b.txt", "more\n");
    await commit("uncontained");
    expect(readFileSync(join(world.outside, "file"), "utf8")).toBe("leaked\n");
  });

  it("see the commit as git shows it, may stash, and change the message", async () => {
    world = openWorld();
    script("a.txt", "two\n");
    hook(
      "pre-commit",
      'git diff --cached --name-only > seen.log; git stash create > stash.log; git stash store -m backup "$(cat stash.log)" && git stash list >> seen.log && git stash drop -q',
    );
    hook("commit-msg", 'echo "Signed-off-by: T" >> "$1"');
    writeFileSync(join(world.project, ".git/info/exclude"), "*.log\n.env\n.gaia\n");
    expect(JSON.stringify(await commit())).toContain('"made"');
    expect(readFileSync(join(world.project, "seen.log"), "utf8")).toBe("a.txt\nstash@{0}: backup\n");
    expect(world.git("stash", "list")).toBe("");
    expect(world.git("log", "-1", "--format=%B")).toBe("Work\nSigned-off-by: T\n\n");
    expect(world.git("status", "--short")).toBe("");
  });

  it("stage something else, and then nothing is committed", async () => {
    world = openWorld();
    script("a.txt", "x\n");
    hook("pre-commit", "tr a-z A-Z < a.txt > b.txt && mv b.txt a.txt && git add a.txt");
    expect(await commit()).toEqual({ kind: "other-tree", paths: ["a.txt"] });
    expect(world.git("log", "--format=%s")).toBe("One\n");
    expect(await commit()).toMatchObject({ kind: "made" });
    expect(world.git("show", "HEAD:a.txt")).toBe("X\n");
  });

  it("that meet a wall are refused with it, and with what the user may set", async () => {
    world = openWorld();
    script("a.txt", "x\n");
    hook("pre-commit", `echo x > ${join(world.home, "log")}`);
    const end = await commit();
    expect(end).toMatchObject({ kind: "hook", name: "pre-commit" });
    expect(JSON.stringify(end)).toMatch(/only the project.*are writable, and .*home\/log is outside/u);
    expect(JSON.stringify(end)).toContain('\\"hooks\\": \\"uncontained\\"');
    expect(world.git("log", "--format=%s")).toBe("One\n");
  });

  it("bring no file of the user's into the message by a link", async () => {
    world = openWorld();
    script("a.txt", "x\n");
    hook("commit-msg", `ln -sf ${join(world.home, ".npmrc")} "$1"`);
    expect(await commit()).toEqual({ kind: "problem", why: "A hook took the message away." });
  });

  it("run in a linked working tree as well, from the folder that the user names", async () => {
    const first = openWorld();
    const lane = join(first.root, "lane");
    first.git("worktree", "add", "-q", "-b", "lane", lane);
    first.git("config", "core.hooksPath", ".hooks");
    world = openWorld({ project: lane });
    const [home] = [world.root];
    mkdirSync(join(lane, ".hooks"));
    writeFileSync(
      join(lane, ".hooks/pre-commit"),
      `#!/bin/sh\ngit diff --cached --name-only > ../seen.log; git diff --cached --name-only; git tag evil; git config a.b c; exit 3\n`,
    );
    chmodSync(join(lane, ".hooks/pre-commit"), 0o755);
    writeFileSync(join(lane, "b.txt"), "x\n");
    const end = await commit("contained", lane);
    expect(end).toMatchObject({ kind: "hook", name: "pre-commit" });
    expect([existsSync(join(first.root, "seen.log")), first.git("tag")]).toEqual([false, ""]);
    expect(() => first.git("config", "a.b")).toThrow("Command failed");
    rmSync(join(lane, ".hooks"), { recursive: true });
    expect(await commit("contained", lane)).toMatchObject({ kind: "made" });
    expect(first.git("log", "-1", "--format=%s", "lane")).toBe("Work\n");
    rmSync(home, { recursive: true, force: true });
    world = first;
  });
});

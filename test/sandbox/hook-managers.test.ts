import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHostRuns } from "../../src/checks/host-runs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { type CommitEnd, type Draft, openDraft } from "../../src/snapshot/commit/commit.ts";
import { canContain } from "../support/bubblewrap.ts";
import { openWorld, type World } from "./world.ts";

/** The user's own, staged in part: what is staged is not what is on disk. */
const USERS = "mine.txt";
/** What formats files, in place. */
const FORMAT = `for f in "$@"; do tr a-z A-Z < "$f" > /tmp/formatted && cat /tmp/formatted > "$f"; done`;
const STAGED = "git diff --cached --name-only --diff-filter=ACMR -- '*.txt'";

/** A manager of hooks by what it has git start, and what that does. */
interface Manager {
  readonly files: Readonly<Record<string, string>>;
  readonly settings?: readonly [name: string, value: string];
  /** Whether it stages what it formats; another one lets the first commit fail. */
  readonly stages: boolean;
}

/** As husky 9, lefthook 1 and pre-commit 4 do it; they were seen to work themselves, and are too large to be installed here. */
const MANAGERS: Readonly<Record<string, Manager>> = {
  // Each hook reads a common file beside it, which runs the user's script of that name with the project's programs.
  husky: {
    settings: ["core.hooksPath", ".husky/_"],
    stages: true,
    files: {
      ".husky/_/pre-commit": '#!/usr/bin/env sh\n. "$(dirname "$0")/h"\n',
      ".husky/_/h":
        'name=$(basename "$0")\nscript=$(dirname "$(dirname "$0")")/$name\n[ -f "$script" ] || exit 0\nexport PATH="node_modules/.bin:$PATH"\nsh -e "$script" "$@"\n',
      ".husky/pre-commit": `format $(${STAGED})\ngit add $(${STAGED})\n`,
      "node_modules/.bin/format": `#!/bin/sh\n${FORMAT}\n`,
    },
  },
  // It keeps what is not staged in a patch below `.git`, takes it out of the files meanwhile, and stages what was fixed.
  lefthook: {
    stages: true,
    files: {
      ".git/hooks/pre-commit":
        '#!/bin/sh\ncall() { "$(git rev-parse --show-toplevel)/node_modules/lefthook/run" "$@"; }\ncall run pre-commit "$@"\n',
      "node_modules/lefthook/run": `#!/bin/sh
set -e
patch=$(git rev-parse --git-path info/unstaged.patch)
git diff --binary > "$patch"
git stash store -q -m backup "$(git stash create)"
partly=$(git diff --name-only)
[ -z "$partly" ] || git checkout --force -- $partly
set -- $(${STAGED})
${FORMAT}
git add "$@"
[ ! -s "$patch" ] || git apply "$patch"
git stash drop -q
`,
    },
  },
  // It writes what is not staged into the user's cache, resets the files to the index, and fails where a hook changed one.
  "pre-commit": {
    stages: false,
    files: {
      ".git/hooks/pre-commit": `#!/usr/bin/env bash
HERE="$(cd "$(dirname "$0")" && pwd)"
[ -x "$HERE/pre-commit.legacy" ] && exit 9
set -e
mkdir -p "$HOME/.cache/pre-commit" 2>/dev/null || true
tree=$(git write-tree)
git diff-index --ignore-submodules --binary --exit-code --no-color --no-ext-diff "$tree" -- > /tmp/patch || git -c submodule.recurse=0 checkout -- .
before=$(git diff --no-ext-diff --no-textconv | git hash-object --stdin)
set -- $(${STAGED})
${FORMAT}
after=$(git diff --no-ext-diff --no-textconv | git hash-object --stdin)
[ ! -s /tmp/patch ] || git apply --whitespace=nowarn /tmp/patch
[ "$before" = "$after" ] || { echo 'files were modified by this hook'; exit 1; }
`,
    },
  },
};

let world: World;
const before = { ...process.env };
const write = (path: string, text: string): void => {
  const file = join(world.project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, text.startsWith("#!") ? 0o755 : 0o644);
};
beforeEach(() => {
  world = openWorld();
  process.env["HOME"] = world.home;
  world.git("config", "user.name", "T");
  world.git("config", "user.email", "t@example.com");
  write(".git/info/exclude", ".env\n.gaia\n.husky\nnode_modules\n");
  write("a.txt", "work\n");
  write(USERS, "STAGED\n");
  world.git("add", USERS);
  write(USERS, "STAGED\nAND MORE\n");
});
afterEach(() => {
  process.env["HOME"] = before["HOME"];
  world.close();
});

/** Commits the work, and not what is the user's. */
async function commit(): Promise<CommitEnd> {
  const runs = createHostRuns({ mode: "auto" }, async () => world.containment);
  const at = { directory: world.project, clock: systemClock };
  const draft: Draft | { readonly why: string } = await openDraft("git", at, runs.hooks);
  if ("why" in draft) throw new Error(draft.why);
  try {
    const problem = await draft.stage(["a.txt"]);
    if (problem !== null) throw new Error(problem.why);
    return await draft.make("Work", async () => undefined);
  } finally {
    await draft.dispose();
  }
}

describe.runIf(canContain)("the host's commit under a manager of hooks that formats", () => {
  const cases = Object.keys(MANAGERS).map(
    (name) => [name, name === "husky" ? "no branch" : "a branch"] as const,
  );
  it.each(cases)(
    "is made of what %s leaves, on %s, and leaves the index as the user had it",
    async (name, on) => {
      const manager = MANAGERS[name];
      if (manager === undefined) throw new Error(name);
      for (const [path, text] of Object.entries(manager.files)) write(path, text);
      if (manager.settings !== undefined) world.git("config", ...manager.settings);
      if (on === "no branch") world.git("checkout", "-q", "--detach");
      const hooks = readFileSync(join(world.project, ".git/config"), "utf8");

      const first = await commit();
      expect(first).toMatchObject(
        manager.stages ? { kind: "other-tree" } : { kind: "hook", name: "pre-commit" },
      );
      expect(world.git("log", "--format=%s")).toBe("One\n");
      expect(readFileSync(join(world.project, "a.txt"), "utf8")).toBe("WORK\n");
      expect(await commit()).toMatchObject({ kind: "made" });

      expect(world.git("show", "--format=%s", "--name-status", "HEAD")).toBe("Work\n\nM\ta.txt\n");
      expect(world.git("show", "HEAD:a.txt")).toBe("WORK\n");
      expect(world.git("status", "--porcelain")).toBe(`AM ${USERS}\n`);
      expect(world.git("show", `:${USERS}`)).toBe("STAGED\n");
      expect(readFileSync(join(world.project, USERS), "utf8")).toBe("STAGED\nAND MORE\n");
      expect([world.git("stash", "list"), world.git("for-each-ref", "--format=%(refname)")]).toEqual([
        "",
        "refs/heads/main\n",
      ]);
      expect(readFileSync(join(world.project, ".git/config"), "utf8")).toBe(hooks);
    },
  );
});

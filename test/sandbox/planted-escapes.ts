import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Escape, outside, whenTheUserLooks } from "./escapes.ts";
import { has, type World } from "./world.ts";

const whenTheUserCommits = (world: World): boolean => {
  try {
    world.git("commit", "-q", "--allow-empty", "-m", "x");
  } catch {
    // What was planted may fail as well.
  }
  return outside(world);
};
const program = (path: string, text: string): void => writeFileSync(path, text, { mode: 0o755 });

/** A repository in the project, which has git run a program, and is named by the project's own index. */
const EMBEDDED =
  'git init -q sub && git -C sub commit -q --allow-empty -m x && git -C sub config core.fsmonitor "touch $OUTSIDE/pwned; false"';
/** The project's own folder, made to pass for a repository. */
const BARE = `git init -q --bare x && mv x/* . && git config -f config core.bare false && git config -f config core.worktree "$PWD" && git config -f config core.fsmonitor 'touch "$OUTSIDE/pwned" #'`;
const withoutRepository = async ({ project }: World): Promise<object> => {
  rmSync(join(project, ".git"), { recursive: true });
  return {};
};
const isRoot = process.getuid?.() === 0;

/** Ways by what git, or what manages its hooks, reads when the user does something next; and by names that change places. */
export const PLANTED_ESCAPES: readonly Escape[] = [
  {
    kind: "a folder that passes for a repository once its own is broken",
    command: `rm .git/HEAD; ${BARE}`,
    worked: whenTheUserLooks,
  },
  {
    kind: "the same where its own has lost its objects",
    command: `mv .git/objects o; ${BARE}`,
    worked: whenTheUserLooks,
  },
  {
    kind: "a repository where there was none",
    prepare: withoutRepository,
    command: `git init -q && git config core.fsmonitor 'touch "$OUTSIDE/pwned" #'`,
    worked: whenTheUserLooks,
  },
  {
    kind: "a hook of a repository where there was none",
    prepare: withoutRepository,
    command: `git init -q && printf '#!/bin/sh\ntouch "$OUTSIDE/pwned"\n' > .git/hooks/pre-commit && chmod +x .git/hooks/pre-commit`,
    worked: whenTheUserCommits,
  },
  { kind: "a repository that is taken in", command: `${EMBEDDED}; git add sub`, worked: whenTheUserLooks },
  {
    kind: "a repository that the index is given",
    command: `${EMBEDDED}; git update-index --add --cacheinfo 160000,$(git -C sub rev-parse HEAD),sub`,
    worked: whenTheUserLooks,
  },
  {
    kind: "a repository in a split index",
    command: `${EMBEDDED}; git add sub; git update-index --split-index`,
    worked: whenTheUserLooks,
  },
  {
    kind: "a repository that lies beside its files",
    command: `git init -q --separate-git-dir="$PWD/g" sub && git -C sub commit -q --allow-empty -m x; git --git-dir=g config core.fsmonitor "touch $OUTSIDE/pwned; false"; git add sub`,
    worked: whenTheUserLooks,
  },
  {
    kind: "the settings of a submodule",
    async prepare(world) {
      world.git("init", "-q", "sub");
      world.git("-C", "sub", "commit", "-q", "--allow-empty", "-m", "x");
      world.git("add", "sub");
      return {};
    },
    command: 'git -C sub config core.fsmonitor "touch $OUTSIDE/pwned; false"',
    worked: whenTheUserLooks,
  },
  {
    kind: "what pre-commit reads",
    async prepare(world) {
      writeFileSync(join(world.project, ".pre-commit-config.yaml"), "repos: []\n");
      program(
        join(world.project, ".git/hooks/pre-commit"),
        '#!/bin/sh\ngrep -q evil .pre-commit-config.yaml && touch "$OUTSIDE/pwned"\nexit 0\n',
      );
      return {};
    },
    command: "echo evil >> .pre-commit-config.yaml",
    worked: whenTheUserCommits,
  },
  {
    kind: "what husky runs",
    async prepare(world) {
      mkdirSync(join(world.project, ".husky/_"), { recursive: true });
      program(join(world.project, ".husky/_/pre-commit"), "#!/bin/sh\nsh .husky/pre-commit\n");
      writeFileSync(join(world.project, ".husky/pre-commit"), "true\n");
      world.git("config", "core.hooksPath", ".husky/_");
      return {};
    },
    command: "echo 'touch \"$OUTSIDE/pwned\"' >> .husky/pre-commit",
    worked: whenTheUserCommits,
  },
  {
    kind: "what lefthook reads beside its file",
    async prepare(world) {
      writeFileSync(join(world.project, "lefthook.yml"), "pre-commit: {}\n");
      program(
        join(world.project, ".git/hooks/pre-commit"),
        '#!/bin/sh\n[ -e lefthook-local.yml ] && touch "$OUTSIDE/pwned"\nexit 0\n',
      );
      return {};
    },
    command: "echo x > lefthook-local.yml",
    worked: whenTheUserCommits,
  },
  ...(has("python3")
    ? [
        {
          kind: "hooks that change places with a folder",
          command: `python3 - <<'EOF'
import ctypes, os
os.mkdir("h")
open("h/pre-commit", "w").write('#!/bin/sh\\ntouch "$OUTSIDE/pwned"\\n')
os.chmod("h/pre-commit", 0o755)
ctypes.CDLL(None).renameat2(-100, b".git/hooks", -100, b"h", 2)
EOF`,
          worked: whenTheUserCommits,
        },
      ]
    : []),
  ...(has("python3") && isRoot
    ? [
        {
          kind: "a file that is opened by its handle",
          command: `python3 - <<'EOF'
import ctypes, os
libc = ctypes.CDLL(None)
class Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_uint), ("type", ctypes.c_int), ("handle", ctypes.c_ubyte * 128)]
handle, mount = Handle(128), ctypes.c_int()
libc.name_to_handle_at(-100, os.environ["OUTSIDE"].encode(), ctypes.byref(handle), ctypes.byref(mount), 0)
folder = libc.open_by_handle_at(os.open(".", os.O_RDONLY), ctypes.byref(handle), os.O_DIRECTORY)
if folder >= 0: os.open("pwned", os.O_CREAT | os.O_WRONLY, dir_fd=folder)
EOF`,
          worked: outside,
        },
      ]
    : []),
];

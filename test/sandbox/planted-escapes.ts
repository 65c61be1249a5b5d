import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Escape, outside, whenTheUserCommits, whenTheUserLooks } from "./escapes.ts";
import { has, type World } from "./world.ts";

const program = (path: string, text: string): void => writeFileSync(path, text, { mode: 0o755 });

const withoutRepository = async ({ project }: World): Promise<object> => {
  rmSync(join(project, ".git"), { recursive: true });
  return {};
};
const isRoot = process.getuid?.() === 0;

/** Ways by what git, or what manages its hooks, reads when the user does something next; and by names that change places. */
export const PLANTED_ESCAPES: readonly Escape[] = [
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

import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createSocket } from "node:dgram";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  answering,
  CONNECT,
  type Escape,
  hasChanged,
  outside,
  shows,
  whenTheUserLooks,
  withFiles,
} from "./escapes.ts";
import { has, type World } from "./world.ts";

/** Settings with which git runs a command whenever someone looks at a repository. */
const EVIL = `core.fsmonitor 'touch "$OUTSIDE/pwned" #'`;
const kept: Record<string, never> = {};

const place = (world: World, path: string, text: string): void => {
  mkdirSync(join(world.project, path, ".."), { recursive: true });
  writeFileSync(join(world.project, path), text);
};

/** This machine's own address on a network, where it has one. */
const ADDRESS = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.internal === false && each.family === "IPv4")?.address;

/** Ways by what the kernel, git or another program offers, each of them one that works where nothing contains it. */
export const FURTHER_ESCAPES: readonly Escape[] = [
  {
    kind: "a named pipe that a program reads",
    async prepare(world) {
      const pipe = join(world.outside, "pipe");
      execFileSync("mkfifo", [pipe]);
      const child = spawn("sh", [
        "-c",
        'exec 3<>"$0"; head -n1 <&3 > "$1"',
        pipe,
        join(world.outside, "pwned"),
      ]);
      await pause(100);
      return { undo: () => void child.kill("SIGKILL") };
    },
    command: "timeout 1 sh -c 'echo x > \"$OUTSIDE/pipe\"'; sleep 0.1",
    worked: ({ outside: folder }) =>
      existsSync(join(folder, "pwned")) && readFileSync(join(folder, "pwned"), "utf8") === "x\n",
  },
  {
    kind: "a secret behind a link",
    async prepare(world) {
      writeFileSync(join(world.outside, "shared"), "SECRET-BEHIND-A-LINK\n");
      symlinkSync(join(world.outside, "shared"), join(world.project, ".env.local"));
      return kept;
    },
    command: "cat .env.local",
    worked: shows("SECRET-BEHIND-A-LINK"),
  },
  {
    kind: "a link that was there before",
    async prepare(world) {
      symlinkSync(world.outside, join(world.project, "old"));
      return kept;
    },
    command: "echo x > old/pwned",
    worked: outside,
  },
  {
    kind: "another jj repository in place of the project's",
    prepare: withFiles({ ".jj/repo/config.toml": "# the user's\n" }),
    command: "mv .jj/repo old; mkdir -p .jj/repo; echo evil > .jj/repo/config.toml",
    worked: hasChanged(({ project }) => join(project, ".jj/repo/config.toml"), "# the user's\n"),
  },
  {
    kind: "settings of a package, whose folder is replaced",
    prepare: withFiles({ "packages/a/opencode.json": "{}\n" }),
    command: "mv packages old; mkdir -p packages/a; echo evil > packages/a/opencode.json",
    worked: hasChanged(({ project }) => join(project, "packages/a/opencode.json"), "{}\n"),
  },
  {
    kind: "the settings of a repository in the project",
    async prepare(world) {
      world.git("init", "-q", "sub");
      world.git("-C", "sub", "commit", "-q", "--allow-empty", "-m", "Sub");
      world.git("add", "sub");
      return kept;
    },
    command: `git -C sub config ${EVIL}; mv sub/.git old; cp -r old sub/.git; git -C sub config ${EVIL}`,
    worked: whenTheUserLooks,
  },
  {
    kind: "the pointer of another worktree",
    async prepare(world) {
      world.git("worktree", "add", "-q", join(world.root, "lane"));
      return kept;
    },
    command: `cp -r .git evil; git config -f evil/config ${EVIL}; mv .git/worktrees old; mkdir .git/worktrees
      cp -r old/lane .git/worktrees/lane; echo "$PROJECT/evil" > .git/worktrees/lane/commondir`,
    worked(world) {
      try {
        world.git("-C", join(world.root, "lane"), "status");
      } catch {
        // What was planted may fail as well.
      }
      return outside(world);
    },
  },
  {
    kind: "a file that the repository's settings include",
    async prepare(world) {
      place(world, ".gitshared", "[user]\n");
      world.git("config", "include.path", "../.gitshared");
      return kept;
    },
    command: `git config -f .gitshared ${EVIL}`,
    worked: whenTheUserLooks,
  },
  {
    kind: "a folder of hooks in the project",
    async prepare(world) {
      place(world, ".githooks/pre-push", "#!/bin/sh\n");
      world.git("config", "core.hooksPath", ".githooks");
      return kept;
    },
    command: `printf '#!/bin/sh\\ntouch "$OUTSIDE/pwned"\\n' > .githooks/pre-commit; chmod +x .githooks/pre-commit`,
    worked(world) {
      world.git("commit", "-q", "--allow-empty", "-m", "Two");
      return outside(world);
    },
  },
  {
    kind: "memory that programs share",
    async prepare() {
      const path = `/dev/shm/gaia-${process.pid}`;
      writeFileSync(path, "as it was\n");
      return { names: { SHARED: path }, undo: () => rmSync(path, { force: true }) };
    },
    command: 'echo evil > "$SHARED"',
    worked: ({ environment }) => readFileSync(environment["SHARED"] ?? "", "utf8") === "evil\n",
  },
  {
    kind: "another file's rights",
    command: 'chmod 600 "$OUTSIDE/file"',
    worked: ({ outside: folder }) => (statSync(join(folder, "file")).mode & 0o777) === 0o600,
  },
  {
    kind: "a daemon that forks twice",
    command: `sh -c '(setsid nohup sh -c "sleep 1; echo x > late" >/dev/null 2>&1 &) & exit'; echo started`,
    async worked({ project }) {
      await pause(1_500);
      return existsSync(join(project, "late"));
    },
  },
  {
    kind: "a datagram",
    async prepare(world) {
      const socket = createSocket("udp4");
      socket.on("message", () => writeFileSync(join(world.outside, "pwned"), "x"));
      await new Promise<void>((done) => socket.bind(0, "127.0.0.1", done));
      return { names: { PORT: String(socket.address().port) }, undo: () => void socket.close() };
    },
    command: "echo x > /dev/udp/127.0.0.1/$PORT",
    async worked(world) {
      await pause(100);
      return outside(world);
    },
  },
  ...(ADDRESS === undefined
    ? []
    : [
        {
          kind: "a server on the machine's own address",
          async prepare() {
            const server = await answering(0, ADDRESS);
            const address = server.address();
            const port = typeof address === "object" ? String(address?.port) : "";
            return { names: { PORT: port, ADDRESS }, undo: () => void server.close() };
          },
          command: CONNECT("Number(process.env.PORT), process.env.ADDRESS"),
          worked: shows("REACHED"),
        } satisfies Escape,
      ]),
  ...(has("ipcmk")
    ? [
        {
          kind: "memory of System V",
          async prepare() {
            const made = execFileSync("sh", ["-c", "ipcmk -M 64"], { encoding: "utf8" });
            const id = /\d+/u.exec(made)?.[0] ?? "";
            return { names: { SEGMENT: id }, undo: () => void execFileSync("sh", ["-c", `ipcrm -m ${id}`]) };
          },
          command: 'ipcs -m -i "$SEGMENT" | grep -q "Shared memory Segment" && echo REACHED',
          worked: shows("REACHED"),
        } satisfies Escape,
      ]
    : []),
  ...(has("perl") && process.arch === "x64"
    ? [
        {
          kind: "a program that is no file",
          command: `perl -e 'my $n = "x"; my $fd = syscall(319, $n, 0); open(my $to, ">&=", $fd); binmode $to;
            open(my $from, "<", "/bin/sh"); binmode $from; local $/; syswrite($to, <$from>);
            exec "/proc/self/fd/$fd", "-c", "echo x > \\"$ENV{OUTSIDE}/pwned\\""'`,
          worked: outside,
        } satisfies Escape,
      ]
    : []),
  ...(has("python3")
    ? [
        {
          kind: "a file that is mapped into memory",
          command: `python3 -c 'import mmap, os; f = os.open(os.environ["OUTSIDE"] + "/file", os.O_RDWR); mmap.mmap(f, 0)[0:1] = b"X"'`,
          worked: hasChanged(({ outside: folder }) => join(folder, "file"), "as it was\n"),
        } satisfies Escape,
      ]
    : []),
];

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readlinkSync, rmdirSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { type Escape, shows } from "./escapes.ts";
import { has, type World } from "./world.ts";

const file = ({ outside: folder }: World): string => join(folder, "file");
const isRoot = process.getuid?.() === 0;
const CGROUPS = "/sys/fs/cgroup";
/** Whether a command works here at all, where nothing contains it. */
const works = (command: string): boolean =>
  spawnSync("sh", ["-c", command], { stdio: "ignore" }).status === 0;

/** Ways by what belongs to the machine, to file systems and to the user's next command. */
export const LATER_ESCAPES: readonly Escape[] = [
  {
    kind: "the times of another's file",
    async prepare(world) {
      utimesSync(file(world), 1, 1);
      return {};
    },
    command: 'touch "$OUTSIDE/file"',
    worked: (world) => statSync(file(world)).mtimeMs > 1_000,
  },
  {
    kind: "another's file, cut short by its descriptor",
    command: 'exec 8<"$OUTSIDE/file"; : > /proc/self/fd/8; truncate -s 0 /dev/fd/8',
    worked: (world) => statSync(file(world)).size === 0,
  },
  {
    kind: "the name of the machine",
    command: 'test "$(cat /proc/sys/kernel/hostname)" = "$(hostname)" && readlink /proc/self/ns/uts',
    worked: (_world, { output }) => output.trim() === readlinkSync("/proc/self/ns/uts"),
  },
  ...(works("touch /var/tmp/.gaia-attr && setfattr -n user.a -v b /var/tmp/.gaia-attr")
    ? [
        {
          kind: "a note on another's file",
          command: 'setfattr -n user.gaia -v evil "$OUTSIDE/file"; getfattr -d "$OUTSIDE/file"',
          worked: shows("evil"),
        } satisfies Escape,
      ]
    : []),
  ...(isRoot && has("lsattr") && works("touch /var/tmp/.gaia-attr && chattr +d /var/tmp/.gaia-attr")
    ? [
        {
          kind: "another's file, marked in its file system",
          command: 'chattr +d "$OUTSIDE/file"; lsattr "$OUTSIDE/file"',
          worked: (_world: World, { output }: { output: string }) => /^\S*d/u.test(output),
        } satisfies Escape,
      ]
    : []),
  ...(isRoot
    ? [
        {
          kind: "a setting of the kernel",
          // The one that it has: what a core is handed to runs as root, outside.
          command:
            'f=/proc/sys/kernel/core_pattern; v=$(cat $f); { echo "$v" > $f; } 2>/dev/null && echo REACHED',
          worked: shows("REACHED"),
        },
        {
          kind: "a device of its own making",
          command: "mknod disk b 1 0 && echo REACHED",
          worked: shows("REACHED"),
        },
        {
          kind: "a log of the kernel's",
          command: "[ -c /dev/kmsg ] && echo gaia > /dev/kmsg && echo REACHED",
          worked: shows("REACHED"),
        },
      ]
    : []),
  ...(isRoot && existsSync(join(CGROUPS, "cgroup.procs"))
    ? [
        {
          kind: "a control group",
          async prepare() {
            const path = join(CGROUPS, `gaia-${process.pid}`);
            return {
              names: { GROUP: path },
              undo: () => {
                if (existsSync(path)) rmdirSync(path);
              },
            };
          },
          command: 'mkdir "$GROUP" && echo REACHED',
          worked: shows("REACHED"),
        } satisfies Escape,
      ]
    : []),
  ...(process.arch === "x64" && has("perl")
    ? [
        {
          kind: "a queue of messages",
          async prepare() {
            const made = `my $n = "gaia"; syscall(240, $n, 0102, 0600, 0) >= 0 or die`;
            execFileSync("perl", ["-e", made]);
            return { undo: () => void spawnSync("perl", ["-e", `my $n = "gaia"; syscall(241, $n)`]) };
          },
          command: `perl -e 'my $n = "gaia"; syscall(240, $n, 2, 0, 0) >= 0 and print qq(REACHED)'`,
          worked: shows("REACHED"),
        } satisfies Escape,
      ]
    : []),
];

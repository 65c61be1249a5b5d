import { execFileSync, spawnSync } from "node:child_process";
import { type Escape, shows } from "./escapes.ts";
import { has } from "./world.ts";

/** Has perl make system calls, and say where the last one worked; perl alone passes whole arguments on as they are. */
const perl = (code: string): string => `perl -e '${code}' 2>&1`;
const REACHED = "or exit; print uc(qq(reached\\n))";
const reaching = (kind: string, call: string): Escape => ({
  kind,
  command: perl(`syscall(${call}) >= 0 ${REACHED}`),
  worked: shows("REACHED"),
});

/** Whether a socket of a family can be made by who may do everything. */
const hasFamily = (family: number): boolean =>
  spawnSync("perl", ["-e", `exit(syscall(41, ${family}, 1, 0) < 0)`]).status === 0;

/**
 * Ways by a system call alone, which no namespace and no mount closes: each works in a containment without the filter
 * as well. Numbers are those of x86-64.
 */
export const SYSTEM_CALL_ESCAPES: readonly Escape[] =
  process.arch === "x64" && has("perl")
    ? [
        {
          kind: "a key in the kernel's keyring",
          async prepare() {
            // In the keyring of the user, to be read by all processes.
            const code = `my ($t, $n, $v) = ("user", "gaia-$$", "KEY-IN-THE-KERNEL");
              my $id = syscall(248, $t, $n, $v, length($v), -4); syscall(250, 5, $id, 0x3f3f3f3f); print $id`;
            const id = execFileSync("perl", ["-e", code], { encoding: "utf8" });
            return {
              names: { SERIAL: id },
              undo: () => void spawnSync("perl", ["-e", `syscall(250, 9, ${id}, -4)`]),
            };
          },
          command: perl(`my $v = "." x 17; syscall(250, 11, 0 + $ENV{SERIAL}, $v, 17); print $v`),
          worked: shows("KEY-IN-THE-KERNEL"),
        },
        {
          kind: "a keyring that is shared from call to call",
          command: perl(
            `my ($t, $n, $v) = ("user", "gaia-test", "x"); my $id = syscall(248, $t, $n, $v, 1, -4); syscall(250, 9, $id, -4) >= 0 ${REACHED}`,
          ),
          worked: shows("REACHED"),
        },
        ...(hasFamily(40) ? [reaching("a socket to what the machine runs in", "41, 40, 1, 0")] : []),
        ...(hasFamily(38) ? [reaching("a socket to the kernel's ciphers", "41, 38, 5, 0")] : []),
        reaching("a user namespace of its own, by unshare", "272, 0x10000000"),
        {
          kind: "a user namespace of its own, by clone",
          command: perl(
            `my $id = syscall(56, 0x10000011, 0, 0, 0, 0); syscall(231, 0) if $id == 0; $id > 0 ${REACHED}`,
          ),
          worked: shows("REACHED"),
        },
        {
          kind: "a line typed into a terminal",
          // The upper half of the second argument is none of the call's.
          command: perl(
            `$SIG{HUP} = "IGNORE"; syscall(112); sysopen(M, "/dev/ptmx", 2); my $z = pack("i", 0); ioctl(M, 0x40045431, $z); my $n = pack("i", 0);
             ioctl(M, 0x80045430, $n); sysopen(S, "/dev/pts/" . unpack("i", $n), 2); my $c = "x";
             syscall(16, fileno(S), (1 << 32) + 0x5412, $c) >= 0 ${REACHED}`,
          ),
          worked: shows("REACHED"),
        },
        reaching("faults of pages that it answers itself", "323, 1"),
        {
          kind: "work that no filter sees",
          command: perl(`my $p = "\\0" x 120; syscall(425, 1, $p) >= 0 ${REACHED}`),
          worked: shows("REACHED"),
        },
      ]
    : [];

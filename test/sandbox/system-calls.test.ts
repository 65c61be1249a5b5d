import { describe, expect, it } from "vitest";
import { systemCallFilter } from "../../src/sandbox/system-calls.ts";

const X64 = 0xc000003e;
const ARM64 = 0xc00000b7;

/** What the kernel would do for a call: runs a classic BPF program over its `seccomp_data`. */
function verdict(name: string, call: { audit: number; number: number; args?: readonly bigint[] }): string {
  const filter = systemCallFilter(name);
  if (filter === null) throw new Error("no filter");
  const program = new DataView(filter.buffer);
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, call.number, true);
  data.setUint32(4, call.audit, true);
  for (const [index, arg] of (call.args ?? []).entries()) data.setBigUint64(16 + 8 * index, arg, true);
  let value = 0;
  for (let at = 0; at < filter.length / 8; at++) {
    const code = program.getUint16(8 * at, true);
    const operand = program.getUint32(8 * at + 4, true);
    const jump = (isTrue: boolean): void => {
      at += program.getUint8(8 * at + (isTrue ? 2 : 3));
    };
    if (code === 0x20) value = data.getUint32(operand, true);
    else if (code === 0x15) jump(value === operand);
    else if (code === 0x35) jump(value >= operand);
    else if (code === 0x45) jump((value & operand) !== 0);
    else if (code === 0x06) return operand.toString(16);
    else throw new Error(`no such instruction: ${code}`);
  }
  throw new Error("the program has no end");
}

const ALLOW = "7fff0000";
const EPERM = "50001";
const ENOSYS = "50026";
const EAFNOSUPPORT = "50061";

/** A call: its numbers on both machines, what becomes of it, its arguments. */
type Call = [name: string, x64: number, arm64: number, verdict: string, ...args: bigint[]];

/** Numbers of calls on both machines, as the kernel's tables have them. */
const CALLS: readonly Call[] = [
  ["read", 0, 63, ALLOW],
  ["execve", 59, 221, ALLOW],
  ["ptrace", 101, 117, ALLOW],
  ["add_key", 248, 217, EPERM],
  ["request_key", 249, 218, EPERM],
  ["keyctl", 250, 219, EPERM],
  ["setns", 308, 268, EPERM],
  ["bpf", 321, 280, EPERM],
  ["perf_event_open", 298, 241, EPERM],
  ["userfaultfd", 323, 282, EPERM],
  ["kexec_load", 246, 104, EPERM],
  ["kexec_file_load", 320, 294, EPERM],
  ["mount", 165, 40, EPERM],
  ["umount2", 166, 39, EPERM],
  ["pivot_root", 155, 41, EPERM],
  ["open_tree", 428, 428, EPERM],
  ["fspick", 433, 433, EPERM],
  ["mount_setattr", 442, 442, EPERM],
  ["open_tree_attr", 467, 467, EPERM],
  ["io_uring_setup", 425, 425, ENOSYS],
  ["io_uring_register", 427, 427, ENOSYS],
  ["clone3", 435, 435, ENOSYS],
  ["clone of a thread", 56, 220, ALLOW, 0x3d0f00n],
  ["clone with a user namespace", 56, 220, EPERM, 0x10000011n],
  ["unshare of files", 272, 97, ALLOW, 0x400n],
  ["unshare with a user namespace", 272, 97, EPERM, 0x10020000n],
  ["ioctl FIONBIO", 16, 29, ALLOW, 0n, 0x5421n],
  ["ioctl TIOCSTI", 16, 29, EPERM, 0n, 0x5412n],
  ["ioctl TIOCSTI, with upper bits", 16, 29, EPERM, 0n, 0x1_00005412n],
  ["ioctl TIOCLINUX", 16, 29, EPERM, 0n, 0x541cn],
  ["socket AF_UNIX", 41, 198, ALLOW, 1n],
  ["socket AF_INET", 41, 198, ALLOW, 2n],
  ["socket AF_INET6", 41, 198, ALLOW, 10n],
  ["socket AF_NETLINK", 41, 198, ALLOW, 16n],
  ["socket AF_PACKET", 41, 198, EAFNOSUPPORT, 17n],
  ["socket AF_ALG", 41, 198, EAFNOSUPPORT, 38n],
  ["socket AF_VSOCK", 41, 198, EAFNOSUPPORT, 40n],
  ["socket AF_VSOCK, with upper bits", 41, 198, EAFNOSUPPORT, 0x1_00000028n],
];

describe("the filter of system calls", () => {
  it.each<Call>([...CALLS])("answers %s on both machines", (_name, x64, arm64, expected, ...args) => {
    expect(verdict("x64", { audit: X64, number: x64, args })).toBe(expected);
    expect(verdict("arm64", { audit: ARM64, number: arm64, args })).toBe(expected);
  });

  it("ends what calls in another way: 32-bit programs, other machines; x32 is unknown to it", () => {
    for (const audit of [0x40000003, ARM64]) expect(verdict("x64", { audit, number: 0 })).toBe("80000000");
    expect(verdict("arm64", { audit: 0x40000028, number: 0 })).toBe("80000000");
    expect(verdict("x64", { audit: X64, number: 0x40000000 + 41 })).toBe(ENOSYS);
  });

  it("is known for two architectures", () => {
    expect(systemCallFilter("riscv64")).toBeNull();
    expect(systemCallFilter("ia32")).toBeNull();
  });
});

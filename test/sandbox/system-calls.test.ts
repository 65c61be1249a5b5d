import { describe, expect, it } from "vitest";
import { systemCallFilter } from "../../src/sandbox/system-calls.ts";
import { readCases } from "../support/cases.ts";

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

/** What the kernel is answered by. */
const VERDICTS = { ALLOW: "7fff0000", EPERM: "50001", ENOSYS: "50026", EAFNOSUPPORT: "50061" };

/** A call: its numbers on both machines, as the kernel's tables have them, what becomes of it, its arguments. */
type Call = [name: string, x64: number, arm64: number, verdict: keyof typeof VERDICTS, ...args: string[]];

describe("the filter of system calls", () => {
  const calls = readCases<Call>("sandbox/system-calls");
  it.each(calls)("answers %s on both machines", (_name, x64, arm64, expected, ...words) => {
    const args = words.map(BigInt);
    expect(verdict("x64", { audit: X64, number: x64, args })).toBe(VERDICTS[expected]);
    expect(verdict("arm64", { audit: ARM64, number: arm64, args })).toBe(VERDICTS[expected]);
  });

  it("ends what calls in another way: 32-bit programs, other machines; x32 is unknown to it", () => {
    for (const audit of [0x40000003, ARM64]) expect(verdict("x64", { audit, number: 0 })).toBe("80000000");
    expect(verdict("arm64", { audit: 0x40000028, number: 0 })).toBe("80000000");
    expect(verdict("x64", { audit: X64, number: 0x40000000 + 41 })).toBe(VERDICTS.ENOSYS);
  });

  it("is known for two architectures", () => {
    expect(systemCallFilter("riscv64")).toBeNull();
    expect(systemCallFilter("ia32")).toBeNull();
  });
});

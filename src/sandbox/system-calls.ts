/** The descriptor by which the wrapper is given the filter. */
export const FILTER_FD = "9";

/** An instruction of the kernel's classic BPF: code, jumps over so many where it holds and where not, operand. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number];

/** What names the machine in `seccomp_data`, and the numbers of its calls. */
interface Machine {
  readonly audit: number;
  /** From here on the calls of another kind of programs that the same machine runs (x32). */
  readonly foreign?: number;
  readonly socket: number;
  readonly ioctl: number;
  readonly clone: number;
  readonly unshare: number;
  /** Keyrings, which no namespace parts; namespaces of others; what looks into the kernel; mounts. */
  readonly refused: readonly number[];
}

/** Mounts by descriptors, which have one number everywhere. */
const MOUNTS = [428, 429, 430, 431, 432, 433, 442, 467];
/** io_uring, whose work no filter sees, and `clone3`, whose flags none can read: programs fall back to the older calls. */
const UNKNOWN = [425, 426, 427, 435];

const MACHINES: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc0_00_00_3e,
    foreign: 0x40_00_00_00,
    socket: 41,
    ioctl: 16,
    clone: 56,
    unshare: 272,
    // add_key request_key keyctl; setns; perf_event_open bpf userfaultfd; kexec_load kexec_file_load; pivot_root mount umount2
    refused: [248, 249, 250, 308, 298, 321, 323, 246, 320, 155, 165, 166],
  },
  arm64: {
    audit: 0xc0_00_00_b7,
    socket: 198,
    ioctl: 29,
    clone: 220,
    unshare: 97,
    refused: [217, 218, 219, 268, 241, 280, 282, 104, 294, 41, 40, 39],
  },
};

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;

const ALLOW: Instruction = [RETURN, 0, 0, 0x7f_ff_00_00];
const KILL: Instruction = [RETURN, 0, 0, 0x80_00_00_00];
const EPERM = failing(1);
const ENOSYS = failing(38);
const EAFNOSUPPORT = failing(97);

/** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK: the others reach devices, the machine around this one, or seldom used parts of the kernel. */
const FAMILIES = [1, 2, 10, 16];
const CLONE_NEWUSER = 0x10_00_00_00;
/** Typing into a terminal: TIOCSTI and TIOCLINUX. The kernel looks at the lower half of the argument alone. */
const TYPING = [0x54_12, 0x54_1c];

/**
 * The seccomp filter of contained commands, for what no namespace and no mount keeps from them: keyrings, sockets that
 * leave the machine otherwise, new user namespaces and with them the kernel's seldom used parts. Null where none is
 * known for an architecture, named as Node does.
 */
export function systemCallFilter(architecture: string): Uint8Array | null {
  const machine = MACHINES[architecture];
  if (machine === undefined) return null;
  const newUser = [loadArgument(0), [IF_ANY_BIT, 0, 1, CLONE_NEWUSER], EPERM, ALLOW] as const;
  return encode([
    [LOAD, 0, 0, 4],
    [IF_EQUAL, 1, 0, machine.audit],
    KILL,
    [LOAD, 0, 0, 0],
    ...(machine.foreign === undefined ? [] : [[IF_AT_LEAST, 0, 1, machine.foreign] as const, ENOSYS]),
    ...UNKNOWN.flatMap((number) => whenCalled(number, [ENOSYS])),
    ...[...machine.refused, ...MOUNTS].flatMap((number) => whenCalled(number, [EPERM])),
    ...[machine.clone, machine.unshare].flatMap((number) => whenCalled(number, newUser)),
    ...whenCalled(machine.ioctl, [loadArgument(1), ...whenAny(TYPING, EPERM, ALLOW)]),
    ...whenCalled(machine.socket, [loadArgument(0), ...whenAny(FAMILIES, ALLOW, EAFNOSUPPORT)]),
    ALLOW,
  ]);
}

function failing(errno: number): Instruction {
  return [RETURN, 0, 0, 0x00_05_00_00 + errno];
}

/** The lower half of an argument: both machines are little-endian. */
function loadArgument(index: number): Instruction {
  return [LOAD, 0, 0, 16 + 8 * index];
}

function whenCalled(number: number, then: readonly Instruction[]): Instruction[] {
  return [[IF_EQUAL, 0, then.length, number], ...then];
}

function whenAny(values: readonly number[], then: Instruction, otherwise: Instruction): Instruction[] {
  const tests = values.map((value, index): Instruction => [IF_EQUAL, values.length - index, 0, value]);
  return [...tests, otherwise, then];
}

function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(8 * program.length));
  for (const [index, [code, ifTrue, ifFalse, operand]] of program.entries()) {
    bytes.setUint16(8 * index, code, true);
    bytes.setUint8(8 * index + 2, ifTrue);
    bytes.setUint8(8 * index + 3, ifFalse);
    bytes.setUint32(8 * index + 4, operand, true);
  }
  return new Uint8Array(bytes.buffer);
}

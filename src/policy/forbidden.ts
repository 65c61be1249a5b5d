import { homedir } from "node:os";
import { posix } from "node:path";
import type { LineWord, ParsedLine } from "./simple-commands.ts";
import { startedBy } from "./started-commands.ts";

/** Programs that give more rights than the user has, or reach into the machine whole. */
const FORBIDDEN: Readonly<Record<string, string>> = {
  ...reasons(
    "gives a command more rights than you have",
    "sudo sudoedit su doas pkexec run0 runuser gosu runas setpriv",
  ),
  ...reasons("turns the machine off or restarts it", "shutdown reboot halt poweroff telinit kexec"),
  ...reasons(
    "changes disks",
    "mkfs mke2fs mkswap mkdosfs fdisk sfdisk cfdisk gdisk sgdisk parted wipefs blkdiscard diskpart pvcreate pvremove vgremove",
  ),
};
/** Verbs of `systemctl` that end the machine's work. */
const SYSTEMD_ENDS = new Set("poweroff reboot halt kexec suspend hibernate emergency rescue".split(" "));
/** Folders at the top without which the machine or its users' work is lost. */
const TOP = new Set(
  "bin boot dev etc home lib lib32 lib64 media mnt opt proc root run sbin srv sys usr var Applications Library System Users Volumes private nix".split(
    " ",
  ),
);
/** Programs that write, or show, a device that they are named. */
const WRITERS = new Set("dd cp tee shred truncate cat".split(" "));
/** Devices that keep nothing. */
const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/|shm\/|ptmx|pts\/)/u;

/** What no mode allows about a line (SPEC 9): why, or null. A short list, for where no sandbox holds. */
export function findForbidden(line: ParsedLine, folder: string): string | null {
  if (line.isUnread) return "is too long or too deeply nested to be read: put it in a script";
  const device = line.outputs.find((file) => isRawDevice(file.text))?.text;
  if (device !== undefined) return `would write to the device ${device}`;
  for (const words of startedBy(line)) {
    const reason = ofCommand(words, folder);
    if (reason !== null) return reason;
  }
  return null;
}

function ofCommand([first, ...rest]: readonly LineWord[], folder: string): string | null {
  if (first === undefined || first.kind === "unknown") return null;
  const name = posix.basename(first.text).toLowerCase();
  const plain = name.replace(/\.exe$|^(mkfs)\..*/u, "$1");
  if (Object.hasOwn(FORBIDDEN, plain)) return `${plain} ${FORBIDDEN[plain] ?? ""}`;
  const known = rest.filter(({ kind }) => kind !== "unknown").map(({ text }) => text);
  if ((name === "systemctl" || name === "loginctl") && known.some((arg) => SYSTEMD_ENDS.has(arg)))
    return "takes the machine out of service";
  if (name === "init" && known.some((arg) => arg === "0" || arg === "6"))
    return "turns the machine off or restarts it";
  const deletes =
    (name === "rm" && isRecursive(known)) ||
    (name === "find" && (known.includes("-delete") || known.includes("rm")));
  if (deletes && known.some((arg) => isRoot(arg, folder))) return "deletes a root, home or system folder";
  if (name === "git" && isForcePush(known)) return "overwrites what others see on the remote";
  const device = WRITERS.has(name)
    ? known.map((arg) => arg.replace(/^of=/u, "")).find(isRawDevice)
    : undefined;
  return device === undefined ? null : `${name} would use the device ${device}`;
}

function isRecursive(args: readonly string[]): boolean {
  return args.some((arg) => arg.startsWith("--rec") || /^-[a-z]*r/iu.test(arg));
}

/** Whether a path is a root, the user's home, a folder of the system, or all that one holds. */
function isRoot(path: string, folder: string): boolean {
  if (path.startsWith("-") || path === "") return false;
  const home = homedir();
  const written = path.replace(/^~(?=\/|$)/u, home);
  const full = posix.resolve(folder, written).replace(/(?:\/[*.]+)+$/u, "") || "/";
  const [top = "", ...below] = full.slice(1).split("/");
  if (full === "/" || full === home || home.startsWith(`${full}/`)) return true;
  return below.length === 0
    ? TOP.has(top)
    : below.length === 1 && (top === "usr" || top === "etc" || top === "home");
}

function isForcePush(args: readonly string[]): boolean {
  const at = args.indexOf("push");
  return at !== -1 && args.slice(at + 1).some((arg) => /^(?:--forc|--mir|-[a-z]*f|\+)/u.test(arg));
}

function isRawDevice(written: string): boolean {
  const path = posix.normalize(written).replace(/^\/\//u, "/");
  return (path.startsWith("/dev/") && !HARMLESS_DEVICE.test(path)) || path === "/proc/sysrq-trigger";
}

function reasons(why: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(" ").map((name) => [name, why]));
}

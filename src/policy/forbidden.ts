import { homedir } from "node:os";
import { posix } from "node:path";
import { parseLine, type SimpleCommand } from "./simple-commands.ts";

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
/** Programs whose operands are a command. */
const CARRIERS = new Set(
  "builtin busybox chroot command doas env exec flock ionice nice nohup parallel setsid stdbuf strace taskset time timeout unshare watch xargs".split(
    " ",
  ),
);
const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ash", "ksh", "eval"]);
/** How deep shells may be given as the text of shells. */
const MAX_SHELLS = 3;
/** Verbs of `systemctl` that end the machine's work. */
const SYSTEMD_ENDS = new Set([
  "poweroff",
  "reboot",
  "halt",
  "kexec",
  "suspend",
  "hibernate",
  "emergency",
  "rescue",
]);
/** Folders at the top without which the machine or its users' work is lost. */
const TOP = new Set(
  "bin boot dev etc home lib lib32 lib64 media mnt opt proc root run sbin srv sys usr var Applications Library System Users Volumes private nix".split(
    " ",
  ),
);
/** Devices that keep nothing. */
const HARMLESS_DEVICE = /^\/dev\/(?:null|zero|full|u?random|tty|std(?:in|out|err)|fd\/|shm\/|ptmx|pts\/)/u;

/** What no mode allows about one command (SPEC 9): why, or null. A short list, for where no sandbox holds. */
export function findForbidden(line: string, folder: string, depth = 0): string | null {
  const { commands, outputs } = parseLine(line);
  const device = outputs.find(({ text }) => isRawDevice(text))?.text;
  if (device !== undefined) return `would write to the device ${device}`;
  if (line.replaceAll(/\s/gu, "").includes(":(){:|:&")) return "multiplies itself without end";
  for (const command of commands) {
    const reason = ofCommand(command.words, folder, depth);
    if (reason !== null) return reason;
  }
  return null;
}

function ofCommand([first, ...rest]: SimpleCommand["words"], folder: string, depth: number): string | null {
  if (first === undefined || first.kind === "unknown") return null;
  const name = posix.basename(first.text).toLowerCase();
  const plain = name.split(".", 1)[0] ?? name;
  if (Object.hasOwn(FORBIDDEN, plain)) return `${plain} ${FORBIDDEN[plain] ?? ""}`;
  const known = rest.filter(({ kind }) => kind !== "unknown").map(({ text }) => text);
  if (SHELLS.has(name) && depth < MAX_SHELLS) return insideShell(name, known, folder, depth);
  if (CARRIERS.has(name) || name === "find") {
    const carried = carriedBy(name, rest, folder, depth);
    if (carried !== null) return carried;
  }
  switch (name) {
    case "systemctl":
    case "loginctl":
      return known.some((arg) => SYSTEMD_ENDS.has(arg)) ? "takes the machine out of service" : null;
    case "init":
      return known.some((arg) => arg === "0" || arg === "6") ? "turns the machine off or restarts it" : null;
    case "kill":
      return known.slice(1).includes("-1") || known.slice(1).includes("1")
        ? "ends what holds up all others"
        : null;
    case "rm":
    case "chmod":
    case "chown":
    case "chgrp":
      return isRecursive(known) && known.some((arg) => isRoot(arg, folder)) ? reachesRoot(name) : null;
    case "mv":
      return known.slice(0, -1).some((arg) => isRoot(arg, folder)) ? reachesRoot(name) : null;
    case "find":
      return known.includes("-delete") && known.some((arg) => isRoot(arg, folder)) ? reachesRoot(name) : null;
    case "git":
      return isForcePush(known) ? "overwrites what others see on the remote" : null;
    default:
      return usesDevice(name, known);
  }
}

function insideShell(name: string, args: readonly string[], folder: string, depth: number): string | null {
  const at = args.findIndex((arg) => arg.startsWith("-") && arg.includes("c"));
  const text = name === "eval" ? args.join(" ") : at === -1 ? undefined : args[at + 1];
  return text === undefined ? null : findForbidden(text, folder, depth + 1);
}

/** What a carrier starts is one of the words behind it, whatever its own options are. */
function carriedBy(name: string, args: SimpleCommand["words"], folder: string, depth: number): string | null {
  for (const index of args.keys()) {
    if (name === "find" && !/^-(?:exec|ok)(?:dir)?$/u.test(args[index - 1]?.text ?? "")) continue;
    const reason = ofCommand(args.slice(index), folder, depth);
    if (reason !== null) return reason;
  }
  return null;
}

function reachesRoot(name: string): string {
  return `${name} reaches a root, home or system folder with all it holds`;
}

function isRecursive(args: readonly string[]): boolean {
  return args.some((arg) => arg === "--recursive" || /^-[a-z]*r/iu.test(arg));
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
  return at !== -1 && args.slice(at + 1).some((arg) => /^(?:--force|--mirror|-[a-z]*f|\+)/u.test(arg));
}

function usesDevice(name: string, args: readonly string[]): string | null {
  if (!/^(?:dd|cp|tee|shred|mkfs|truncate|cat)$/u.test(name)) return null;
  const device = args.map((arg) => arg.replace(/^of=/u, "")).find(isRawDevice);
  return device === undefined ? null : `${name} would use the device ${device}`;
}

function isRawDevice(path: string): boolean {
  return path.startsWith("/dev/") && !HARMLESS_DEVICE.test(path) && path !== "/dev/null";
}

function reasons(why: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(" ").map((name) => [name, why]));
}

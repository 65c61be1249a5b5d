import { type ContainmentProfile, type Layer, layersOf, type Places } from "./profile.ts";

/** Programs of macOS that have something done by a process outside of the containment. */
const MESSENGERS = [
  "/usr/bin/open",
  "/usr/bin/osascript",
  "/bin/launchctl",
  "/usr/bin/at",
  "/usr/bin/crontab",
  "/usr/bin/security",
];
/** Devices that programs write to. */
const DEVICES = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper"];

const LOOPBACK = '(local ip "localhost:*") (remote ip "localhost:*")';

/**
 * The profile with which macOS' `sandbox-exec` contains a command: the last rule that fits counts, so the outer places
 * stand first. Paths are compared as texts, so that what does not exist yet is protected as well.
 */
export function seatbeltProfile(profile: ContainmentProfile, places: Places): string {
  return [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    `(allow file-write* ${subpath(places.temp)} ${DEVICES.map(literal).join(" ")} (subpath "/dev/fd"))`,
    ...layersOf(profile, places).map(ruleOf),
    ...(places.mounts ?? []).flatMap(({ from, isWritable }) =>
      isWritable ? [`(allow file-write* ${subpath(from)})`] : [],
    ),
    ...deny("file-write*", places.guarded.map(subpath)),
    // A folder that holds something protected is not moved away with it.
    ...deny("file-write-unlink", [places.project, ...places.pinned].map(literal)),
    // macOS has no loopback of a command's own: this is the machine's.
    ...(profile.network ? [] : ["(deny network*)", `(allow network* ${LOOPBACK} ${subpath(places.temp)})`]),
    "(deny appleevent-send)",
    "(deny job-creation)",
    ...deny("process-exec*", MESSENGERS.map(literal)),
    "(deny signal (target others))",
    "(allow signal (target same-sandbox))",
    "",
  ].join("\n");
}

function ruleOf({ path, kind }: Layer): string {
  if (kind === "writable") return `(allow file-read* file-write* ${subpath(path)})`;
  if (kind === "read-only") return `(allow file-read* ${subpath(path)}) (deny file-write* ${subpath(path)})`;
  return `(deny file-read* file-write* network-outbound ${subpath(path)})`;
}

function deny(operations: string, filters: readonly string[]): string[] {
  return filters.length === 0 ? [] : [`(deny ${operations} ${filters.join(" ")})`];
}

function subpath(path: string): string {
  return `(subpath ${quote(path)})`;
}

function literal(path: string): string {
  return `(literal ${quote(path)})`;
}

function quote(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
}

import {
  type ContainmentProfile,
  type EnvironmentChange,
  type Layer,
  layersOf,
  type Places,
  type WrapperWord,
} from "./profile.ts";
import { FILTER_FD } from "./system-calls.ts";

/** Parts of `/run` that programs need: everything else there is sockets of the system and of the user. */
const SHOWN_OF_RUN = [
  "/run/current-system",
  "/run/opengl-driver",
  "/run/systemd/resolve",
  "/run/resolvconf",
  "/run/NetworkManager/resolv.conf",
];

/**
 * Parts of `/proc` that root may write, without any capability, and that are the machine's: a program named in
 * `kernel.core_pattern` is run outside. Nobody else has to pay for the mounts.
 */
const SETTINGS = process.getuid?.() === 0 ? ["/proc/sys", "/proc/scsi"] : [];

/** The disk, and what every system has of its own. */
const BASE = "--ro-bind / / --dev /dev --proc /proc --tmpfs /run".split(" ");

/**
 * The arguments with which bubblewrap contains a command; its program and arguments follow. Mounts lie on top of those
 * before them: first the disk and what a system has of its own, then the places, the deeper ones later.
 * @param isFiltered whether it is given a filter of system calls
 */
export function bubblewrapArguments(
  profile: ContainmentProfile,
  places: Places,
  { set, unset }: EnvironmentChange,
  isFiltered: boolean,
): WrapperWord[] {
  const layers = layersOf(profile, places);
  return [
    "--unshare-all",
    ...(profile.network ? ["--share-net"] : []),
    // A terminal of the user's cannot be typed into, and what the command leaves behind ends with it.
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    ...(isFiltered ? ["--seccomp", FILTER_FD] : []),
    ...BASE,
    "--bind",
    places.temp,
    "/tmp",
    "--bind",
    places.temp,
    "/var/tmp",
    ...[...SETTINGS, ...SHOWN_OF_RUN].flatMap((path) => ["--ro-bind-try", path, path]),
    ...layers.flatMap((layer) => mountOf(layer, places.empty)),
    ...(places.mounts ?? []).flatMap(({ from, to, isWritable }) => [
      isWritable ? "--bind" : "--ro-bind",
      from,
      to,
    ]),
    // Only now: the layers inside had to be put there.
    ...layers.flatMap(({ path, kind }) => (kind === "hidden-folder" ? ["--remount-ro", path] : [])),
    ...unset.flatMap((name) => ["--unsetenv", name]),
    ...Object.entries(set).flatMap(([name, value]) => ["--setenv", name, value]),
    "--chdir",
    places.folder,
    "--",
  ];
}

function mountOf({ path, kind }: Layer, empty: string): WrapperWord[] {
  if (kind === "hidden-folder") return ["--tmpfs", path];
  // Sockets come and go: one that went meanwhile could not be made again on a read-only disk, and nothing would run.
  if (kind === "hidden-file") return [{ whileThere: path, words: ["--ro-bind", empty, path] }];
  return [kind === "writable" ? "--bind" : "--ro-bind", path, path];
}

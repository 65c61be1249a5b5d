import { resolve } from "node:path";
import { type ContainmentProfile, isWithin, type Places } from "./profile.ts";

const WALLS = ["network", "namespace", "disk", "rights"] as const;
type Wall = (typeof WALLS)[number];

/**
 * What errors of the system are called, in lower case: by name, by the C library, by libuv, and in the words of git, curl, perf
 * and Chromium. (Bun has no `util.getSystemErrorMap`.)
 */
const CAUSES: Readonly<Record<Wall, readonly string[]>> = {
  network:
    phrases(`eai_again, temporary failure, name or service not known, could not resolve host, enetunreach,
    network is unreachable, ehostunreach, no route to host, host is unreachable, econnrefused, connection refused`),
  namespace: ["no usable sandbox"],
  disk: phrases(
    "erofs, read-only file system, unable to create, ebusy, resource busy, exdev, cross-device link",
  ),
  rights: ["eperm", "operation not permitted", "no permission"],
};
/** Only the end of an output says why it ended. */
const LOOKED_AT = 8_000;
/** What stands around a path in a message. */
const AROUND = /[\s'"`‘’“”:;,()[\]<>=]+/u;

const COMMIT = ".git is read-only; plan_gaia commit records the work";

/** Whether bubblewrap did not start a command since something went away while it was hidden. */
export function hasLostPlace(output: string): boolean {
  return output
    .split("\n")
    .some((line) => line.startsWith("bwrap: Can't ") || line.startsWith("bwrap: Unable to "));
}

/**
 * One line that names the wall which a contained command met, and how to ask for more; null where its output shows none.
 * @param mayAsk whether a person would be asked
 */
export function explainFailure(
  output: string,
  { profile, places }: { readonly profile: ContainmentProfile; readonly places: Places },
  mayAsk: boolean,
): string | null {
  const end = output.slice(-LOOKED_AT);
  if (hasLostPlace(end)) {
    return "[GAIA: this command did not run: a file or socket went away while its sandbox was set up. Run it again.]";
  }
  const found = lastCause(end, profile);
  if (found === null) return null;
  const ask = found.wall === "network" ? "GAIA_SANDBOX=network" : "GAIA_SANDBOX=off";
  const how = mayAsk
    ? ` If that is why it failed and the task needs it, run it again with \`${ask} \` in front: the user is asked.`
    : "";
  return `[GAIA: this command ran in a sandbox: ${wordsOf(found.wall, found.lines, profile, places)}.${how}]`;
}

/** The last line that shows an error of a wall, and the two behind it, where some programs name the path. */
function lastCause(
  output: string,
  { network }: ContainmentProfile,
): { readonly wall: Wall; readonly lines: readonly string[] } | null {
  const lines = output.split("\n");
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at]?.toLowerCase() ?? "";
    const wall = WALLS.find((each) => CAUSES[each].some((text) => line.includes(text)));
    if (wall !== undefined && !(wall === "network" && network))
      return { wall, lines: lines.slice(at, at + 3) };
  }
  return null;
}

function wordsOf(wall: Wall, lines: readonly string[], profile: ContainmentProfile, places: Places): string {
  if (wall === "network") return "it has no network, and cannot reach servers of this machine";
  if (wall === "namespace") return "it cannot make a sandbox of its own; start a browser with --no-sandbox";
  // Behind the error a bare word is rarely a path: git names refs there.
  const words = lines.flatMap((line, at) =>
    line.split(AROUND).filter((word) => word !== "" && (at === 0 || word.includes("/"))),
  );
  const paths = words.map((word) => resolve(places.folder, word));
  const has = (isNamed: (name: string) => boolean): boolean =>
    paths.some((path) => path.split("/").some(isNamed));
  const within = (folders: readonly string[]): string | undefined =>
    folders.find((folder) => paths.some((path) => isWithin(path, folder)));
  if (has((name) => name.endsWith(".git"))) return COMMIT;
  if (has((name) => name === ".jj")) return ".jj is read-only; plan_gaia commit records the work";
  if (has((name) => name === ".gaia")) return ".gaia is read-only; plan_gaia writes the record";
  if (profile.project === "read") return "the project and the rest of the disk are read-only";
  const guard = within([...places.guarded, ...places.readOnly]);
  if (guard !== undefined) return `${guard} is read-only; only the user changes it`;
  const secret = within(places.hiddenFiles);
  if (secret !== undefined) return `${secret} is hidden and read-only, since it may hold secrets`;
  const pinned = places.pinned.find((folder) => paths.includes(folder));
  if (pinned !== undefined) return `${pinned} cannot be moved, since something in it is read-only`;
  const last = words.findLast((word) => word.includes("/"));
  const place = last === undefined ? places.project : resolve(places.folder, last);
  const writable = "only the project, a private /tmp and caches of its own are writable";
  if (!isWithin(place, places.project)) return `${writable}, and ${place} is outside`;
  return wall === "rights"
    ? "it has no special rights: no mounts, tracing, keyrings or processes of others"
    : `${writable}, and in the project ${COMMIT}`;
}

function phrases(listed: string): string[] {
  return listed.split(/,\s+/u);
}

import type { ContainmentProfile } from "./profile.ts";

interface Wall {
  /** What errors of the system that it causes are called, in lower case: by name, by the C library, by git, curl and Chromium. */
  readonly causes: readonly string[];
  /** With what a command asks for what is behind it. */
  readonly asks: "network" | "off";
  readonly words: string;
}

const READING = "the project and the rest of the disk are read-only";
const WRITING =
  "only the project, a private /tmp and caches of its own are writable, and in the project .git is read-only; plan_gaia commit records the work; .jj, .gaia, guards and secrets are read-only as well, and cannot be moved";
const DISK: Wall = {
  causes:
    phrases(`erofs, read-only file system, unable to create, ebusy, resource busy, exdev, cross-device link,
    eperm, operation not permitted, no permission`),
  asks: "off",
  words: WRITING,
};
const WALLS: readonly Wall[] = [
  {
    causes:
      phrases(`eai_again, temporary failure, name or service not known, could not resolve host, enetunreach,
      network is unreachable, ehostunreach, no route to host, host is unreachable, econnrefused, connection refused`),
    asks: "network",
    words: "it has no network, and cannot reach servers of this machine",
  },
  {
    causes: ["no usable sandbox"],
    asks: "off",
    words: "it cannot make a sandbox of its own; start a browser with --no-sandbox",
  },
  DISK,
];
/** Only the end of an output says why it ended. */
const LOOKED_AT = 8_000;

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
  { project, network }: ContainmentProfile,
  mayAsk: boolean,
): string | null {
  const end = output.slice(-LOOKED_AT);
  if (hasLostPlace(end)) {
    return "[GAIA: this command did not run: a file or socket went away while its sandbox was set up. Run it again.]";
  }
  const walls = WALLS.filter(({ asks }) => asks !== "network" || !network);
  // The last line that shows one.
  const wall = end
    .toLowerCase()
    .split("\n")
    .toReversed()
    .flatMap((line) => walls.find(({ causes }) => causes.some((text) => line.includes(text))) ?? [])[0];
  if (wall === undefined) return null;
  const words = wall === DISK && project === "read" ? READING : wall.words;
  const how = mayAsk
    ? ` If that is why it failed and the task needs it, run it again with \`GAIA_SANDBOX=${wall.asks} \` in front: the user is asked.`
    : "";
  return `[GAIA: this command ran in a sandbox: ${words}.${how}]`;
}

function phrases(listed: string): string[] {
  return listed.split(/,\s+/u);
}

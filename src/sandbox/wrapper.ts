import { constants } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { mayAccess } from "./hidden-places.ts";
import { isWithin } from "./profile.ts";

/** The program that contains commands on this machine. */
export interface Wrapper {
  readonly kind: "bubblewrap" | "seatbelt";
  readonly path: string;
}

/** Folders of the system's own programs: a project may stand in PATH, and bring a program of that name. */
const SYSTEM = ["/usr/bin", "/bin", "/usr/local/bin", "/run/wrappers/bin", "/run/current-system/sw/bin"];
const SEATBELT = "/usr/bin/sandbox-exec";

/** Finds the wrapper; a text says why there is none. */
export function findWrapper(
  platform: NodeJS.Platform,
  environment: Readonly<Record<string, string | undefined>>,
  project: string,
  system: readonly string[] = SYSTEM,
): Wrapper | string {
  if (platform === "darwin") {
    return isProgram(SEATBELT) ? { kind: "seatbelt", path: SEATBELT } : `there is no ${SEATBELT}`;
  }
  if (platform !== "linux") return `nothing contains commands on ${platform}`;
  const listed = (environment["PATH"] ?? "").split(delimiter);
  const folders = [...system, ...listed.filter((path) => isAbsolute(path) && !isWithin(path, project))];
  const path = folders.map((folder) => join(folder, "bwrap")).find(isProgram);
  return path === undefined ? "bubblewrap (bwrap) is not installed" : { kind: "bubblewrap", path };
}

/** Whether there is a program at a path that we may run. */
export const isProgram = (path: string): boolean => mayAccess(path, constants.X_OK);

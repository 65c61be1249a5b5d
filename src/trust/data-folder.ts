import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The folder in which this plugin keeps what belongs to the user and to no project. */
export function dataFolder(
  environment: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  const name = "opencode-gaia";
  const configured = environment["XDG_DATA_HOME"];
  // A relative path would lie in whatever project is open; the specification wants it ignored.
  if (configured !== undefined && isAbsolute(configured)) return join(configured, name);
  if (platform === "darwin") return join(home, "Library", "Application Support", name);
  if (platform === "win32") {
    const local = environment["LOCALAPPDATA"];
    return join(local !== undefined && isAbsolute(local) ? local : join(home, "AppData", "Local"), name);
  }
  return join(home, ".local", "share", name);
}

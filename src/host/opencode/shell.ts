import { statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";

/** Shells in which OpenCode runs no commands. */
const REFUSED = new Set(["fish", "nu"]);

/**
 * The shell in which OpenCode runs commands: the configured one, the user's, bash, sh; the first that it accepts and that
 * is there. As OpenCode 1.18 chooses it, so that what is tried out is what will run.
 * @param configured `shell` of OpenCode's configuration
 */
export function findShell(
  configured: string | null,
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  const find = (name: string): string | undefined =>
    isAbsolute(name)
      ? [name].find(isFile)
      : (environment["PATH"] ?? "")
          .split(delimiter)
          .filter((folder) => isAbsolute(folder))
          .map((folder) => join(folder, name))
          .find(isFile);
  const wanted = configured || environment["SHELL"] || "";
  const accepted = wanted !== "" && !REFUSED.has(basename(wanted).toLowerCase()) ? find(wanted) : undefined;
  if (platform === "win32") return accepted ?? find("bash.exe") ?? (environment["COMSPEC"] || "cmd.exe");
  return accepted ?? find("bash") ?? "/bin/sh";
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

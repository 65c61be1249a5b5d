import { readdirSync, readFileSync, statSync } from "node:fs";
import type { ProjectFiles } from "./checks/outputs.ts";

/** A longer script is not read before it runs. */
const MAX_SCRIPT_BYTES = 128 * 1024;
/** Entries of a folder among which packages are looked for. */
const MAX_LISTED = 500;

/** Reads what commands would run. @param absolute makes an absolute path of one as a command names it */
export function projectFiles(
  absolute: (path: string) => string,
): Required<Pick<ProjectFiles, "readScript" | "listFolders">> {
  return {
    readScript(path) {
      try {
        const file = statSync(absolute(path));
        if (!file.isFile() || file.size > MAX_SCRIPT_BYTES) return undefined;
        const bytes = readFileSync(absolute(path));
        return bytes.includes(0) ? undefined : bytes.toString("utf8");
      } catch {
        return undefined; // There is nothing to run.
      }
    },
    listFolders(path) {
      try {
        return readdirSync(absolute(path), { withFileTypes: true })
          .slice(0, MAX_LISTED)
          .flatMap((entry) => (entry.isDirectory() && entry.name !== "node_modules" ? [entry.name] : []));
      } catch {
        return []; // There is no such folder.
      }
    },
  };
}

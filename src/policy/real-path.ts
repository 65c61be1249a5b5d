import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { isInFolder } from "../lib/folders.ts";

/** Links that lead nowhere and are followed by hand, as a write would. */
const MAX_LINKS = 16;

/**
 * The real path of a file that may not exist yet: links are followed, the names that are missing are put behind their
 * nearest existing parent. Never throws; what cannot be followed stays as it is.
 * @param path absolute
 */
export function realPathOf(path: string, links = MAX_LINKS): string {
  const missing: string[] = [];
  for (let existing = path; ; existing = dirname(existing)) {
    try {
      // As the system does it: behind a link, `..` leads out of where that points.
      return join(realpathSync.native(existing), ...missing);
    } catch {
      const target = links > 0 ? targetOf(existing) : undefined;
      if (target !== undefined)
        return realPathOf(join(resolve(dirname(existing), target), ...missing), links - 1);
      if (dirname(existing) === existing) return path;
    }
    missing.unshift(basename(existing));
  }
}

/** Where a link leads; undefined for everything else. */
function targetOf(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined; // There is nothing.
  }
}

/**
 * The folders of PATH below one of these, there or not: OpenCode, and whatever else starts programs by their names, looks into
 * them. `npx` and virtual environments put such folders in front.
 * @param tops by their real paths; relative folders are below the first
 */
export function pathFoldersIn(env: NodeJS.ProcessEnv, tops: readonly string[]): string[] {
  const [first = ""] = tops;
  const folders = (env["PATH"] ?? "").split(delimiter).filter(Boolean);
  const real = folders.map((folder) => realPathOf(resolve(first, folder)));
  return real.filter((folder) => tops.some((top) => folder !== top && isInFolder(folder, top)));
}

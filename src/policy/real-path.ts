import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Files of one call whose links are followed; of a call that names more, any could lead anywhere. */
export const MAX_LOOKUPS = 2_048;
/** What such a call is said to name. */
export const TOO_MANY = `one of more than ${MAX_LOOKUPS} files`;
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

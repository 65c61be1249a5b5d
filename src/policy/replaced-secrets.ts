import { basename } from "node:path";
import { isSensitivePath } from "./sensitive-path.ts";

/**
 * Files among those that a call replaces as a whole of which the user may have no other copy: keys and settings such as `.env`
 * are kept out of version control, and nobody can write them anew. Pure.
 */
export function secretsAmong(paths: readonly string[]): string[] {
  return paths.filter((path) => isSensitivePath(path));
}

/** Says why that is a loss, for a person. Pure. */
export function renderReplaced(path: string): string {
  return `replaces ${basename(path)}, of which nothing else may hold what is in it`;
}

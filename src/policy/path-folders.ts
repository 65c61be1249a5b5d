import { delimiter, resolve } from "node:path";
import { isInFolder } from "../lib/find-project.ts";
import { realPathOf } from "./real-path.ts";

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

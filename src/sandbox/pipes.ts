import { lstat, readdir, readlink } from "node:fs/promises";
import { isReplaced } from "./sockets.ts";

/** Open files that are looked at, of all programs together. */
const MAX_FILES = 20_000;

/**
 * The named pipes that some program has open, outside of the project: a read-only disk does not keep anyone from writing
 * to one, and what reads there may do as it is told. One that nobody reads leads nowhere.
 */
export async function findPipes(project: string): Promise<string[]> {
  const paths = new Set<string>();
  let left = MAX_FILES;
  for (const pid of await namesIn("/proc")) {
    if (!/^\d+$/u.test(pid) || left <= 0) continue;
    const files = await namesIn(`/proc/${pid}/fd`);
    left -= files.length;
    const targets = await Promise.all(
      files.map(async (file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => "")),
    );
    for (const path of targets) if (path.startsWith("/") && !isReplaced(path, project)) paths.add(path);
  }
  const pipes: string[] = [];
  // One after the other: thousands at once would hold up everything else.
  for (const path of paths) {
    const found = await lstat(path).catch(() => null);
    if (found?.isFIFO() === true) pipes.push(path);
  }
  return pipes;
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

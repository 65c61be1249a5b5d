import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";

/** No git of ours runs for as long, in milliseconds: it is ended before. */
const OLD_MS = 600_000;

/** Removes locks that git has left in a store when the machine, or all of its processes, were stopped: nothing else would ever. */
export async function clearLocks(repository: string): Promise<void> {
  for (const folder of [".", "refs", "worktrees"]) {
    const names = await readdir(join(repository, folder), { recursive: folder !== "." }).catch(() => []);
    for (const path of names
      .filter((name) => name.endsWith(".lock"))
      .map((name) => join(repository, folder, name))) {
      const entry = await lstat(path).catch(() => null);
      if (entry?.isFile() === true && Date.now() - entry.mtimeMs > OLD_MS) await rm(path, { force: true });
    }
  }
}

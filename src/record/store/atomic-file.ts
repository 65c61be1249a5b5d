import { lstat, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../lib/clock.ts";
import { codeOf } from "../gaia-path.ts";
import { isProcessAlive } from "../../lib/is-process-alive.ts";
import { HOST_TAG, parseTemporaryName, temporaryName } from "./process-identity.ts";

/** A temporary file this old was left behind, even if its process id is in use again. */
const LEFTOVER_AFTER_MS = 3_600_000;

/**
 * Writes a whole file so that a kill at any moment leaves the old or the new one: temporary file in the same folder,
 * fsync, rename, fsync of the folder. Keeps the mode of an existing file.
 * @param mayReplace asked between writing and renaming; the file stays as it is when it says no
 * @returns whether the file was replaced
 */
export async function writeFileAtomic(
  path: string,
  text: string | Uint8Array,
  mayReplace: () => Promise<boolean>,
): Promise<boolean> {
  const temporary = join(dirname(path), temporaryName(basename(path)));
  try {
    const mode = await modeOf(path);
    const handle = await open(temporary, "wx", mode ?? 0o666);
    try {
      // The mode given to `open` loses what the umask takes away.
      if (mode !== null) await handle.chmod(mode);
      await handle.writeFile(text, "utf8");
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (!(await mayReplace())) {
      await rm(temporary, { force: true });
      return false;
    }
    await renamePatiently(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
  return true;
}

async function modeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** Windows refuses to replace a file that an editor or scanner has open at that moment. */
async function renamePatiently(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (attempt >= 5 || !["EPERM", "EACCES", "EBUSY"].includes(codeOf(error))) throw error;
      await pause(attempt * 10);
    }
  }
}

/** Makes a rename survive a power cut. Some systems cannot open a folder; there it is up to them. */
async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!["EISDIR", "EPERM", "EACCES", "EINVAL", "ENOTSUP"].includes(codeOf(error))) throw error;
  }
}

async function ageOf(path: string): Promise<number> {
  try {
    return systemClock.now() - (await lstat(path)).mtimeMs;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return 0;
    throw error;
  }
}

/**
 * Removes the temporary files and folders that killed processes left in `folder`; those of running ones stay.
 * @returns the names that were removed
 */
export async function removeLeftovers(folder: string): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(folder)) {
    const maker = parseTemporaryName(name);
    if (maker === null) continue;
    const dead = maker.host === HOST_TAG && !isProcessAlive(maker.pid);
    if (!dead && (await ageOf(join(folder, name))) < LEFTOVER_AFTER_MS) continue;
    await rm(join(folder, name), { recursive: true, force: true });
    removed.push(name);
  }
  return removed;
}

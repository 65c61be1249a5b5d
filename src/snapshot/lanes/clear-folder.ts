import { randomUUID } from "node:crypto";
import { chmod, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { LaneStore } from "./store.ts";

export const LEFT = "left-";

/**
 * Has a folder be gone in which nobody works any more. Folders in it that may not be written, as programs leave them (Go's module
 * cache), are made so first; what belongs to another user, as a container leaves it, is moved aside until it can be removed.
 */
export async function clearFolder({ folder }: Pick<LaneStore, "folder">, path: string): Promise<void> {
  if (await isRemoved(path)) return;
  await makeWritable(path);
  if (!(await isRemoved(path))) await rename(path, join(folder, `${LEFT}${randomUUID()}`));
}

async function isRemoved(path: string): Promise<boolean> {
  return rm(path, { recursive: true, force: true }).then(
    () => true,
    () => false,
  );
}

async function makeWritable(path: string): Promise<void> {
  await chmod(path, 0o700).catch(() => undefined);
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) if (entry.isDirectory()) await makeWritable(join(path, entry.name));
}

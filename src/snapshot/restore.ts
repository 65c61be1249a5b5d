import { randomUUID } from "node:crypto";
import { lstat, mkdir, open, readdir, realpath, rename, rm, rmdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describeError } from "../lib/error.ts";
import type { Snapshots } from "./snapshots.ts";
import { type FileVersion, isSame, LINK, NO_FILE, OPAQUE, PROGRAM, type TreeChange } from "./version.ts";

export interface RestoredFile {
  readonly change: TreeChange;
  /** Why the file was not restored; null where it was. */
  readonly left: string | null;
}

/** Reverts changes, file by file, where the file is still as the change left it: later writes are never lost. Never throws. */
export async function restoreFiles(
  project: string,
  snapshots: Pick<Snapshots, "bytes" | "versionNow">,
  changes: readonly TreeChange[],
): Promise<RestoredFile[]> {
  const done = new Map<TreeChange, string | null>();
  // A new file may have replaced a folder, or lie in a folder that replaced a file.
  const isNew = ({ before }: TreeChange): number => Number(isSame(before, NO_FILE));
  for (const change of changes.toSorted((a, b) => isNew(b) - isNew(a)))
    done.set(
      change,
      await restoreOne(project, snapshots, change).catch((error: unknown) => describeError(error)),
    );
  return changes.map((change) => ({ change, left: done.get(change) ?? null }));
}

async function restoreOne(
  project: string,
  snapshots: Pick<Snapshots, "bytes" | "versionNow">,
  { path, before, after }: TreeChange,
): Promise<string | null> {
  if (before.mode === OPAQUE) return "what it held before is not kept";
  const isBare = isSame(before, NO_FILE);
  const bytes = isBare ? null : await snapshots.bytes(before);
  const now = await snapshots.versionNow(path);
  // Git may ignore modes: compare the bytes.
  if (isSame({ ...now, mode: "" }, { ...before, mode: "" }) && before.id !== after.id) return null;
  if (!isSame({ ...now, mode: "" }, { ...after, mode: "" })) return "was changed since";
  const file = join(project, path);
  if (!(await isInside(project, file))) return "lies behind a link out of the project";
  if (!isBare && bytes === null) return "what it held before is not kept";
  // From the check above to the write only the disk is waited for.
  if (bytes === null) await rm(file, { force: true });
  else await write(file, before, bytes);
  return null;
}

async function write(file: string, { mode }: FileVersion, bytes: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await removeEmptyFolders(file);
  const made = join(dirname(file), `.gaia-${randomUUID()}`);
  try {
    await makeFile(made, bytes, mode, file);
    await rename(made, file);
  } finally {
    await rm(made, { force: true });
  }
}

/** @param old the file whose permission bits it takes, as far as git does not store them */
export async function makeFile(path: string, bytes: Buffer, mode: string, old: string): Promise<void> {
  if (mode === LINK) return symlink(bytes, path);
  const entry = await lstat(old).catch(() => null);
  const bits = entry?.isFile() === true ? entry.mode & 0o777 : 0o666 & ~process.umask();
  const isProgram = mode === PROGRAM;
  if (isProgram === (bits & 0o100) > 0) return writeSynced(path, bytes, bits);
  return writeSynced(path, bytes, isProgram ? bits | ((bits & 0o444) >> 2) : bits & ~0o111);
}

export async function writeSynced(path: string, content: string | Buffer, mode?: number): Promise<void> {
  const file = await open(path, "w", mode);
  try {
    await file.writeFile(content);
    if (mode !== undefined) await file.chmod(mode);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Removes a folder of empty folders in the place of a file; fails where anything else is in it. */
async function removeEmptyFolders(path: string): Promise<void> {
  const entry = await lstat(path).catch(() => null);
  if (entry?.isDirectory() !== true) return;
  for (const name of await readdir(path)) await removeEmptyFolders(join(path, name));
  await rmdir(path);
}

/** Whether the nearest existing folder of a file lies in the project by its real path. */
async function isInside(project: string, file: string): Promise<boolean> {
  const root = await realpath(project);
  let folder = dirname(file);
  for (;;) {
    const real = await realpath(folder).catch(() => null);
    if (real !== null) return real === root || real.startsWith(`${root}/`);
    folder = dirname(folder);
  }
}

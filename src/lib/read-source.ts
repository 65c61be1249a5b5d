import { closeSync, constants, type Dirent, fstatSync, openSync, readSync, statSync } from "node:fs";
import { lstat, open, opendir, stat } from "node:fs/promises";
import { bounded, type Clock } from "./async.ts";
import { describeError } from "./error.ts";

/** Files above this are not read. A configuration has a few kilobytes. */
const MAX_BYTES = 1_000_000;

/** Files of a project that are read whole, to be changed or compared. */
export const MAX_SOURCE_BYTES = 16_000_000;
/** Of one folder; and how many of them are asked for at once. */
const MAX_ENTRIES = 20_000;
const AT_ONCE = 512;
/** What is asked for at once at least. */
const MIN_CHUNK = 4_096;
/** How long a file may take, so that a dead network drive cannot hold up the start. */
const READ_TIMEOUT_MS = 2_000;

/** Without O_NONBLOCK, opening what has become a named pipe meanwhile waits for someone to write into it. */
const WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** What became of a file: not there, its bytes, or why it could not be read, and what to do. */
export type ReadResult =
  | { readonly state: "absent" }
  | { readonly state: "read"; readonly bytes: Uint8Array }
  | { readonly state: "failed"; readonly message: string; readonly suggestion: string };

/** Reads a small regular file within 2 s. Never throws; a late read is left to end by itself. */
export async function readSource(path: string, clock: Clock): Promise<ReadResult> {
  const result = readRegularFile(path).catch((error: unknown) => failure(path, error));
  return bounded(result, READ_TIMEOUT_MS, clock, path).catch(() =>
    failed(`could not be read within ${READ_TIMEOUT_MS / 1000} s`, "Move it to a local disk."),
  );
}

async function readRegularFile(path: string): Promise<ReadResult> {
  const { size, bytes, kind } = await readStart(path, MAX_BYTES + 1);
  if (kind === "folder")
    return failed("is a directory, not a file", "Remove it, or put the file in its place.");
  if (kind === "other") return failed("is not a regular file", "Put a regular file in its place.");
  if (Math.max(size, bytes.length) > MAX_BYTES)
    return failed("is larger than 1 MB", "Make it smaller: long texts go into files of their own.");
  return { state: "read", bytes };
}

export interface FileStart {
  readonly size: number;
  readonly bytes: Buffer;
}

/** The first bytes of a regular file; null for everything else. Waits for no pipe or device. Never throws. */
export async function readHead(path: string, maxBytes: number): Promise<FileStart | null> {
  const start = await readStart(path, maxBytes).catch(() => null);
  return start?.kind === "file" ? start : null;
}

/** Whether one of these is, links followed, neither file nor folder: who reads or writes it may wait for ever. */
export async function hasEndless(paths: readonly string[]): Promise<boolean> {
  const found = await Promise.all(paths.map(async (path) => stat(path).catch(() => null)));
  return found.some((each) => each !== null && !each.isFile() && !each.isDirectory());
}

/** All bytes of a regular file of at most so many; null for a larger one and everything else. Never throws. */
export async function readRegular(path: string, maxBytes = MAX_BYTES): Promise<Buffer | null> {
  const start = await readHead(path, maxBytes + 1);
  return start !== null && start.bytes.length <= maxBytes ? start.bytes : null;
}

/** The same as text; "" where there is none. */
export async function readText(path: string, maxBytes = MAX_BYTES): Promise<string> {
  return (await readRegular(path, maxBytes))?.toString("utf8") ?? "";
}

/** {@link readText} for where nothing can be awaited. Looks at the disk once, so only for small files. @param links whether they are followed */
export function readTextSync(path: string, maxBytes = MAX_BYTES, links = true): string {
  let file: number | null = null;
  try {
    if (!statSync(path).isFile()) return "";
    file = openSync(path, WITHOUT_WAITING | (links ? 0 : (constants.O_NOFOLLOW ?? 0)));
    const { size } = fstatSync(file);
    const bytes = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(size, MIN_CHUNK)) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(file, bytes, length, bytes.length - length, null);
    return length > maxBytes ? "" : bytes.toString("utf8", 0, length);
  } catch {
    return ""; // There is no such file, or nobody may read it.
  } finally {
    if (file !== null) closeSync(file);
  }
}

/** What is in a folder, in no order and up to a number; null for what is none, or is not ours to read. Never throws. */
export async function listFolder(path: string, most = MAX_ENTRIES): Promise<Dirent[] | null> {
  const entries: Dirent[] = [];
  try {
    for await (const entry of await opendir(path, { bufferSize: AT_ONCE })) {
      entries.push(entry);
      if (entries.length >= most) break;
    }
    return entries;
  } catch {
    return null;
  }
}

async function readStart(
  path: string,
  maxBytes: number,
): Promise<FileStart & { readonly kind: "file" | "folder" | "other" }> {
  // To open a device may do something already.
  const found = await stat(path);
  const nothing = { size: found.size, bytes: Buffer.of() };
  if (found.isDirectory()) return { ...nothing, kind: "folder" };
  if (!found.isFile()) return { ...nothing, kind: "other" };
  const handle = await open(path, WITHOUT_WAITING);
  try {
    const { size } = await handle.stat();
    const chunks: Buffer[] = [];
    let length = 0;
    while (length < maxBytes) {
      // Of a file that says it is empty, as in /proc, more is read all the same.
      const room = Math.min(maxBytes - length, Math.max(size - length + 1, MIN_CHUNK));
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(room), 0, room, null);
      if (bytesRead === 0) break;
      chunks.push(buffer.subarray(0, bytesRead));
      length += bytesRead;
    }
    return { size, bytes: Buffer.concat(chunks), kind: "file" };
  } finally {
    await handle.close();
  }
}

async function failure(path: string, error: unknown): Promise<ReadResult> {
  const code = error instanceof Error && "code" in error ? error.code : "";
  const isMissing = code === "ENOENT" || code === "ENOTDIR";
  if (!isMissing && code !== "ELOOP")
    return failed(`could not be read: ${describeError(error)}`, "Check the file and who may read it.");
  const isLink = (await lstat(path).catch(() => null))?.isSymbolicLink() === true;
  if (isMissing && !isLink) return { state: "absent" };
  return failed("is a link that leads nowhere", "Fix or remove the link.");
}

function failed(message: string, suggestion: string): ReadResult {
  return { state: "failed", message, suggestion };
}

import { createHash, randomBytes } from "node:crypto";
import { readlinkSync, type BigIntStats } from "node:fs";
import { hostname } from "node:os";
import { codeOf, unlessMissing } from "../gaia-path.ts";
import { stat, lstat, open, readdir, rename, rm } from "node:fs/promises";
import { createError } from "../../lib/error.ts";
import { readRegular } from "../../lib/read-source.ts";
import { basename, dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../lib/async.ts";
import { isProcessAlive } from "../../lib/is-process-alive.ts";

/** A short tag of the space in which process ids of this process mean something: machine and, on Linux, pid namespace. */
export const HOST_TAG: string = createHash("sha256")
  .update(`${hostname()}\n${pidNamespace()}`)
  .digest("hex")
  .slice(0, 8);

function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch (error) {
    return codeOf(error);
  }
}

/** A hidden name for something that is not finished yet; it tells which process left it behind. */
export function temporaryName(name: string): string {
  return `.${name}.${process.pid}-${HOST_TAG}-${randomBytes(4).toString("hex")}.tmp`;
}

function parseTemporaryName(name: string): { readonly pid: number; readonly host: string } | null {
  const found = /\.(\d{1,10})-([0-9a-f]{8})-[0-9a-f]{8}\.tmp$/.exec(name);
  return found === null ? null : { pid: Number(found[1]), host: found[2] ?? "" };
}

export interface TextFile {
  readonly text: string;
  /** Differs after any change of the file: a person may have saved it in an editor. */
  readonly signature: string;
}

const MAX_BYTES = 16 * 1024 * 1024;
/** Lines of a document; what is looked at line by line must not hold up the rest. */
const MAX_LINES = 20_000;
/** Of a plan each line is looked at many times. */
const MAX_PLAN_LINES = 5_000;
const PLAN = /(?:^|[\\/])(?:plan|spec)\.md$/u;

export const NO_FILE = "none";

/** Reads UTF-8, byte order mark included; null for no file. @throws GaiaError with the line for any other precious content */
export async function readTextFile(
  path: string,
  name: string,
  content: "precious" | "replaceable" = "precious",
): Promise<TextFile | null> {
  const found = await statOf(path);
  if (found === null) return null;
  refuseUnreadable(found, name);
  const bytes = await readRegular(path, MAX_BYTES);
  if (bytes === null) throw createError("workspace", `${name} cannot be read.`, { hint: "Check the file." });
  if (name.endsWith(".md") && content === "precious") refuseLong(bytes, name);
  const text = decode(bytes) ?? (content === "replaceable" ? "" : null);
  if (text !== null) return { text, signature: signed(found) };
  throw createError("workspace", `${name}:${firstBadLine(bytes)}: not UTF-8 text.`, {
    hint: "Save the file as UTF-8.",
  });
}

/** A pipe would keep us waiting for ever, and a file of that size is no document. */
function refuseUnreadable(found: BigIntStats, name: string): void {
  if (!found.isFile()) throw createError("workspace", `${name} is not a file.`, { hint: "Move it away." });
  if (found.size <= MAX_BYTES) return;
  throw createError("workspace", `${name} holds ${found.size} bytes; the bound is ${MAX_BYTES}.`, {
    hint: "Archive the work unit, or move the older part into another file.",
  });
}

function refuseLong(bytes: Buffer, name: string): void {
  const most = PLAN.test(name) ? MAX_PLAN_LINES : MAX_LINES;
  if (bytes.toString("latin1").split("\n", most + 2).length <= most + 1) return;
  throw createError("workspace", `${name} has more than ${most} lines.`, {
    hint: "Divide it into several work units, or move the older part into another file.",
  });
}

export async function signatureOf(path: string): Promise<string> {
  const found = await statOf(path);
  return found === null ? NO_FILE : signed(found);
}

/** Differs after any change of a file. */
export function signed({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino}-${size}-${mtimeNs}-${ctimeNs}`;
}

async function statOf(path: string): Promise<BigIntStats | null> {
  return unlessMissing(stat(path, { bigint: true }), null);
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** One-based. A line feed never occurs inside a longer UTF-8 sequence, so lines can be tried one by one. */
function firstBadLine(bytes: Buffer): number {
  const lines = bytes.toString("latin1").split("\n");
  return 1 + lines.findIndex((line) => decode(Buffer.from(line, "latin1")) === null);
}

/** A temporary file this old was left behind, even if its process id is in use again. */
const LEFTOVER_AFTER_MS = 3_600_000;

/**
 * Temporary file, fsync, rename, fsync of the folder: a kill leaves the old file or the new one. Keeps an existing
 * mode. @param mayReplace asked right before the rename @returns whether the file was replaced
 */
export async function writeFileAtomic(
  path: string,
  text: string | Uint8Array,
  mayReplace: () => Promise<boolean>,
): Promise<boolean> {
  const temporary = join(dirname(path), temporaryName(basename(path)));
  try {
    const known = await statOf(path);
    const mode = known === null ? null : Number(known.mode) & 0o777;
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

/** Removes what killed processes left in `folder`, and returns the names. */
export async function removeLeftovers(folder: string): Promise<string[]> {
  const removed: string[] = [];
  for (const name of await readdir(folder)) {
    const maker = parseTemporaryName(name);
    if (maker === null) continue;
    const dead = maker.host === HOST_TAG && !isProcessAlive(maker.pid);
    const path = join(folder, name);
    const made = (await unlessMissing(lstat(path), null))?.mtimeMs ?? Infinity;
    if (!dead && systemClock.now() - made < LEFTOVER_AFTER_MS) continue;
    await rm(path, { recursive: true, force: true });
    removed.push(name);
  }
  return removed;
}

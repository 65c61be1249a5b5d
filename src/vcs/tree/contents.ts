import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { type FileVersion, NO_FILE } from "./state.ts";
import { readRegular } from "../../lib/read-source.ts";

/** A larger file is known by its size and time. */
const MAX_HASHED_BYTES = 16_000_000;
/** Contents that are kept, to tell lines and to put a file back; larger files, and those beyond the sum, are known by name only. */
const MAX_KEPT_BYTES = 1_000_000;
const MAX_KEPT_SUM = 24_000_000;
/** Files whose stamps are remembered. */
const MAX_SEEN = 6_000;
const LINK = "120000";

/** What the files of a project hold that no commit does. */
export interface Contents {
  /**
   * The version of a file as it lies there now.
   * @param mode as git tells it, null where it does not know the file
   * @param stats what lies there, where that was looked at just now
   */
  versionOf(
    path: string,
    mode: string | null,
    hash: "sha1" | "sha256",
    stats?: BigIntStats,
  ): Promise<FileVersion>;
  /** Bytes that were seen in a file, by the version's id; null where they were not kept. */
  bytes(id: string): Buffer | null;
  readonly keep: (id: string, bytes: Buffer) => void;
  /** Lets go of all but these. */
  retain(isNeeded: (id: string) => boolean): void;
}

/** @returns contents by absolute path; a file whose size, times and place are as they were is not read again */
export function createContents(): Contents {
  const seen = new Map<string, { readonly stamp: string; readonly version: FileVersion }>();
  const kept = new Map<string, Buffer>();
  let sum = 0;

  const keep = (id: string, bytes: Buffer): void => {
    if (kept.has(id) || bytes.length > MAX_KEPT_BYTES || sum + bytes.length > MAX_KEPT_SUM) return;
    kept.set(id, bytes);
    sum += bytes.length;
  };
  const read = async (path: string, stats: BigIntStats, mode: string, hash: string): Promise<FileVersion> => {
    if (stats.size > MAX_HASHED_BYTES) return { id: `~${stats.size}:${stats.mtimeNs}`, mode };
    const bytes = stats.isSymbolicLink()
      ? Buffer.from(await readlink(path))
      : await readRegular(path, MAX_HASHED_BYTES);
    if (bytes === null) return NO_FILE;
    const id = nameOf(bytes, hash);
    keep(id, bytes);
    const plain = bytes.includes("\r\n") && !bytes.includes(0) ? withoutReturns(bytes) : bytes;
    return plain === bytes ? { id, mode } : { id, mode, stored: nameOf(plain, hash) };
  };

  return {
    async versionOf(path, given, hash, seenNow) {
      const stats = seenNow ?? (await lstat(path, { bigint: true }).catch(() => null));
      // A pipe would block; a folder where git has a file is no file.
      if (stats === null || !(stats.isFile() || stats.isSymbolicLink())) return NO_FILE;
      const own = stats.isSymbolicLink() ? LINK : stats.mode & 0o100n ? "100755" : "100644";
      const mode = given ?? own;
      const stamp = [stats.size, stats.mtimeNs, stats.ctimeNs, stats.ino, mode, hash].join(":");
      const known = seen.get(path);
      const isKept = kept.has(known?.version.id ?? "") || stats.size > MAX_KEPT_BYTES;
      if (known?.stamp === stamp && (isKept || sum + Number(stats.size) > MAX_KEPT_SUM)) return known.version;
      const version = await read(path, stats, mode, hash).catch(() => NO_FILE);
      seen.set(path, { stamp, version });
      return version;
    },
    bytes: (id) => kept.get(id) ?? null,
    keep,
    retain(isNeeded) {
      for (const [id, bytes] of kept) {
        if (isNeeded(id)) continue;
        kept.delete(id);
        sum -= bytes.length;
      }
      if (seen.size > MAX_SEEN) seen.clear();
    },
  };
}

function nameOf(bytes: Buffer, hash: string): string {
  return createHash(hash).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

function withoutReturns(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1");
}

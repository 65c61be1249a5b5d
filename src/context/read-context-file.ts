import { lstat, open } from "node:fs/promises";
import { bounded } from "../lib/bounded.ts";
import type { Clock } from "../lib/clock.ts";

/** What one context file may cost, in bytes; the rest is cut with a note. */
const MAX_BYTES = 16_384;
const READ_LIMIT_MS = 1_000;

/**
 * The text of a context file; null when it is absent, empty, or nothing that can be read as a file (a folder, a pipe).
 * Never throws: all of these files are optional.
 */
export async function readContextFile(path: string, clock: Clock): Promise<string | null> {
  try {
    const text = await bounded(readStart(path), READ_LIMIT_MS, clock, path);
    return text.trim() === "" ? null : text.trim();
  } catch {
    return null; // Optional by definition; `doctor` tells of files that exist and cannot be read.
  }
}

async function readStart(path: string): Promise<string> {
  const info = await lstat(path);
  if (!info.isFile() && !info.isSymbolicLink()) return "";
  const file = await open(path, "r");
  try {
    if (!(await file.stat()).isFile()) return "";
    const buffer = Buffer.alloc(MAX_BYTES);
    const { bytesRead } = await file.read(buffer, 0, MAX_BYTES, 0);
    const text = buffer.subarray(0, bytesRead).toString("utf8");
    return bytesRead < MAX_BYTES ? text : `${text.replace(/\uFFFD+$/, "")}\n[cut at ${MAX_BYTES} bytes]`;
  } finally {
    await file.close();
  }
}

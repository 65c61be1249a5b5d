import { constants } from "node:fs";
import { lstat, open } from "node:fs/promises";
import { bounded } from "./bounded.ts";
import type { Clock } from "./clock.ts";
import { describeError } from "./error.ts";

/** Files above this are not read. A configuration has a few kilobytes. */
const MAX_BYTES = 1_000_000;

/** How long a file may take, so that a dead network drive cannot hold up the start. */
const READ_TIMEOUT_MS = 2_000;

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
  // Without O_NONBLOCK, opening a named pipe waits for someone to write into it.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await handle.stat();
    if (stat.isDirectory())
      return failed("is a directory, not a file", "Remove it, or put the file in its place.");
    if (!stat.isFile()) return failed("is not a regular file", "Put a regular file in its place.");
    const buffer = Buffer.allocUnsafe(MAX_BYTES + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
      if (bytesRead === 0) return { state: "read", bytes: buffer.subarray(0, length) };
      length += bytesRead;
    }
    return failed("is larger than 1 MB", "Make it smaller: long texts go into files of their own.");
  } finally {
    await handle.close();
  }
}

const FAILURES: Readonly<Record<string, readonly [message: string, suggestion: string]>> = {
  EACCES: ["may not be read", "Give yourself read permission on it."],
  EPERM: ["may not be read", "Give yourself read permission on it."],
  ELOOP: ["is a link that leads back to itself", "Fix or remove the link."],
};

async function failure(path: string, error: unknown): Promise<ReadResult> {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT" && (await isLink(path))) {
    return failed("is a link that leads nowhere", "Fix or remove the link.");
  }
  if (code === "ENOENT" || code === "ENOTDIR") return { state: "absent" };
  const [message, suggestion] = FAILURES[code] ?? [
    `could not be read: ${describeError(error)}`,
    "Check the file.",
  ];
  return failed(message, suggestion);
}

function failed(message: string, suggestion: string): ReadResult {
  return { state: "failed", message, suggestion };
}

async function isLink(path: string): Promise<boolean> {
  return lstat(path).then(
    (stat) => stat.isSymbolicLink(),
    () => false,
  );
}

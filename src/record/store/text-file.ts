import type { BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";
import { createError } from "../../lib/error.ts";
import { codeOf } from "../gaia-path.ts";
import { readRegular } from "../../lib/read-source.ts";

/** A text file as it was at one moment. */
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

/** The signature of a file that does not exist. */
export const NO_FILE = "none";

/**
 * Reads a UTF-8 file without losing a byte, byte order mark included.
 * @param name how errors call the file
 * @param content `replaceable`: what is not UTF-8 reads as empty, because nothing is lost with it
 * @returns null when there is no such file
 * @throws GaiaError with the line when the file is not UTF-8: writing it back would destroy it
 */
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
  if (name.endsWith(".md")) refuseLong(bytes, name);
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
  let lines = 0;
  for (let at = bytes.indexOf(10); at !== -1 && lines <= most; at = bytes.indexOf(10, at + 1)) lines += 1;
  if (lines <= most) return;
  throw createError("workspace", `${name} has more than ${most} lines.`, {
    hint: "Divide it into several work units, or move the older part into another file.",
  });
}

/** The present signature of a file. */
export async function signatureOf(path: string): Promise<string> {
  const found = await statOf(path);
  return found === null ? NO_FILE : signed(found);
}

function signed({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino}-${size}-${mtimeNs}`;
}

async function statOf(path: string): Promise<BigIntStats | null> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
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
function firstBadLine(bytes: Uint8Array): number {
  let line = 1;
  for (let start = 0; start <= bytes.length; line += 1) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed === -1 ? bytes.length : feed;
    if (decode(bytes.subarray(start, end)) === null) return line;
    start = end + 1;
  }
  return line;
}

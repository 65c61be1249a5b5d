import type { Clock } from "../lib/clock.ts";
import { readSource } from "../lib/read-source.ts";

/** What one context file may cost in the system prompt, in bytes; the rest is cut with a note. */
const MAX_BYTES = 16_384;

/**
 * The text of a context file; null when it is absent, empty, or cannot be read. Never throws: all of these files are
 * optional, and `doctor` tells of one that exists and cannot be read.
 */
export async function readContextFile(path: string, clock: Clock): Promise<string | null> {
  const file = await readSource(path, clock);
  if (file.state !== "read") return null;
  const text = Buffer.from(file.bytes.subarray(0, MAX_BYTES)).toString("utf8").trim();
  if (text === "") return null;
  return file.bytes.length <= MAX_BYTES
    ? text
    : `${text.replace(/\uFFFD+$/, "")}\n[cut at ${MAX_BYTES} bytes]`;
}

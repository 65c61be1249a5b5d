import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { readSource } from "../lib/read-source.ts";
import { isSensitivePath } from "../policy/sensitive-path.ts";

/** What one context file may cost in the system prompt, in bytes; the rest is cut with a note. */
const MAX_BYTES = 16_384;

/**
 * The text of a context file; null when it is absent, empty, or cannot be read. Never throws: all of these files are
 * optional, and `doctor` tells of one that exists and cannot be read. It goes to a model's provider, so one whose real path
 * leads out of the project or to what may hold secrets is not read (SPEC 9).
 * @param directory the project
 * @param path relative to it, or absolute
 */
export async function readContextFile(directory: string, path: string, clock: Clock): Promise<string | null> {
  const named = resolve(directory, path);
  const [project, real] = await Promise.all([realPath(directory), realPath(named)]);
  if (project === null || real === null) return null;
  const inside = relative(project, real);
  if (inside.split(sep)[0] === ".." || isAbsolute(inside))
    return "(not read: it lies outside of the project)";
  if (isSensitivePath(named) || isSensitivePath(real)) return "(not read: it may hold secrets)";
  const file = await readSource(real, clock);
  if (file.state !== "read") return null;
  const text = Buffer.from(file.bytes.subarray(0, MAX_BYTES)).toString("utf8").trim();
  if (text === "") return null;
  return file.bytes.length <= MAX_BYTES
    ? text
    : `${text.replace(/\uFFFD+$/, "")}\n[cut at ${MAX_BYTES} bytes]`;
}

async function realPath(path: string): Promise<string | null> {
  try {
    return await realpath(path);
  } catch {
    return null; // It is not there, or a link in a circle: nothing to read.
  }
}

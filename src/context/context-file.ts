import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { Clock } from "../lib/async.ts";
import { pathBelow } from "../lib/folders.ts";
import { readSource } from "../lib/read-source.ts";
import { isSensitivePath } from "../policy/sensitive-path.ts";

/** A file for a model's provider: withheld where its real path leads out of the project or to secrets (SPEC 9). Never throws. */
export async function readForModel(
  directory: string,
  path: string,
  clock: Clock,
): Promise<{ readonly bytes: Uint8Array; readonly path: string } | { readonly withheld: string } | null> {
  const named = resolve(directory, path);
  // What is not there, or is a link in a circle, is nothing to read.
  const [project, real] = await Promise.all(
    [directory, named].map(async (each) => realpath(each).catch(() => null)),
  );
  if (!project || !real) return null;
  const inside = pathBelow(project, real);
  if (inside === null) return { withheld: "it lies outside of the project" };
  if (isSensitivePath(named) || isSensitivePath(real)) return { withheld: "it may hold secrets" };
  const file = await readSource(real, clock);
  return file.state === "read" ? { bytes: file.bytes, path: inside } : null;
}

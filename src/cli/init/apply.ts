import { mkdir, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { createError, describeError, isGaiaError } from "../../lib/error.ts";
import { isWritable } from "../../lib/is-writable.ts";
import { writeFileAtomic } from "../../workspace/store/atomic-file.ts";
import { signatureOf } from "../../workspace/store/text-file.ts";
import type { Change } from "./plan.ts";

/**
 * Writes all changes, each file whole or not at all; nothing is begun while one of them cannot be written.
 * A link is followed, so that a file kept elsewhere is changed there and the link stays.
 * @throws GaiaError naming the file
 */
export async function applyChanges(changes: readonly Change[]): Promise<void> {
  for (const { path, before } of changes) if (before !== null) await refuseReadOnly(path);
  for (const change of changes) await write(change);
}

async function refuseReadOnly(path: string): Promise<void> {
  if (await isWritable(path)) return;
  throw createError("init", `${path} is read-only, so nothing was changed.`, {
    hint: "Make it writable, or add the plugin where this file is made. --dry-run shows what would be added.",
  });
}

async function write({ path, before, after, signature }: Change): Promise<void> {
  try {
    if (before === null) await mkdir(dirname(path), { recursive: true });
    const target = before === null ? path : await realpath(path);
    const written = await writeFileAtomic(
      target,
      after,
      async () => (await signatureOf(target)) === signature,
    );
    if (written) return;
  } catch (error) {
    if (isGaiaError(error)) throw error;
    throw createError("init", `${path} could not be written: ${describeError(error)}.`, {
      cause: error,
      hint: "Its old content is untouched.",
    });
  }
  throw createError("init", `${path} was changed by somebody else at this moment and was left alone.`, {
    hint: "Run init again.",
  });
}

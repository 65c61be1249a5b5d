import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Lets a program look at contents that no file of the project has: they stand by these names in a temporary folder, which
 * is removed when the work is done or fails.
 */
export async function withThrowawayFiles<T>(
  files: ReadonlyMap<string, string | Uint8Array>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "gaia-"));
  try {
    for (const [name, content] of files) await writeFile(join(folder, name), content);
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

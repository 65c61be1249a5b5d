import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A real folder of its own, gone after the test. */
export async function openFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "gaia-")));
  onTestFinished(async () => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

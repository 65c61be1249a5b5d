import { rm } from "node:fs/promises";
import { join } from "node:path";
import { composeRuntime } from "../../src/composition/runtime.ts";
import { beginStart } from "../../src/composition/start.ts";
import type { Host } from "../../src/host/port.ts";

/** GAIA's features, as they stand once someone talks to her: those of a process of its own, and any before it has been killed. */
export async function createRuntime(
  host: Host,
  options: unknown,
): Promise<ReturnType<typeof composeRuntime>> {
  // By the id of a process that lives they would be held.
  await rm(join(host.project, ".gaia/.local/runs"), { recursive: true, force: true });
  return composeRuntime(await beginStart(host, options));
}

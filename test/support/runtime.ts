import { composeRuntime } from "../../src/composition/runtime.ts";
import { beginStart } from "../../src/composition/start.ts";
import type { Host } from "../../src/host/port.ts";

/** GAIA's features, as they stand once someone talks to her. */
export async function createRuntime(
  host: Host,
  options: unknown,
): Promise<ReturnType<typeof composeRuntime>> {
  return composeRuntime(await beginStart(host, options));
}

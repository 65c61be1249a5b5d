import type { SandboxConfig } from "../config/sandbox.ts";
import type { Containment } from "../sandbox/port.ts";
import type { RunOptions } from "./definition-of-done/run.ts";

/** Contains the checks of the Definition of Done: while locked, the project is read-only for them too (SPEC 9). */
export function containChecks(
  load: () => Promise<Containment>,
  { network }: SandboxConfig,
): (isLocked: boolean) => RunOptions["contain"] {
  return (isLocked) => async (command, folder) => {
    const containment = await load();
    const state = await containment.ready();
    if (state.kind === "unavailable") throw new Error(state.why);
    const project = isLocked ? "read" : "write";
    return containment.command({ project, network: network && !isLocked, caches: true }, folder, command);
  };
}

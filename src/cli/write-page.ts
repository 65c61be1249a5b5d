import { loadPanelKey, panelKeyPath } from "../conversation/display/panel-key.ts";
import { systemClock } from "../lib/clock.ts";
import { silentLogger } from "../lib/logger.ts";
import { createRedactor } from "../lib/redaction.ts";
import { createSeal } from "../lib/seal.ts";
import { createWorkspace } from "../workspace/workspace.ts";

/**
 * Writes the page of a unit, with what this user's plugin has sealed as such.
 * @param environment whose plugin did the work
 * @param unit by default the active one, else the newest of the archive
 * @returns its path
 * @throws GaiaError where there is no such unit, or the record leads out of the project
 */
export async function writePage(
  directory: string,
  environment: NodeJS.ProcessEnv,
  { unit, out }: { readonly unit?: string | undefined; readonly out?: string | undefined } = {},
): Promise<string> {
  const redact = createRedactor(environment);
  const seal = createSeal(() => loadPanelKey(panelKeyPath(environment)));
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger, redact, seal });
  const { writeReport } = await import("../report/write.ts");
  return writeReport({ directory, workspace }, unit, out, redact);
}

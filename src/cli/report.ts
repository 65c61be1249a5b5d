import { loadPanelKey, panelKeyPath } from "../conversation/display/panel-key.ts";
import { systemClock } from "../lib/async.ts";
import { findProject, repositoryRoot } from "../lib/folders.ts";
import { silentLogger } from "../lib/error.ts";
import { createRedactor } from "../lib/redaction.ts";
import { createSeal } from "../lib/seal.ts";
import { createWorkspace } from "../record/workspace.ts";
import { defineCommand } from "./main.ts";

/** Writes the page of a unit, by default the newest, with what this user's plugin has sealed as such. @returns its path */
export async function writePage(
  directory: string,
  environment: NodeJS.ProcessEnv,
  unit?: string,
): Promise<string> {
  const redact = createRedactor(environment);
  const seal = createSeal(() => loadPanelKey(panelKeyPath(environment)));
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger, redact, seal });
  const { writeReport } = await import("../report/write.ts");
  return writeReport({ directory, workspace, environment }, unit, redact);
}

const HELP = `opencode-gaia report [unit]

Writes what a work unit did, cost and proved as one page that needs no network, and prints where it is:
.gaia/.local/reports/<unit>.html, which git ignores.

  unit  Its name, also of an archived one; by default the active unit, else the newest of the archive.`;

export const report = defineCommand({
  name: "report",
  summary: "write what a work unit did, cost and proved as one HTML page",
  help: HELP,
  options: {},
  words: 1,
  async run(_given, { print, from, environment }, [unit]) {
    print(await writePage(findProject(from, repositoryRoot(from)), environment, unit));
    return 0;
  },
});

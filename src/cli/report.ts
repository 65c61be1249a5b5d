import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { loadPanelKey, panelKeyPath } from "../conversation/display/panel-key.ts";
import { systemClock } from "../lib/async.ts";
import { findProject, repositoryRoot } from "../lib/folders.ts";
import { createError, describeError, silentLogger } from "../lib/error.ts";
import { createRedactor } from "../lib/redaction.ts";
import { createSeal } from "../lib/seal.ts";
import { localFile } from "../record/store.ts";
import { createWorkspace } from "../record/workspace.ts";
import { gatherReport } from "../report/gather.ts";
import { renderPage } from "../report/render.ts";
import { defineCommand } from "./main.ts";

/**
 * Writes the page of a unit, by default the newest, into `.gaia/.local`, with what this user's plugin has sealed as such.
 * @returns its path
 * @throws GaiaError for no such unit, and where it cannot be written
 */
export async function writePage(
  directory: string,
  environment: NodeJS.ProcessEnv,
  unit?: string,
): Promise<string> {
  const redact = createRedactor(environment);
  const seal = createSeal(() => loadPanelKey(panelKeyPath(environment)));
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger, redact, seal });
  const facts = await gatherReport({ directory, workspace, environment }, unit);
  const path = await localFile(directory, `reports/${facts.unit}.html`);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, renderPage(facts, redact));
  } catch (cause) {
    throw createError("report", `${path} cannot be written: ${describeError(cause)}.`, { cause });
  }
  return path;
}

export const report = defineCommand({
  name: "report",
  summary: "write what a work unit did, cost and proved as one HTML page",
  options: {},
  words: 1,
  async run(_given, { print, from, environment }, [unit]) {
    print(await writePage(findProject(from, repositoryRoot(from)), environment, unit));
    return 0;
  },
});

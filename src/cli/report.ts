import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { loadPanelKey, panelKeyPath } from "../conversation/display/panel-key.ts";
import { systemClock } from "../lib/clock.ts";
import { findProject, repositoryRoot } from "../lib/find-project.ts";
import { silentLogger } from "../lib/logger.ts";
import { createRedactor } from "../lib/redaction.ts";
import { createSeal } from "../lib/seal.ts";
import { createWorkspace } from "../record/workspace.ts";
import { defineCommand, type Print } from "./main.ts";

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

const HELP = `opencode-gaia report [unit] [--out file] [--open]

Writes what a work unit did, cost and proved as one page that needs no network.

  unit        Its name, also of an archived one; by default the active unit, else the newest of the archive.
  --out file  Where to; by default .gaia/.local/reports/<unit>.html, which git ignores.
  --open      Opens it in your browser.
  --help      This text.`;
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** `opencode-gaia report`. */
export const report = defineCommand({
  name: "report",
  summary: "write what a work unit did, cost and proved as one HTML page",
  help: HELP,
  options: { out: { type: "string" }, open: { type: "boolean" } },
  words: 1,
  async run({ out, open = false }, { print, from, environment }, [unit]) {
    const directory = findProject(from, repositoryRoot(from));
    const file = out === undefined ? undefined : resolve(from, out);
    const path = await writePage(directory, environment, { unit, out: file });
    print(path);
    if (open) openFile(path, print);
    return 0;
  },
});

function openFile(path: string, print: Print): void {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const child = spawn(program, [...args, path], { stdio: "ignore", detached: true });
  child.once("error", () => print("No browser could be started; open the file yourself."));
  child.unref();
}

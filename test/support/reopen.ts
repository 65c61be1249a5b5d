import { setTimeout as pause } from "node:timers/promises";
import { openProject, type Project, type ProjectOptions } from "./project.ts";

/** How often a half instance is given up for another one. */
const MAX_TRIES = 4;
/** Nothing happens any more where nothing was told for so long, in milliseconds. */
const QUIET_MS = 400;

/**
 * As after a restart of OpenCode, in the server that runs: the project's instance is disposed of and made anew, and the plugin
 * knows nothing any more. What OpenCode or the plugin still does meanwhile (a note behind a command, the end of a turn) is
 * carried out by the instance that ends, and leaves to the next one a list of agents without the plugin's: so it is waited
 * for first, and such an instance is disposed of again.
 */
export async function reopen(before: Project, options: ProjectOptions = {}): Promise<Project> {
  let project = before;
  for (let tries = 1; ; tries += 1) {
    const last = project;
    await untilQuiet(last);
    const gone = (): number => last.events.filter(({ type }) => type === "server.instance.disposed").length;
    const earlier = gone();
    await last.call("POST", "/instance/dispose");
    await last.until("the end of the instance", () => gone() > earlier);
    project = await openProject({ ...options, resume: last });
    const agents = JSON.stringify(await project.call("GET", "/agent"));
    if (agents.includes('"gaia"') || tries === MAX_TRIES) return project;
  }
}

async function untilQuiet({ events }: Project): Promise<void> {
  for (let seen = -1; seen !== events.length;) {
    seen = events.length;
    await pause(QUIET_MS);
  }
}

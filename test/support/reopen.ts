import { openProject, type Project, type ProjectOptions } from "./project.ts";

/** How often a half instance is given up for another one. */
const MAX_TRIES = 4;

/**
 * As after a restart of OpenCode, in the server that runs: the project's instance is disposed of and made anew, and the plugin
 * knows nothing any more. What is asked before the old one is gone for good meets half an instance, one without the plugin's
 * agents; OpenCode does not tell when that is over, so such a one is disposed of again.
 */
export async function reopen(before: Project, options: ProjectOptions = {}): Promise<Project> {
  let project = before;
  for (let tries = 1; ; tries += 1) {
    const last = project;
    const gone = (): number => last.events.filter(({ type }) => type === "server.instance.disposed").length;
    const earlier = gone();
    await last.call("POST", "/instance/dispose");
    await last.until("the end of the instance", () => gone() > earlier);
    project = await openProject({ ...options, resume: last });
    const agents = JSON.stringify(await project.call("GET", "/agent"));
    if (agents.includes('"gaia"') || tries === MAX_TRIES) return project;
  }
}

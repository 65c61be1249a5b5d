import { openProject, type Project, type ProjectOptions } from "./project.ts";

/**
 * As after a restart of OpenCode, in the server that runs: the project's instance is disposed of and made anew, and the plugin
 * knows nothing any more. What is asked before the old one is gone for good would meet half an instance.
 */
export async function reopen(before: Project, options: ProjectOptions = {}): Promise<Project> {
  const gone = (): number => before.events.filter(({ type }) => type === "server.instance.disposed").length;
  const earlier = gone();
  await before.call("POST", "/instance/dispose");
  await before.until("the end of the instance", () => gone() > earlier);
  return openProject({ ...options, resume: before });
}

import { sharedServer } from "./shared-server.ts";
import { readLog } from "./opencode.ts";
import type { Project } from "./project.ts";

/** Faults of OpenCode itself or of a plugin in it that nobody caught: a scenario must leave none behind. */
const FAULT = /unhandled|uncaught|\b(Type|Reference|Range)Error\b/i;

/** Where the log of an OpenCode stands now; a later {@link faultsSince} reads on from here. */
export async function logPosition(root = sharedServer().root): Promise<number> {
  return (await readLog(root)).length;
}

/** The lines with uncaught faults that were logged since. The server is shared, so only this project's count. */
async function faultsSince(position: number, root = sharedServer().root): Promise<string[]> {
  const lines = (await readLog(root)).slice(position).split("\n");
  return lines.filter((line) => FAULT.test(line));
}

/** What every scenario has to end with. @throws when a session goes on working, or something was logged as uncaught */
export async function assertNothingLeft(project: Project, position: number, root?: string): Promise<void> {
  await project.until("every session to be idle", async () => {
    return Object.keys((await project.call("GET", "/session/status")) as object).length === 0;
  });
  const faults = await faultsSince(position, root);
  if (faults.length > 0) throw new Error(`Uncaught in OpenCode:\n${faults.join("\n")}`);
}

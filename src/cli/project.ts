import { systemClock } from "../lib/async.ts";
import { findProject, repositoryRoot } from "../lib/folders.ts";
import { openWithTrust } from "../project/trust.ts";
import { findOwnOptions } from "./opencode-files.ts";

/** The project that one is in with its settings, as OpenCode's files hand them to the plugin, and the user's trust in it. */
export async function openProjectAround(from: string, environment: NodeJS.ProcessEnv) {
  const top = repositoryRoot(from);
  const directory = findProject(from, top);
  const options = await findOwnOptions(from, environment);
  const project = await openWithTrust({ directory, options, environment, clock: systemClock });
  return { ...project, top, directory };
}

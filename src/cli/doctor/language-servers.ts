import { type LanguageReport, surveyServers } from "../../extras/language-servers/find-server.ts";
import { readConfigured } from "../../extras/language-servers/known-servers.ts";
import { systemClock } from "../../lib/clock.ts";
import { realPathOf } from "../../policy/real-path.ts";
import { usersSettings } from "../../trust/options-origin.ts";
import { openVcs } from "../../vcs/open.ts";

/** The language servers for a project, as its sessions would start them. @param isContained whether servers would be contained */
export async function findLanguageServers(
  worktree: string,
  project: string,
  isContained: boolean,
  environment: NodeJS.ProcessEnv,
): Promise<readonly LanguageReport[]> {
  const { isIgnored } = openVcs(worktree, project, systemClock);
  const home = realPathOf(project);
  return surveyServers({
    project: home,
    home,
    path: environment["PATH"] ?? "",
    configured: readConfigured(await usersSettings(systemClock, environment)),
    mayRun: async (path) => isContained || (await isIgnored(path.slice(home.length + 1))),
  });
}

import { systemClock } from "../../lib/clock.ts";
import { findProject, repositoryRoot } from "../../lib/find-project.ts";
import { silentLogger } from "../../lib/logger.ts";
import { createRedactor } from "../../lib/redaction.ts";
import { openKnowledge, type Knowledge } from "../../knowledge/open.ts";
import { KNOWLEDGE_FOLDER } from "../../knowledge/committed.ts";
import { openVcs } from "../../vcs/open.ts";
import { GAIA_FOLDER } from "../../workspace/gaia-path.ts";
import { openWithTrust } from "../../project/trust.ts";
import { findOwnOptions } from "../trust/own-options.ts";

/** What is known in the project that one is in, with the project's settings. */
export async function openProjectKnowledge(from: string, environment: NodeJS.ProcessEnv) {
  const top = repositoryRoot(from);
  const directory = findProject(from, top);
  const options = await findOwnOptions(from, environment);
  const project = await openWithTrust({ directory, options, environment, clock: systemClock }, silentLogger);
  const redact = createRedactor(environment);
  const { config } = project.opened.loaded;
  const knowledge: Knowledge = openKnowledge({
    directory,
    host: { worktree: top, logger: silentLogger },
    environment,
    clock: systemClock,
    redact,
    ...config.knowledge,
    // Nobody's turn waits for it, and nothing found must mean that there is nothing.
    timeoutMs: 10_000,
  });
  /** Whether git takes no notice of entries, so that nobody commits them. */
  const isIgnored = async (): Promise<boolean> =>
    openVcs(top, directory, systemClock).isIgnored(`${GAIA_FOLDER}/${KNOWLEDGE_FOLDER}/any.md`);
  return { ...project, directory, config, redact, knowledge, isIgnored };
}

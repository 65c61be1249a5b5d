import { buildAgents, type Agents } from "../agents/build.ts";
import { sandboxOf, type SandboxConfig } from "../config/sandbox.ts";
import type { LoadedConfig } from "../config/resolve.ts";
import type { ConfigProblem } from "../config/problem.ts";
import type { ResolvedConfig } from "../config/schema.ts";
import { APPROVAL_PERMISSIONS } from "../conversation/approvals/ask-approval.ts";
import { loadPanelKey, panelKeyPath } from "../conversation/display/panel-key.ts";
import type { Host } from "../host/port.ts";
import { steadyClock, type Clock } from "../lib/clock.ts";
import { describeError } from "../lib/error.ts";
import { lazy } from "../lib/lazy.ts";
import { createRedactor, type Redactor } from "../lib/redaction.ts";
import { createSeal, type Seal } from "../lib/seal.ts";
import { isSensitivePath } from "../policy/sensitive-path.ts";
import { settleCutOff } from "../project/lanes.ts";
import type { ProjectPlace } from "../project/open.ts";
import { openWithTrust, type ProjectTrust } from "../project/trust.ts";
import { fileToolsOf, TOOL_NAMES } from "../tools/registry.ts";
import { openVcs } from "../vcs/open.ts";
import type { Vcs } from "../vcs/port.ts";

/** What every room of one instance stands on: the configuration as far as the user trusts it, the agents, the repository. */
export interface Ground {
  readonly host: Host;
  readonly clock: Clock;
  readonly place: ProjectPlace;
  readonly config: ResolvedConfig;
  readonly loaded: LoadedConfig;
  readonly sandbox: SandboxConfig;
  /** What was ignored of the configuration and of the project's own specialists. */
  readonly problems: readonly ConfigProblem[];
  readonly trust: ProjectTrust;
  readonly agents: Agents;
  readonly vcs: Vcs;
  readonly redact: Redactor;
  /** The secret that only the panel shares. @throws when there is none */
  readonly userKey: () => string;
  readonly seal: Seal;
  /** Whether no model may see the content of a file, by its path relative to the project (SPEC 9). */
  isSensitive(this: void, path: string): boolean;
}

/** @param options configuration that the host's own has for the plugin */
export async function layGround(host: Host, options: unknown): Promise<Ground> {
  const clock = steadyClock;
  const { project, logger } = host;
  const place = { directory: project, options, environment: process.env, clock };
  const { opened, trust } = await openWithTrust(place, logger);
  const { loaded, definitions } = opened;
  const { config } = loaded;
  await settleCutOff(project, logger).catch((error: unknown) => {
    logger.log("error", "worktrees", describeError(error));
  });
  const userKey = lazy(() => loadPanelKey(panelKeyPath(process.env)));
  return {
    host,
    clock,
    place,
    config,
    loaded,
    sandbox: sandboxOf(config),
    problems: [...loaded.problems, ...opened.customProblems],
    trust,
    agents: buildAgents({
      definitions,
      overrides: config.agents,
      specialistTools: config.specialistTools,
      ownTools: TOOL_NAMES,
      approvals: APPROVAL_PERMISSIONS,
      fileTools: (definition) => fileToolsOf(config, definition),
    }),
    vcs: openVcs(host.worktree, project, clock),
    redact: createRedactor(process.env),
    userKey,
    seal: createSeal(userKey),
    isSensitive: (path) => isSensitivePath(path, config.policy.allowSensitive),
  };
}

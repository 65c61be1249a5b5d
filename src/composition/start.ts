import { buildAgents } from "../agents/build.ts";
import { GAIA } from "../agents/gaia.ts";
import { lanesOf } from "../config/lanes.ts";
import { APPROVAL_PERMISSIONS } from "../conversation/collaboration/approval-kinds.ts";
import { createGaiaSessions } from "../delegation/gaia-sessions.ts";
import type { Registered } from "../host/hook-events.ts";
import type { Host } from "../host/port.ts";
import { steadyClock, systemClock } from "../lib/async.ts";
import { logFailure } from "../lib/error.ts";
import { settleCutOff } from "../project/lanes.ts";
import { openWithTrust } from "../project/trust.ts";
import type { Start } from "../runtime.ts";
import { unitFolders } from "../snapshot/lanes/unit-place.ts";
import { fileToolsOf, TOOL_NAMES } from "../tools/announced.ts";

/**
 * Loads the configuration. The host awaits this at start-up, so nothing here asks it for anything (OPENCODE.md trap 8).
 * @param options configuration that the host's own has for the plugin
 */
export async function beginStart(host: Host, options: unknown): Promise<Start> {
  const clock = steadyClock;
  const began = { at: clock.now(), day: systemClock.now() };
  const { project, logger } = host;
  const place = { directory: project, options, environment: process.env, clock };
  const { opened, trust } = await openWithTrust(place, logger);
  const { loaded, definitions } = opened;
  const { config } = loaded;
  await settleCutOff(project, logger).catch(logFailure(logger, "error", "worktrees"));
  const agents = buildAgents({
    definitions,
    overrides: config.agents,
    specialistTools: config.specialistTools,
    ownTools: TOOL_NAMES,
    approvals: APPROVAL_PERMISSIONS,
    names: host.permissionNames,
    opens: lanesOf(config).land === "branch" ? unitFolders(process.env) : undefined,
    fileTools: (definition) => fileToolsOf(config, definition),
  });
  let registered: Registered = {
    commands: [],
    agents: [],
    denied: { read: [], edit: [], commands: [] },
  };
  return {
    host,
    clock,
    place,
    began,
    config,
    loaded,
    problems: [...loaded.problems, ...opened.customProblems],
    trust,
    agents,
    sessions: createGaiaSessions(host, GAIA, (agent) => agents.specialists.has(agent)),
    registered: () => registered,
    noteRegistered(found) {
      registered = found;
    },
  };
}

import type { Hooks, PluginInput, PluginOptions } from "@opencode-ai/plugin";
import { homedir } from "node:os";
import { join } from "node:path";
import { createAssumptions } from "./conversation/assumptions/assumptions.ts";
import { buildAgents } from "./agents/build.ts";
import { demeter } from "./agents/demeter.ts";
import { GAIA } from "./agents/gaia.ts";
import { loadCustomSpecialists } from "./agents/custom/load.ts";
import { SPECIALISTS } from "./agents/registry.ts";
import { loadConfig } from "./config/loader.ts";
import { createMemory } from "./memory/memory.ts";
import { renderProjectContext } from "./context/project-context.ts";
import { createSessionContext } from "./context/session-context.ts";
import { APPROVAL_PERMISSIONS } from "./conversation/approvals/ask-approval.ts";
import { createCheckRuns } from "./conversation/checks/check-runs.ts";
import { createSupervision } from "./conversation/supervision.ts";
import { createOffers } from "./conversation/questions/offers.ts";
import { createStages } from "./conversation/planning/stage.ts";
import { loadPolicy } from "./policy/load-policy.ts";
import { createContinuation } from "./conversation/continuation/continuation.ts";
import { createDelegationEngine } from "./delegation/engine.ts";
import { createResultDelivery, type ResultDelivery } from "./delegation/result-delivery.ts";
import { engineSettings } from "./delegation/settings.ts";
import { createGaiaSessions } from "./delegation/gaia-sessions.ts";
import { composeHooks } from "./hooks/compose.ts";
import { listHooks } from "./hooks/registry.ts";
import { createReviewerBriefs } from "./review/reviewer-briefs.ts";
import { createVerifier } from "./checks/verifier.ts";
import { createOpenCodeHost } from "./host/opencode/adapter.ts";
import { toOpenCodeTool } from "./host/opencode/tools.ts";
import { systemClock } from "./lib/clock.ts";
import { createRedactor } from "./lib/redaction.ts";
import { isSensitivePath } from "./policy/sensitive-path.ts";
import type { Runtime } from "./runtime.ts";
import { listTools, TOOL_NAMES } from "./tools/registry.ts";
import { detectVcs } from "./vcs/detect.ts";
import { createWorkspace } from "./workspace/workspace.ts";

/**
 * Composes the plugin for one OpenCode instance: loads the configuration, builds the runtime, lists what is
 * registered. OpenCode awaits this at start-up, so nothing here asks OpenCode for anything (OPENCODE.md trap 8).
 * @param options the second element of the plugin's entry in opencode.json
 */
export async function createPlugin(input: PluginInput, options?: PluginOptions): Promise<Hooks> {
  const clock = systemClock;
  const host = createOpenCodeHost(input, clock);
  const shipped = SPECIALISTS.map(({ name }) => name);
  const custom = await loadCustomSpecialists(host.directory, [GAIA, ...shipped], clock);
  const definitions = [...SPECIALISTS, ...custom.definitions];
  const loaded = await loadConfig({
    userConfigDir: join(process.env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config"), "opencode"),
    projectDirectory: host.directory,
    pluginOptions: options,
    knownAgents: [GAIA, ...definitions.map(({ name }) => name)],
  });
  const { config } = loaded;
  const problems = [...loaded.problems, ...custom.problems];
  const agents = buildAgents({
    definitions,
    overrides: config.agents,
    specialistTools: config.specialistTools,
    ownTools: TOOL_NAMES,
    approvals: APPROVAL_PERMISSIONS,
  });
  const engine = createDelegationEngine(host, clock, engineSettings(config), (sessionId) =>
    supervision.calls.isHeldUp(sessionId),
  );
  const sessions = createGaiaSessions(host, GAIA);
  const redact = createRedactor(process.env);
  const workspace = createWorkspace({ directory: host.directory, clock, logger: host.logger, redact });
  const examine = loadPolicy({
    directory: host.directory,
    own: TOOL_NAMES,
    checks: (config.definitionOfDone?.checks ?? []).map(({ command }) => command),
    ...config.policy,
  });
  const vcs = detectVcs(host.worktree);
  const stages = createStages();
  const verifier = createVerifier({
    directory: host.directory,
    vcs,
    configured: config.definitionOfDone,
    problems: loaded.problems,
    clock,
    redact,
    onReport(rootId, report) {
      supervision.checked(rootId, report);
    },
  });
  const supervision = createSupervision({
    host,
    clock,
    engine,
    sessions,
    workspace,
    verifier,
    stages,
    redact,
    examine,
    defaults: config,
    guards: config.guards,
    orchestrator: GAIA,
    historian: demeter.name,
    readers: [...agents.readers],
    isListed: (agent) => agents.listed.has(agent),
    specialists: [...agents.specialists.keys()],
    harmless: [...agents.specialists.values()].filter(({ mutates }) => !mutates).map(({ name }) => name),
  });
  const checkRuns = createCheckRuns({ host, verifier, workspace });
  const mayWake = (rootId: string): boolean => !supervision.isPaused(rootId);
  const gate: ResultDelivery = createResultDelivery({
    host,
    clock,
    engine,
    speaker: sessions.speaker,
    mayWake,
    lines: (rootId) => supervision.conversations.peek(rootId)?.takeLines() ?? [],
    delivered: (rootId) => continuation?.resultsCame(rootId),
  });
  const continuation = config.guards.continuation
    ? createContinuation({
        host,
        tasks: engine.tasks,
        workspace,
        conversationOf: (rootId) =>
          sessions.speaker(rootId)?.agent === GAIA ? supervision.conversations.peek(rootId) : undefined,
        send: gate.nudge,
      })
    : null;
  const runtime: Runtime = {
    host,
    clock,
    config,
    problems,
    agents,
    engine,
    sessions,
    gate,
    continuation,
    supervision,
    stages,
    offers: createOffers(),
    assumptions: createAssumptions(),
    checkRuns,
    workspace,
    verifier,
    reviewerBriefs: createReviewerBriefs({
      directory: host.directory,
      vcs,
      clock,
      isSensitive: (path) => isSensitivePath(path, config.policy.allowSensitive),
      redact,
    }),
    context: createSessionContext(async () =>
      renderProjectContext(host.directory, config.gaiaContext, clock),
    ),
    memory: createMemory({
      workspace,
      clock,
      logger: host.logger,
      redact,
      useLearnings: config.gaiaContext.useLearnings,
    }),
    vcs,
  };
  const tools = listTools(runtime).map((tool) => [tool.name, toOpenCodeTool(tool, host.logger)]);
  return {
    tool: Object.fromEntries(tools),
    ...composeHooks(listHooks(runtime, host), host.logger),
    dispose: async () => {
      gate.dispose();
      engine.dispose();
      checkRuns.dispose();
      await supervision.dispose();
      await runtime.memory.capture.flush();
    },
  };
}

import type { Hooks, PluginInput, PluginOptions } from "@opencode-ai/plugin";
import { homedir } from "node:os";
import { join } from "node:path";
import { buildAgents } from "./agents/build.ts";
import { GAIA } from "./agents/gaia.ts";
import { loadCustomSpecialists } from "./agents/custom/load.ts";
import { knownAgents, SPECIALISTS } from "./agents/registry.ts";
import { loadConfig } from "./config/loader.ts";
import { createMemory } from "./memory/memory.ts";
import { renderProjectContext } from "./context/project-context.ts";
import { createSessionContext } from "./context/session-context.ts";
import { APPROVAL_PERMISSIONS } from "./conversation/approvals/ask-approval.ts";
import { createCheckRuns } from "./conversation/checks/check-runs.ts";
import { createSupervision } from "./conversation/supervision.ts";
import { createConversations } from "./conversation/conversations.ts";
import { loadPanelKey, panelKeyPath } from "./conversation/display/panel-key.ts";
import { panelCheck } from "./conversation/display/panel-snapshot.ts";
import type { ConversationServices } from "./conversation/services.ts";
import { createStages } from "./conversation/planning/stage.ts";
import { loadPolicy } from "./policy/load-policy.ts";
import { createDelegationEngine } from "./delegation/engine.ts";
import { engineSettings } from "./delegation/settings.ts";
import { createGaiaSessions } from "./delegation/gaia-sessions.ts";
import { composeHooks } from "./hooks/compose.ts";
import { listHooks } from "./hooks/registry.ts";
import { createReviewerBriefs } from "./review/reviewer-briefs.ts";
import { createVerifier } from "./checks/verifier.ts";
import type { HookHandlers } from "./host/hook.ts";
import type { Host } from "./host/port.ts";
import type { EndCall, ToolDefinition } from "./host/tool.ts";
import { createOpenCodeHost } from "./host/opencode/adapter.ts";
import { toOpenCodeHooks } from "./host/opencode/hooks.ts";
import { toOpenCodeTool } from "./host/opencode/tools.ts";
import { systemClock } from "./lib/clock.ts";
import { lazy } from "./lib/lazy.ts";
import { createRedactor } from "./lib/redaction.ts";
import { isSensitivePath } from "./policy/sensitive-path.ts";
import type { Runtime } from "./runtime.ts";
import { createEndCall, listTools, TOOL_NAMES } from "./tools/registry.ts";
import { openVcs } from "./vcs/open.ts";
import { createWorkspace } from "./workspace/workspace.ts";

/** The plugin for one instance of OpenCode. @param options the second element of its entry in opencode.json */
export async function createPlugin(input: PluginInput, options?: PluginOptions): Promise<Hooks> {
  const host = createOpenCodeHost(input, systemClock);
  const { tools, endCall, handlers, dispose } = await composePlugin(host, options);
  const entries = tools.map((tool) => [tool.name, toOpenCodeTool(tool, host.logger, endCall)]);
  return { tool: Object.fromEntries(entries), ...toOpenCodeHooks(handlers, host), dispose };
}

/** What a host is given of the plugin, in our own words. */
export interface ComposedPlugin {
  readonly tools: readonly ToolDefinition[];
  readonly endCall: EndCall;
  readonly handlers: HookHandlers;
  dispose(): Promise<void>;
}

/**
 * Composes the plugin: loads the configuration, builds the runtime, lists what is registered. The host awaits this at
 * start-up, so nothing here asks it for anything (OPENCODE.md trap 8).
 * @param options configuration that the host's own has for the plugin
 */
export async function composePlugin(host: Host, options: unknown): Promise<ComposedPlugin> {
  const clock = systemClock;
  const custom = await loadCustomSpecialists(host.directory, Object.keys(knownAgents([])), clock);
  const definitions = [...SPECIALISTS, ...custom.definitions];
  const loaded = await loadConfig({
    userConfigDir: join(process.env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config"), "opencode"),
    projectDirectory: host.directory,
    pluginOptions: options,
    knownAgents: knownAgents(custom.definitions),
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
  const engine = createDelegationEngine(host, clock, engineSettings(config));
  const sessions = createGaiaSessions(host, GAIA, (agent) => agents.specialists.has(agent));
  const redact = createRedactor(process.env);
  const workspace = createWorkspace({ directory: host.directory, clock, logger: host.logger, redact });
  const examine = loadPolicy({
    directory: host.directory,
    own: TOOL_NAMES,
    server: () => host.address(),
    checks: (config.definitionOfDone?.checks ?? []).map(({ command }) => command),
    ...config.policy,
  });
  const vcs = openVcs({ worktree: host.worktree, directory: host.directory, clock });
  const stages = createStages();
  const verifier = createVerifier({
    directory: host.directory,
    vcs,
    configured: config.definitionOfDone,
    problems: loaded.problems,
    clock,
    redact,
    examine: async (command) => examine("bash", { kind: "command", command, workdir: null }),
    onReport(rootId, report) {
      conversations.peek(rootId)?.learn({ check: panelCheck(report) });
    },
  });
  const services: ConversationServices = {
    host,
    clock,
    engine,
    sessions,
    workspace,
    verifier,
    stages,
    redact,
    defaults: config,
    guards: config.guards,
    orchestrator: GAIA,
    roleOf: agents.roleOf,
  };
  const conversations = createConversations(services);
  const supervision = createSupervision({
    ...services,
    conversations,
    examine,
    readers: [...agents.readers, ...agents.named("checker")],
    isListed: (agent) => agents.listed.has(agent),
    panelKey: lazy(() => loadPanelKey(panelKeyPath(process.env, homedir()))),
  });
  const checkRuns = createCheckRuns({ host, verifier, workspace });
  const runtime: Runtime = {
    host,
    clock,
    config,
    problems,
    agents,
    engine,
    sessions,
    supervision,
    stages,
    checkRuns,
    workspace,
    verifier,
    reviewerBriefs: createReviewerBriefs({
      vcs,
      isSensitive: (path) => isSensitivePath(path, config.policy.allowSensitive),
      redact,
    }),
    context: createSessionContext(async () =>
      renderProjectContext(host.directory, config.gaiaContext, clock, redact),
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
  return {
    tools: listTools(runtime),
    endCall: createEndCall(runtime),
    handlers: composeHooks(listHooks(runtime), host.logger),
    async dispose() {
      // First, so that what ends now wakes nobody.
      await conversations.dispose();
      engine.dispose();
      checkRuns.dispose();
      await runtime.memory.capture.flush();
    },
  };
}

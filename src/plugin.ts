import type { Hooks, PluginInput, PluginOptions } from "@opencode-ai/plugin";
import { buildAgents } from "./agents/build.ts";
import { GAIA } from "./agents/gaia.ts";
import { noteCommits } from "./knowledge/note-commits.ts";
import { openKnowledge } from "./knowledge/open.ts";
import { createMemory } from "./memory/memory.ts";
import { renderProjectContext } from "./context/project-context.ts";
import { openRules } from "./context/rules/open.ts";
import { createExperimentalHooks } from "./conversation/bearings/experimental.ts";
import { APPROVAL_PERMISSIONS } from "./conversation/approvals/ask-approval.ts";
import { openCode } from "./code/open.ts";
import { createSupervision } from "./conversation/supervision.ts";
import { type Conversations, createConversations } from "./conversation/conversations.ts";
import { placeRequests } from "./conversation/spending/place.ts";
import { createWorkplaces } from "./conversation/worktrees/workplace.ts";
import { openOwnWork } from "./conversation/own-work/open.ts";
import { loadPanelKey, panelKeyPath } from "./conversation/display/panel-key.ts";
import type { ConversationServices } from "./conversation/services.ts";
import { sandboxOf } from "./config/sandbox.ts";
import { containChecks } from "./checks/contain-checks.ts";
import { loadContainment } from "./policy/load-containment.ts";
import { loadExitCodeJudge } from "./policy/load-exit-code.ts";
import { loadPolicy } from "./policy/load-policy.ts";
import { examineForShell } from "./policy/other-shells.ts";
import { boundTasks } from "./delegation/bounds/bound-tasks.ts";
import { runLimits } from "./delegation/bounds/limits.ts";
import { createDelegationEngine } from "./delegation/engine.ts";
import { engineSettings } from "./delegation/settings.ts";
import { createGaiaSessions } from "./delegation/gaia-sessions.ts";
import { composeHooks } from "./hooks/compose.ts";
import { listHooks } from "./hooks/registry.ts";
import { createReviewerBriefs } from "./review/reviewer-briefs.ts";
import { createPreparedCalls, type PreparedTool } from "./editing/prepared-calls.ts";
import { openEvidence } from "./checks/evidence/open.ts";
import { createVerifier } from "./checks/verifier.ts";
import type { HookHandlers } from "./host/hook.ts";
import type { Host } from "./host/port.ts";
import type { EndCall, ToolDefinition } from "./host/tool.ts";
import { createOpenCodeHost } from "./host/opencode/adapter.ts";
import { toOpenCodeHooks } from "./host/opencode/hooks.ts";
import { toOpenCodeFileTool, toOpenCodeTool } from "./host/opencode/tools.ts";
import { steadyClock, systemClock } from "./lib/clock.ts";
import { lazy } from "./lib/lazy.ts";
import { describeError } from "./lib/error.ts";
import { createRedactor } from "./lib/redaction.ts";
import { createSeal } from "./lib/seal.ts";
import { isSensitivePath } from "./policy/sensitive-path.ts";
import { settleCutOff } from "./project/lanes.ts";
import { lanesOf } from "./config/lanes.ts";
import { openWithTrust } from "./project/trust.ts";
import type { Runtime } from "./runtime.ts";
import { createLedger } from "./spending/ledger.ts";
import { openAnchors } from "./tools/open-anchors.ts";
import {
  createEndCall,
  fileToolNames,
  fileToolsOf,
  listFileTools,
  listTools,
  TOOL_NAMES,
} from "./tools/registry.ts";
import { findHookFolders } from "./vcs/hook-folder.ts";
import { openVcs } from "./vcs/open.ts";
import { createRefWatch } from "./vcs/refs/ref-watch.ts";
import { createJournal } from "./workspace/store/journal.ts";
import { createWorkspace } from "./workspace/workspace.ts";

/** The plugin for one instance of OpenCode. @param options the second element of its entry in opencode.json */
export async function createPlugin(input: PluginInput, options?: PluginOptions): Promise<Hooks> {
  const host = createOpenCodeHost(input, steadyClock);
  const { tools, endCall, fileTools, handlers, dispose } = await composePlugin(host, options);
  const entries = [
    ...tools.map((tool) => [tool.name, toOpenCodeTool(tool, host.logger, endCall)]),
    ...fileTools.map((tool) => [tool.name, toOpenCodeFileTool(tool)]),
  ];
  return { tool: Object.fromEntries(entries), ...toOpenCodeHooks(handlers, host), dispose };
}

/** What a host is given of the plugin, in our own words. */
export interface ComposedPlugin {
  readonly tools: readonly ToolDefinition[];
  readonly endCall: EndCall;
  /** Those that work on the project's files. */
  readonly fileTools: readonly PreparedTool[];
  readonly handlers: HookHandlers;
  dispose(): Promise<void>;
}

/** Composes the plugin: builds the runtime and lists what is registered. */
export async function composePlugin(host: Host, options: unknown): Promise<ComposedPlugin> {
  const { runtime, dispose } = await createRuntime(host, options);
  return {
    tools: listTools(runtime),
    endCall: createEndCall(runtime),
    fileTools: listFileTools(runtime).map(runtime.prepared.serve),
    handlers: composeHooks(listHooks(runtime), host.logger),
    dispose,
  };
}

/**
 * Loads the configuration and builds what tools, hooks and commands work with. The host awaits this at start-up, so
 * nothing here asks it for anything (OPENCODE.md trap 8).
 * @param options configuration that the host's own has for the plugin
 */
export async function createRuntime(
  host: Host,
  options: unknown,
): Promise<{ runtime: Runtime; dispose: () => Promise<void> }> {
  const clock = steadyClock;
  const { project, logger } = host;
  const place = { directory: project, options, environment: process.env, clock };
  const { opened, trust } = await openWithTrust(place, host.logger);
  const { loaded, definitions } = opened;
  const { config } = loaded;
  await settleCutOff(project, host.logger).catch((error: unknown) => {
    host.logger.log("error", "worktrees", describeError(error));
  });
  const sandbox = sandboxOf(config);
  const problems = [...loaded.problems, ...opened.customProblems];
  const agents = buildAgents({
    definitions,
    overrides: config.agents,
    specialistTools: config.specialistTools,
    ownTools: TOOL_NAMES,
    approvals: APPROVAL_PERMISSIONS,
    fileTools: (definition) => fileToolsOf(config, definition),
  });
  const engine = createDelegationEngine(host, clock, engineSettings(config));
  const sessions = createGaiaSessions(host, GAIA, (agent) => agents.specialists.has(agent));
  const bounds = boundTasks(engine, host, {
    turnsInARow: config.autopilotSafeguards.maxTurnsInARow,
    spent: (sessionId) => ledger.reached(sessionId),
    limitsOf: (agent) => runLimits(agent, agents.stepsOf(agent), agent === GAIA ? null : config.delegation),
    speakerOf(sessionId) {
      const agent = sessions.speaker(sessionId)?.agent;
      return agent === undefined || agents.stepsOf(agent) === undefined ? null : agent;
    },
  });
  const redact = createRedactor(process.env);
  const userKey = lazy(() => loadPanelKey(panelKeyPath(process.env)));
  const seal = createSeal(userKey);
  const ledger = createLedger({
    journal: createJournal(project, "spending", () => new Date().toISOString().slice(0, 7)),
    directory: project,
    budgets: config.budget,
    clock,
    timeOfDay: systemClock,
    seal,
    logger: host.logger,
    placeOf: placeRequests({ sessions, engine, conversation: (rootId) => conversations.peek(rootId) }),
  });
  const workspace = createWorkspace({ directory: project, clock: systemClock, logger, redact, seal });
  const policy = {
    own: [...TOOL_NAMES, ...fileToolNames(config)],
    server: () => host.address(),
    hookFolders: async () => findHookFolders(host, clock),
    checks: (config.definitionOfDone?.checks ?? []).map(({ command }) => command),
    ...config.policy,
  };
  const examine = loadPolicy({ directory: host.directory, project, ...policy });
  const vcs = openVcs(host.worktree, project, clock);
  const isSensitive = (path: string): boolean => isSensitivePath(path, config.policy.allowSensitive);
  const { workStore, workWatch } = openOwnWork({ directory: project, vcs, clock, logger, isSensitive });
  const limits = {
    environment: process.env,
    clock,
    shell: () => host.shell(),
    writable: sandbox.writable,
    allowSensitive: config.policy.allowSensitive,
  };
  const containment = loadContainment({ project: host.worktree, ...limits });
  const examineCommand = async (command: string) =>
    examine("bash", { kind: "command", command, workdir: project === host.directory ? null : project });
  const evidence = openEvidence({
    directory: project,
    vcs,
    clock,
    timeOfDay: systemClock,
    redact,
    sandbox,
    containment,
    workspace,
    logger: host.logger,
    examine: examineCommand,
    judge: loadExitCodeJudge(project),
  });
  const verifier = createVerifier({
    ...evidence,
    timeOfDay: systemClock,
    directory: project,
    vcs,
    configured: loaded.wanted.definitionOfDone,
    problems: loaded.problems,
    clock,
    redact,
    untrusted: trust.untrusted,
    ...(sandbox.mode === "on" ? { contain: containChecks(containment, sandbox) } : {}),
    examine: examineCommand,
  });
  const knowledge = openKnowledge({ ...place, ...config.knowledge, host, redact });
  const memory = createMemory({
    workspace,
    knowledge,
    clock: systemClock,
    logger: host.logger,
    redact,
    useLearnings: config.gaiaContext.useLearnings,
    proposes: config.capture.enabled && config.capture.proposals,
  });
  const rules = openRules({ directory: project, clock, redact }, host);
  const experimental = createExperimentalHooks(host, config.experimental);
  const openWorkplace = createWorkplaces({ host, policy, containment: limits });
  const services: ConversationServices = {
    host,
    clock,
    openWorkplace,
    lanes: lanesOf(config).mode,
    engine,
    bounds,
    ledger,
    sessions,
    workspace,
    vcs,
    refs: noteCommits(createRefWatch(host.worktree, { directory: project, clock }), knowledge),
    workWatch,
    workStore,
    isSensitive,
    verifier,
    planEvidence: evidence.planEvidence,
    prover: evidence.prover,
    redact,
    defaults: config,
    capture: config.capture,
    notify: config.notify,
    guards: config.guards,
    memory,
    rules,
    renderProjectContext: async () =>
      renderProjectContext(project, config.gaiaContext, clock, redact, (await rules.now())?.index()),
    experimental,
    orchestrator: GAIA,
    roleOf: agents.roleOf,
    specialistOf: (name) => agents.specialists.get(name),
  };
  const conversations: Conversations = createConversations(services);
  const supervision = createSupervision({
    ...services,
    conversations,
    examine: examineForShell(examine, () => host.shell()),
    readers: [...agents.readers, ...agents.named("checker")],
    isListed: (agent) => agents.listed.has(agent),
    sandbox,
    containment,
    isOurs: (agent) => agent === GAIA || agents.specialists.has(agent),
    panelKey: userKey,
    timeOfDay: systemClock,
  });
  const editing = openAnchors(project, logger, redact, config.policy.allowSensitive);
  const runtime: Runtime = {
    host,
    clock,
    config,
    problems,
    agents,
    engine,
    bounds,
    ledger,
    sessions,
    conversations,
    supervision,
    workspace,
    verifier,
    trust,
    reviewerBriefs: createReviewerBriefs({ vcs, isSensitive, redact }),
    memory,
    knowledge,
    rules,
    experimental,
    vcs,
    openWorkplace,
    prepared: createPreparedCalls(redact),
    anchors: editing.anchors,
    code: openCode({ host, vcs, sandbox, limits }),
  };
  return {
    runtime,
    async dispose() {
      // First, so that what ends now wakes nobody.
      await conversations.dispose();
      engine.dispose();
      await runtime.code.dispose();
      containment.dispose();
      await memory.capture.flush();
      await Promise.all([workStore.settled(), editing.settled()]);
      await ledger.settled();
    },
  };
}

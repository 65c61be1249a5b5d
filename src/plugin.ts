import type { Hooks, PluginInput, PluginOptions } from "@opencode-ai/plugin";
import { openCode } from "./code/open.ts";
import { composeConversations } from "./composition/conversations.ts";
import { composeDelegation } from "./composition/delegation.ts";
import { layGround } from "./composition/ground.ts";
import { composeJudgement } from "./composition/judgement.ts";
import { composeProof } from "./composition/proof.ts";
import { composeRecord } from "./composition/record.ts";
import type { Conversations } from "./conversation/conversations.ts";
import { createPreparedCalls, type PreparedTool } from "./editing/prepared-calls.ts";
import { composeHooks } from "./hooks/compose.ts";
import { listHooks } from "./hooks/registry.ts";
import type { HookHandlers } from "./host/hook.ts";
import type { Host } from "./host/port.ts";
import type { EndCall, ToolDefinition } from "./host/tool.ts";
import { createOpenCodeHost } from "./host/opencode/adapter.ts";
import { toOpenCodeHooks } from "./host/opencode/hooks.ts";
import { toOpenCodeFileTool, toOpenCodeTool } from "./host/opencode/tools.ts";
import { steadyClock } from "./lib/clock.ts";
import { createReviewerBriefs } from "./review/reviewer-briefs.ts";
import type { Runtime } from "./runtime.ts";
import { openAnchors } from "./tools/open-anchors.ts";
import { createEndCall, listFileTools, listTools } from "./tools/registry.ts";

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
 * Loads the configuration and builds what tools, hooks and commands work with, room by room (`src/composition/`). The host
 * awaits this at start-up, so nothing here asks it for anything (OPENCODE.md trap 8).
 * @param options configuration that the host's own has for the plugin
 */
export async function createRuntime(
  host: Host,
  options: unknown,
): Promise<{ runtime: Runtime; dispose: () => Promise<void> }> {
  const ground = await layGround(host, options);
  const { clock, config, problems, agents, trust, vcs, redact, isSensitive, sandbox } = ground;
  const judgement = composeJudgement(ground);
  const delegation = composeDelegation(ground, (rootId) => conversations.peek(rootId));
  const record = composeRecord(ground);
  const proof = composeProof(ground, judgement, record.workspace);
  const talk = composeConversations(ground, { ...delegation, ...record, ...proof }, judgement);
  const conversations: Conversations = talk.conversations;
  const editing = openAnchors(host.project, host.logger, redact, config.policy.allowSensitive);
  const runtime: Runtime = {
    host,
    clock,
    config,
    problems,
    agents,
    trust,
    vcs,
    ...delegation,
    ...record,
    conversations,
    supervision: talk.supervision,
    experimental: talk.experimental,
    verifier: proof.verifier,
    reviewerBriefs: createReviewerBriefs({ vcs, isSensitive, redact }),
    openWorkplace: judgement.openWorkplace,
    prepared: createPreparedCalls(redact),
    anchors: editing.anchors,
    code: openCode({ host, vcs, sandbox, limits: judgement.limits }),
  };
  return {
    runtime,
    async dispose() {
      // First, so that what ends now wakes nobody.
      await conversations.dispose();
      delegation.engine.dispose();
      await Promise.all([runtime.code.dispose(), runtime.skillServers.dispose()]);
      judgement.containment.dispose();
      await record.memory.capture.flush();
      await Promise.all([talk.settled(), editing.settled()]);
      await delegation.ledger.settled();
    },
  };
}

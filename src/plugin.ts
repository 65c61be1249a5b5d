import type { Hooks, PluginInput, PluginOptions } from "@opencode-ai/plugin";
import type { GaiaFeatures } from "./composition/features.ts";
import { beginStart } from "./composition/start.ts";
import { composeHooks } from "./hooks/compose.ts";
import { createLazyFeatures } from "./hooks/lazy-features.ts";
import { createRegisterHook, createReportProblemsHook } from "./hooks/at-start.ts";
import type { Host } from "./host/port.ts";
import type { AnnouncedTool } from "./host/tool.ts";
import { createOpenCodeHost, openProcessOneShot } from "./host/opencode/adapter.ts";
import { announceToOpenCode } from "./host/opencode/announced-tool.ts";
import { toOpenCodeHooks } from "./host/opencode/hooks.ts";
import { steadyClock } from "./lib/async.ts";
import { createError } from "./lib/error.ts";
import { announceFileTools, announceTools } from "./tools/announced.ts";
import type { HookHandlers } from "./host/hook-events.ts";

/** The plugin for one instance of OpenCode. @param options the second element of its entry in opencode.json */
export async function createPlugin(input: PluginInput, options?: PluginOptions): Promise<Hooks> {
  const host = createOpenCodeHost(input, steadyClock, await openProcessOneShot());
  const { tools, handlers, open, dispose } = await composePlugin(host, options);
  return {
    tool: announceToOpenCode(tools, host, open),
    ...toOpenCodeHooks(handlers, host),
    dispose,
  };
}

/** What a host is given of the plugin, in our own words. */
export interface ComposedPlugin {
  readonly tools: readonly AnnouncedTool[];
  readonly handlers: HookHandlers;
  /** Loads what tools do; hooks load it by themselves. */
  open(this: void): Promise<GaiaFeatures>;
  dispose(this: void): Promise<void>;
}

/** Composes the plugin: begins the start, and lists what is registered. */
export async function composePlugin(host: Host, options: unknown): Promise<ComposedPlugin> {
  const start = await beginStart(host, options);
  const features = createLazyFeatures(start, async () => {
    const { composeFeatures } = await import("./composition/features.ts").catch((cause: unknown) => {
      const hint = "The plugin was changed on disk while OpenCode ran: restart OpenCode.";
      throw createError("plugin", "GAIA could not be loaded.", { cause, hint });
    });
    return composeFeatures(start);
  });
  const hooks = [createRegisterHook(start), createReportProblemsHook(start), ...features.hooks];
  return {
    tools: [
      ...announceTools([...start.agents.specialists.keys()], start.config),
      ...announceFileTools(start.config),
    ],
    handlers: composeHooks(hooks, host.logger),
    open: features.open,
    dispose: features.dispose,
  };
}

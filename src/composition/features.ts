import { composeHooks } from "../hooks/compose.ts";
import type { LoadedFeatures } from "../hooks/lazy-features.ts";
import { listHooks } from "../hooks/registry.ts";
import type { EndCall, ToolDefinition } from "../host/tool.ts";
import type { Start } from "../runtime.ts";
import { createEndCall, listTools } from "../tools/registry.ts";
import { composeRuntime } from "./runtime.ts";

/** Everything that only GAIA and its specialists need. */
export interface GaiaFeatures extends LoadedFeatures {
  readonly tools: readonly ToolDefinition[];
  readonly endCall: EndCall;
}

export function composeFeatures(start: Start): GaiaFeatures {
  const { runtime, dispose } = composeRuntime(start);
  return {
    tools: listTools(runtime),
    endCall: createEndCall(runtime),
    handlers: composeHooks(listHooks(runtime), start.host.logger),
    dispose,
  };
}

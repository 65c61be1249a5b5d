import type { PreparedTool } from "../extras/changes/prepared-calls.ts";
import { composeHooks } from "../hooks/compose.ts";
import type { LoadedFeatures } from "../hooks/lazy-features.ts";
import { listHooks } from "../hooks/registry.ts";
import type { EndCall, ToolDefinition } from "../host/tool.ts";
import type { Start } from "../runtime.ts";
import { createEndCall, listFileTools, listTools } from "../tools/registry.ts";
import { composeRuntime } from "./runtime.ts";

/** Everything that only GAIA and her specialists need. */
export interface GaiaFeatures extends LoadedFeatures {
  readonly tools: readonly ToolDefinition[];
  readonly endCall: EndCall;
  /** Those that work on the project's files. */
  readonly fileTools: readonly PreparedTool[];
}

export function composeFeatures(start: Start): GaiaFeatures {
  const { runtime, dispose } = composeRuntime(start);
  return {
    tools: listTools(runtime),
    endCall: createEndCall(runtime),
    fileTools: listFileTools(runtime).map(runtime.prepared.serve),
    handlers: composeHooks(listHooks(runtime), start.host.logger),
    dispose,
  };
}

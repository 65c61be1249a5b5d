import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Sets what only some models understand: reasoning effort, thinking budget, and the bound on output. Done per request,
 * because a fallback may run another model than the one that was configured.
 */
export function createModelParametersHook({ agents }: Runtime): HookDefinition {
  return defineHook({
    id: "model-parameters",
    event: "request-parameters",
    why: "after hold-requests, which may deny the request",
    onFailure: "open",
    run(request) {
      const tuning = agents.tuning[request.agent];
      if (tuning === undefined) return;
      if (tuning.maxTokens !== undefined) request.limitOutput(tuning.maxTokens);
      request.reason({ effort: tuning.reasoningEffort, budget: tuning.thinkingBudget });
    },
  });
}

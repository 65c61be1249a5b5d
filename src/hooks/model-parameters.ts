import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Sets what only some models understand: reasoning effort, thinking budget, and the bound on output. Done per request,
 * because a fallback may run another model than the one that was configured.
 */
export function createModelParametersHook({ agents }: Runtime): HookDefinition {
  return defineHook({
    id: "model-parameters",
    event: "chat.params",
    why: "the only hook at this event",
    onFailure: "open",
    run({ agent, model }, output) {
      const tuning = agents.tuning[agent];
      if (tuning === undefined) return;
      if (tuning.maxTokens !== undefined) output.maxOutputTokens = tuning.maxTokens;
      if (!model.capabilities.reasoning) return;
      const isAnthropic = model.api.npm.includes("anthropic");
      if (isAnthropic && tuning.thinkingBudget !== undefined) {
        output.options["thinking"] = { type: "enabled", budgetTokens: tuning.thinkingBudget };
      }
      if (!isAnthropic && tuning.reasoningEffort !== undefined) {
        output.options["reasoningEffort"] ??= tuning.reasoningEffort;
      }
    },
  });
}

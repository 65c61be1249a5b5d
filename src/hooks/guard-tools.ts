import { Denial, defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Holds the tool calls of GAIA's sessions to policy, mode, check-ins and budgets (SPEC 8, 9). */
export function createGuardToolsHook({ supervision }: Runtime): HookDefinition {
  return defineHook({
    id: "guard-tools",
    event: "before-tool",
    why: "the last gate: a call that passes counts as running",
    onFailure: "closed",
    async run(call) {
      const refusal = await supervision.calls.refuse(call);
      if (refusal !== null) throw new Denial(refusal);
    },
  });
}

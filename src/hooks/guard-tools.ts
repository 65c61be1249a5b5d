import { Denial, defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Holds the tool calls of GAIA's sessions to policy, mode, check-ins and budgets (SPEC 8, 9). */
export function createGuardToolsHook({ supervision }: Runtime): HookDefinition {
  return defineHook({
    id: "guard-tools",
    event: "tool.execute.before",
    why: "the last gate: a call that passes counts as running",
    onFailure: "closed",
    async run({ tool, sessionID, callID }, { args }) {
      const refusal = await supervision.calls.refuse({
        callId: callID,
        sessionId: sessionID,
        tool,
        args: args as unknown,
      });
      if (refusal !== null) throw new Denial(refusal);
    },
  });
}

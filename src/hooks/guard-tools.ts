import { Denial, defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Holds the tool calls of GAIA's sessions to policy, mode, check-ins and budgets (SPEC 8, 9). */
export function createGuardToolsHook({ supervision, conversations }: Runtime): HookDefinition {
  return defineHook({
    id: "guard-tools",
    event: "before-tool",
    why: "the last gate: a call that passes counts as running",
    onFailure: "closed",
    async run(call) {
      const refusal = await supervision.calls.refuse(call);
      if (refusal === null) return;
      const found = await conversations.of(call.sessionId).catch(() => null);
      // The row of a tool of ours does not show its error.
      if (found?.session.specialist === null) {
        found.conversation.parts.refusedCalls.ended(call.tool, call.args, { ok: false, error: refusal });
      }
      throw new Denial(refusal);
    },
  });
}

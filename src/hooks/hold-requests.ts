import { HELD } from "../conversation/one-shot/decide-outcome.ts";
import { Denial, defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Counts every request of our agents, and holds those past their bound (SPEC 2.5): what is denied here is not sent, and the
 * loop ends with these words.
 */
export function createHoldRequestsHook({ bounds, ledger, sessions }: Runtime): HookDefinition {
  return defineHook({
    id: "hold-requests",
    event: "request-parameters",
    why: "first at this event: a request that is held needs no parameters",
    onFailure: "closed",
    async run({ sessionId, isSide }) {
      // Another OpenCode may have spent something meanwhile.
      if (ledger.isBound && sessions.peek(sessionId)) await ledger.refresh();
      const why = bounds.request(sessionId, isSide);
      if (why !== null) throw new Denial(`${HELD}${why}.`);
    },
  });
}

import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Tells the state what a call did, writes what the user is to see of it, and puts what GAIA has to know at the end of the
 * result. A call of the root is the safe moment for a note: a model turn follows in any case. The plugin's own tools have
 * done all of it before they gave back their result; what is left here are lines for which it had no room.
 */
export function createReportToolsHook({ supervision, conversations }: Runtime): HookDefinition {
  return defineHook({
    id: "report-tools",
    event: "after-tool",
    why: "before those that only watch; after hooks that change a result or need the arguments of a call that ends here",
    onFailure: "open",
    async run({ sessionId, callId, effect, outcome, setText }) {
      const { text, answers } = outcome;
      const words = await supervision.calls.finished(callId, outcome);
      const found = await conversations.of(sessionId);
      if (found === null) return;
      const { conversation, session } = found;
      if (effect.kind === "question") {
        conversation.dispatch({ type: "question-answered", requestId: callId, answers });
        const settled = await conversation.parts.offers.close(callId, answers);
        if (settled !== null) conversation.tell(settled);
      }
      const lines = words === "" ? [] : [words];
      const isGaia = session.specialist === null;
      if (isGaia) await conversation.outbox.flushInCall();
      // No one the user talks to hears of anything that a crash could still take back.
      if (isGaia || session.isTalk === true) await conversation.mirrored();
      // An MCP tool's result is no text, and the lines wait for the next one that is.
      if (isGaia && text !== null) lines.push(...conversation.takeLines());
      if (text !== null && lines.length > 0) setText([text, ...lines].join("\n\n"));
    },
  });
}

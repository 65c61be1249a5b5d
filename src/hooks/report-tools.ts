import { closeQuestion } from "../conversation/questions/questions.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Tells the state what a call did, writes what the user is to see of it, and puts what GAIA has to know at the end of the
 * result. A call of the root is the safe moment for a note: a model turn follows in any case. The plugin's own tools have
 * done all of it before they gave back their result; what is left here are lines for which it had no room.
 */
export function createReportToolsHook({ supervision, offers }: Runtime): HookDefinition {
  return defineHook({
    id: "report-tools",
    event: "tool.execute.after",
    why: "before those who only watch; after whoever changes a result, or needs the arguments of a call that ends here",
    onFailure: "open",
    async run({ tool, sessionID, callID }, output) {
      const { output: text, metadata } = output as { output: unknown; metadata: unknown };
      await supervision.calls.finished(callID, { output: text, metadata });
      const found = await supervision.conversations.of(sessionID);
      if (found === null) return;
      const { conversation, session } = found;
      if (tool === "question") {
        const answers = closeQuestion(conversation, callID, metadata);
        const settled = await offers.close(conversation.rootId, callID, answers);
        if (settled !== null) conversation.tell(settled);
      }
      if (session.specialist !== null) return;
      await conversation.outbox.flush();
      // An MCP tool's result is no text, and the lines wait for the next one that is.
      if (typeof text === "string") output.output = [text, ...conversation.takeLines()].join("\n\n");
    },
  });
}

import { openQuestion } from "../conversation/questions/questions.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Puts the plugin's words in place of the model's where a question turns knobs, and registers every question (SPEC 8). */
export function createOwnQuestionsHook({ supervision }: Runtime): HookDefinition {
  return defineHook({
    id: "own-questions",
    event: "tool.execute.before",
    why: "after the gates: only what will be asked is registered",
    onFailure: "closed",
    async run({ tool, sessionID, callID }, output) {
      if (tool !== "question") return;
      const found = await supervision.conversations.of(sessionID);
      if (found === null) return;
      const args = output.args as Record<string, unknown>;
      const offer = found.conversation.parts.offers.open(callID, args);
      if (offer !== null) args["questions"] = offer.questions;
      const own = openQuestion(found.conversation, callID, args, supervision.defaults);
      if (own !== null) args["questions"] = own;
    },
  });
}

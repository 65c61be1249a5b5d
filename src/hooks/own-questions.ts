import { isOrdinary, openQuestion } from "../conversation/questions/questions.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Puts the plugin's words in place of the model's where a question turns knobs, and registers every question (SPEC 8). */
export function createOwnQuestionsHook({ conversations, config }: Runtime): HookDefinition {
  return defineHook({
    id: "own-questions",
    event: "before-tool",
    why: "after the gates: only what will be asked is registered",
    onFailure: "closed",
    async run({ callId, sessionId, effect, askInstead }) {
      if (effect.kind !== "question") return;
      const found = await conversations.of(sessionId);
      if (found === null) return;
      const { offers, bringUp } = found.conversation.parts;
      const offer = offers.open(callId, effect.questions);
      const isGaias = found.session.specialist === null && offer === null;
      const joined = isGaias && isOrdinary(effect.questions) ? bringUp.join(callId, effect.questions) : null;
      const questions = offer?.questions ?? joined ?? effect.questions;
      const own = openQuestion(found.conversation, callId, questions, config);
      const instead = own ?? offer?.questions ?? joined;
      if (instead !== null) askInstead(instead);
    },
  });
}

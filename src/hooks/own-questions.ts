import { isOrdinary, openQuestion } from "../conversation/questions/questions.ts";
import { Denial, defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Puts the plugin's words in place of the model's where a question turns knobs, and registers every question (SPEC 8). */
export function createOwnQuestionsHook({ conversations, config, supervision }: Runtime): HookDefinition {
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
      const beside = effect.questions.filter(({ header }) => header !== offer?.header);
      const put = offer === null ? joined : [...offer.questions, ...beside];
      const own = openQuestion(found.conversation, callId, put ?? effect.questions, config);
      if (own !== null && "kind" in own) {
        supervision.calls.refused(callId);
        throw new Denial(`${own.reason} ${own.hint}`);
      }
      const instead = own ?? put;
      if (instead !== null) await askInstead(instead);
    },
  });
}

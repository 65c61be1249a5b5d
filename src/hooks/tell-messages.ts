import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Ends the output of a specialist's call with what others of its wave have told it meanwhile; mostly with nothing. */
export function createTellMessagesHook({ conversations }: Runtime): HookDefinition {
  return defineHook({
    id: "tell-messages",
    event: "after-tool",
    why: "after hooks that look at what the tool itself said",
    onFailure: "open",
    async run({ sessionId, outcome: { text }, setText }) {
      const found = text === null ? null : await conversations.of(sessionId);
      const told = found?.conversation.parts.messages.take(sessionId) ?? "";
      if (told !== "") setText(`${text}\n\n${told}`);
    },
  });
}

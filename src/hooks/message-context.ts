import { GAIA } from "../agents/gaia.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Ends a user's message to GAIA with what she has to know for it. It depends on the message, so it is no part of the system
 * prompt (SPEC 2.6).
 */
export function createMessageContextHook({ conversations }: Runtime): HookDefinition {
  return defineHook({
    id: "message-context",
    event: "user-message",
    why: "after track-speaker, which marks the session; before the collaboration line, which ends the message",
    onFailure: "open",
    async run({ sessionId, agent, said, appendForModel }) {
      if (agent !== GAIA || said === null) return;
      const found = await conversations.of(sessionId);
      if (found?.session.specialist !== null) return;
      const text = await found.conversation.parts.bearings.forMessage(said.text, said.files);
      const users = await found.conversation.parts.ownWork.tellUsers();
      const whole = [text, users].filter(Boolean).join("\n");
      if (whole !== "") appendForModel(whole);
    },
  });
}

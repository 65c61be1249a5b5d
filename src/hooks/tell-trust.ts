import { GAIA } from "../agents/gaia.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";
import { renderNotice, renderNoticeLine } from "../trust/render.ts";

/**
 * Tells the user, at the first message to GAIA of a conversation, what the project's files ask for and do not get
 * (SPEC 2.10): a toast at once, and a note with the whole list. No model hears of it.
 */
export function createTellTrustHook({ trust, conversations, host }: Runtime): HookDefinition {
  return defineHook({
    id: "tell-trust",
    event: "user-message",
    why: "after track-speaker, which marks the session",
    onFailure: "open",
    async run({ sessionId, agent, said }) {
      if (agent !== GAIA || said === null) return;
      const found = await conversations.of(sessionId);
      if (found === null || found.session.specialist !== null) return;
      const { conversation } = found;
      if (!conversation.parts.trust.isFirst()) return;
      const { ungranted, notices, problem } = await trust.survey();
      if (problem !== null) await host.toast("error", `Nothing of this project is trusted. ${problem}`);
      if (ungranted.length === 0) return;
      conversation.outbox.note(renderNotice(ungranted, notices));
      await host.toast("warning", renderNoticeLine(ungranted));
    },
  });
}

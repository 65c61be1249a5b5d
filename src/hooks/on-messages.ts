import { GAIA } from "../agents/gaia.ts";
import { resolveCandidates } from "../delegation/candidates.ts";
import { chainOf } from "../delegation/capability.ts";
import type { GaiaSession } from "../delegation/gaia-sessions.ts";
import type { Runtime } from "../runtime.ts";
import { renderNotice, renderNoticeLine } from "../trust/render.ts";
import { defineHook, type HookDefinition } from "../host/hook-events.ts";

/**
 * Notes which agent a user speaks to, and keeps our agents alive when their model is not available: OpenCode would
 * end the turn with an error, so the next available model of the chain takes its place, and the user is told once
 * (SPEC 6). A model that the user picked and that exists is never touched, but where they speak with a specialist in its own
 * session: the terminal offers primary agents only, and sends what is selected of those.
 */
export function createTrackSpeakerHook({ host, agents, sessions, bounds }: Runtime): HookDefinition {
  const told = new Set<string>();
  const talkOf = async (sessionId: string): Promise<GaiaSession | null> => {
    // Who does not tell is asked again by the hooks that need to know.
    const found = await sessions.find(sessionId).catch(() => null);
    return found?.isTalk === true ? found : null;
  };
  return defineHook({
    id: "track-speaker",
    event: "user-message",
    why: "first at this event: the others ask which agent is spoken to",
    onFailure: "open",
    async run(message) {
      const { sessionId, said } = message;
      if (said !== null) bounds.begin(sessionId);
      const talk = await talkOf(sessionId);
      if (talk !== null) message.useAgent(talk.specialist ?? message.agent);
      const preference = agents.preferenceOf(message.agent);
      const asked = message.model;
      if (preference !== undefined) {
        const catalog = await host.models();
        const previous = sessions.speaker(talk?.rootId ?? sessionId)?.model ?? null;
        const chain = chainOf(preference, catalog, previous);
        const { models, inherited } = resolveCandidates(chain, catalog, previous, () => false);
        const usable = models[0];
        const isGone = catalog.available.size > 0 && !catalog.available.has(asked);
        // What is selected there is meant for another agent.
        if ((isGone || talk !== null) && usable !== null) {
          message.useModel(usable);
          if (isGone && !told.has(message.agent)) {
            told.add(message.agent);
            const reason = inherited ? "none of its models is available" : `${asked} is not available`;
            await host.toast("warning", `${message.agent} runs on ${usable}: ${reason}.`);
          }
        }
      }
      sessions.spoke(sessionId, message.agent, message.model);
    },
  });
}

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
      if (!conversation.parts.offers.isTrustNews()) return;
      const { ungranted, notices, problem } = await trust.survey();
      if (problem !== null) await host.toast("error", `Nothing of this project is trusted. ${problem}`);
      if (ungranted.length === 0) return;
      conversation.outbox.note(renderNotice(ungranted, notices));
      await host.toast("warning", renderNoticeLine(ungranted));
    },
  });
}

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

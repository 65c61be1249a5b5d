import { GAIA } from "../agents/gaia.ts";
import { resolveCandidates } from "../delegation/models.ts";
import type { GaiaSession } from "../delegation/gaia-sessions.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { Runtime } from "../runtime.ts";
import { renderNotice, renderNoticeLine } from "../trust/render.ts";
import { defineHook, type HookDefinition, type UserMessage } from "../host/hook-events.ts";

/** What a message of the user's does before its command is carried out. */
export function listOnMessages(runtime: Runtime): HookDefinition[] {
  const { host, agents, sessions, bounds, conversations, trust } = runtime;
  const told = new Set<string>();
  const surveyed = new WeakSet<Conversation>();
  const talkOf = async (sessionId: string): Promise<GaiaSession | null> => {
    // Who does not tell is asked again by the hooks that need to know.
    const found = await sessions.find(sessionId).catch(() => null);
    return found?.isTalk === true ? found : null;
  };
  /** The conversation of a user's own message to GAIA; null for any other message. */
  const ofGaia = async ({ sessionId, agent, said }: UserMessage): Promise<Conversation | null> => {
    const found = agent === GAIA && said !== null ? await conversations.of(sessionId) : null;
    return found?.session.specialist === null ? found.conversation : null;
  };

  /**
   * Notes which agent a user speaks to, and keeps our agents alive when their model is not available: the next available one
   * of the chain takes its place, told once (SPEC 6). A model that the user picked and that exists is not touched, but where
   * they speak with a specialist in its own session: the terminal sends what is selected of primary agents.
   */
  const trackSpeaker = defineHook({
    id: "track-speaker",
    event: "user-message",
    why: "first at this event: the others ask which agent is spoken to",
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
        const { models, inherited } = resolveCandidates(preference, catalog, previous, () => false);
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
  /** What the project's files ask for and do not get, once per conversation (SPEC 2.10); no model hears of it. */
  const tellTrust = defineHook({
    id: "tell-trust",
    event: "user-message",
    why: "after track-speaker, which marks the session",
    async run(message) {
      const conversation = await ofGaia(message);
      if (conversation === null || surveyed.has(conversation)) return;
      surveyed.add(conversation);
      const { ungranted, notices, problem } = await trust.survey();
      if (problem !== null) await host.toast("error", `Nothing of this project is trusted. ${problem}`);
      if (ungranted.length === 0) return;
      conversation.outbox.note(renderNotice(ungranted, notices));
      await host.toast("warning", renderNoticeLine(ungranted));
    },
  });
  /** What GAIA has to know for a message stands at its end: in the system prompt it would change those bytes (SPEC 2.7). */
  const messageContext = defineHook({
    id: "message-context",
    event: "user-message",
    why: "after track-speaker, which marks the session; before the collaboration line, which ends the message",
    async run(message) {
      const parts = (await ofGaia(message))?.parts;
      if (parts === undefined || message.said === null) return;
      const text = await parts.bearings.forMessage(message.said.text, message.said.files);
      const users = await parts.ownWork.tellUsers();
      const whole = [text, users].filter(Boolean).join("\n");
      if (whole !== "") message.appendForModel(whole);
    },
  });
  return [trackSpeaker, tellTrust, messageContext];
}

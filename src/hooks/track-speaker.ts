import { resolveCandidates } from "../delegation/candidates.ts";
import { chainOf } from "../delegation/capability.ts";
import type { GaiaSession } from "../delegation/gaia-sessions.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

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

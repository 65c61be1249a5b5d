import { resolveCandidates } from "../delegation/candidates.ts";
import { chainOf } from "../delegation/capability.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Notes which agent a user speaks to, and keeps our agents alive when their model is not available: OpenCode would
 * end the turn with an error, so the next available model of the chain takes its place, and the user is told once
 * (SPEC 6). A model that the user picked and that exists is never touched.
 */
export function createTrackSpeakerHook({ host, agents, sessions, bounds }: Runtime): HookDefinition {
  const told = new Set<string>();
  return defineHook({
    id: "track-speaker",
    event: "user-message",
    why: "first at this event: the others ask which agent is spoken to",
    onFailure: "open",
    async run(message) {
      const { sessionId, said } = message;
      if (said !== null) bounds.begin(sessionId);
      const preference = agents.preferenceOf(message.agent);
      const asked = message.model;
      if (preference !== undefined) {
        const catalog = await host.models();
        const previous = sessions.speaker(sessionId)?.model ?? null;
        const chain = chainOf(preference, catalog.available, previous);
        const { models, inherited } = resolveCandidates(chain, catalog, previous, () => false);
        const usable = models[0];
        const isGone = catalog.available.size > 0 && !catalog.available.has(asked);
        if (isGone && usable !== null) {
          message.useModel(usable);
          if (!told.has(message.agent)) {
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

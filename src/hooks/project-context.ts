import { GAIA } from "../agents/gaia.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { HostEvent } from "../host/port.ts";
import type { Runtime } from "../runtime.ts";
import type { ExperimentalHooks } from "./experimental.ts";

/** How GAIA comes to know the project's context. */
export interface ProjectContextHook {
  readonly hook: HookDefinition;
  /** What a message to GAIA has to say of the project, because her system prompt does not; empty for nothing. */
  forMessage(sessionId: string): Promise<string>;
  observe(event: HostEvent): void;
}

/**
 * Adds the project's context to GAIA's system prompt. The host calls this for every request of the session, its title
 * request too, and does not say for which agent: hers are known by her prompt. Where it does not call at all, a message
 * carries the context: the session's first, and the first after a compaction.
 * @param prompt GAIA's prompt as the host has it, the user's own changes included
 */
export function createProjectContextHook(
  { sessions, context }: Runtime,
  experimental: ExperimentalHooks,
  prompt: () => string,
): ProjectContextHook {
  const told = new Set<string>();
  const isGaia = (sessionId: string): boolean => sessions.speaker(sessionId)?.agent === GAIA;
  return {
    hook: defineHook({
      id: "project-context",
      event: "before-request",
      why: "the only hook at this event",
      onFailure: "open",
      async run({ sessionId, parts, add }) {
        experimental.called("systemContext");
        if (sessionId === null || !isGaia(sessionId)) return;
        if (!parts.some((part) => part.startsWith(prompt()))) return;
        const text = await context.get(sessionId);
        if (text !== "") add(text);
      },
    }),
    async forMessage(sessionId) {
      if (!experimental.isMissing("systemContext") || told.has(sessionId)) return "";
      told.add(sessionId);
      return context.get(sessionId);
    },
    observe(event) {
      if (event.type === "session.compacted" || event.type === "session.deleted") {
        told.delete(event.sessionId);
      }
      if (event.type === "message.finished" && event.isAnswer && isGaia(event.sessionId)) {
        experimental.due("systemContext");
      }
    },
  };
}

import { GAIA } from "../agents/gaia.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Adds the project's context to GAIA's system prompt. The host calls this for every request of the session, its title
 * request too, and does not say for which agent: hers are known by her prompt.
 * @param prompt GAIA's prompt as the host has it, the user's own changes included
 */
export function createProjectContextHook(
  { experimental, sessions, conversations }: Runtime,
  prompt: () => string,
): HookDefinition {
  return defineHook({
    id: "project-context",
    event: "before-request",
    why: "after shared-beginning, which moves what is there",
    onFailure: "open",
    async run({ sessionId, parts, add }) {
      experimental.called("systemContext");
      if (sessionId === null || sessions.speaker(sessionId)?.agent !== GAIA) return;
      if (!parts.some((part) => part.startsWith(prompt()))) return;
      const found = await conversations.of(sessionId);
      const text = (await found?.conversation.parts.bearings.projectContext()) ?? "";
      if (text !== "") add(text);
    },
  });
}

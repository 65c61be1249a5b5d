import { GAIA } from "../agents/gaia.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Ends a user's message to GAIA with what she has to know for it: where the open work unit stands, in the first message of
 * a session, and the learnings that matter. It depends on the message, so it is no part of the system prompt (SPEC 2.6).
 * @param fallback what other hooks could not tell her
 */
export function createMessageContextHook(
  { sessions, memory, host }: Runtime,
  fallback: { projectContext(sessionId: string): Promise<string>; owesResume(sessionId: string): boolean },
): HookDefinition {
  const met = new Set<string>();

  /** Also after a restart, when this process meets an old session for the first time. */
  const isFirst = async (sessionId: string): Promise<boolean> => {
    if (met.has(sessionId)) return false;
    met.add(sessionId);
    if (sessions.isNew(sessionId)) return true;
    const earlier = await host.sessions.messages(sessionId);
    return !earlier.some(({ role, agent }) => role === "user" && agent === GAIA);
  };

  return defineHook({
    id: "message-context",
    event: "user-message",
    why: "after track-speaker, which marks the session; before the collaboration line, which ends the message",
    onFailure: "open",
    async run(message) {
      const { sessionId, said } = message;
      if (message.agent !== GAIA || said === null) return;
      const session = await sessions.find(sessionId);
      if (session?.specialist !== null) return;
      const first = await isFirst(sessionId);
      memory.capture.message(said.text, !first);
      const project = await fallback.projectContext(sessionId);
      const owesResume = fallback.owesResume(sessionId);
      const resume = first || owesResume ? await memory.resume() : "";
      const relevant = await memory.relevant(sessionId, said.text, said.files);
      const text = [project, resume, relevant].filter(Boolean).join("\n");
      if (text !== "") message.appendForModel(text);
    },
  });
}

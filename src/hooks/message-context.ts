import { GAIA } from "../agents/gaia.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import { appendForModel, readUserMessage } from "../host/opencode/message-parts.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Ends a user's message to GAIA with what she has to know for it: where the open work unit stands, in the first message of
 * a session, and the learnings that matter. It depends on the message, so it is no part of the system prompt (SPEC 2.6).
 */
export function createMessageContextHook({ sessions, memory, host }: Runtime): HookDefinition {
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
    event: "chat.message",
    why: "after track-speaker, which marks the session; before the collaboration line, which ends the message",
    onFailure: "open",
    async run({ sessionID }, output) {
      const said = readUserMessage(output);
      if (output.message.agent !== GAIA || said === null) return;
      const session = await sessions.find(sessionID);
      if (session?.specialist !== null) return;
      const first = await isFirst(sessionID);
      memory.capture.message(said.text, !first);
      const resume = first ? await memory.resume() : "";
      const relevant = await memory.relevant(sessionID, said.text, said.files);
      const text = [resume, relevant].filter(Boolean).join("\n");
      if (text !== "") appendForModel(output, text);
    },
  });
}

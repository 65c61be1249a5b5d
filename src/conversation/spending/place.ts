import type { DelegationEngine } from "../../delegation/engine.ts";
import type { GaiaSessions } from "../../delegation/gaia-sessions.ts";
import type { Place } from "../../spending/entry.ts";
import type { Conversation } from "../conversation.ts";

/** Where the requests of a session belong. Guests stand alone: what they cost is the user's own affair, as with any agent. */
export function placeRequests(input: {
  readonly sessions: Pick<GaiaSessions, "peek" | "speaker">;
  readonly engine: Pick<DelegationEngine, "tasks">;
  conversation(rootId: string): Conversation | undefined;
}): (sessionId: string) => Place | null {
  const { sessions, engine } = input;
  return (session) => {
    const known = sessions.peek(session) ?? null;
    if (known === null || known.isGuest) return null;
    const { rootId: root, specialist } = known;
    const { agent = "", model = null } = sessions.speaker(session) ?? {};
    const belongs = input.conversation(root)?.parts.spending.placeOf(session) ?? { unit: null, wave: null };
    return {
      root,
      session,
      agent: specialist ?? agent,
      model: engine.tasks.openIn(session)?.model ?? model,
      ...belongs,
    };
  };
}

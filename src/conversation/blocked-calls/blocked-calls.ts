import type { Conversation } from "../conversation.ts";

/** What GAIA may still do in the turn in which her work was blocked: look, record, tell. */
const MAX_CALLS = 8;
const STOPPED =
  "Refused: the work is BLOCKED, and this turn went on all the same. It was stopped; the user decides.";

/**
 * Ends the turn of a model that goes on calling tools after its work was blocked, so that a refusal which nobody heeds is
 * no loop (SPEC 2.5).
 * @param stop ends the turn of a root session
 * @returns the refusal of a call beyond the bound, null for one within
 */
export function createBlockedCalls(
  stop: (rootId: string) => void,
): (conversation: Conversation) => string | null {
  const calls = new Map<string, number>();
  return ({ rootId, state }) => {
    const isBlocked = state.pause?.reason === "blocked";
    const count = isBlocked ? (calls.get(rootId) ?? 0) + 1 : 0;
    if (isBlocked) calls.set(rootId, count);
    else calls.delete(rootId);
    if (count <= MAX_CALLS) return null;
    stop(rootId);
    return STOPPED;
  };
}

import { describeError } from "../../lib/error.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** What GAIA may still do in the turn in which her work was blocked: look, record, tell. */
const MAX_CALLS = 8;
const STOPPED =
  "Refused: the work is BLOCKED, and this turn went on all the same. It was stopped; the user decides.";

/**
 * Ends the turn of a model that goes on calling tools after its work was blocked, so that a refusal which goes unheeded is
 * no loop (SPEC 2.5).
 */
export function createBlockedCalls(
  conversation: Pick<ConversationCore, "rootId" | "state">,
  { host }: Pick<ConversationServices, "host">,
): Part {
  const { rootId } = conversation;
  let calls = 0;
  const stop = (): void => {
    void host.toast("warning", "GAIA went on although the work is BLOCKED; her turn was stopped.");
    host.sessions.abort(rootId).catch((error: unknown) => {
      host.logger.log("warn", "blocked-calls", describeError(error), { rootId });
    });
  };
  return {
    refuse(_call, isRoot) {
      if (!isRoot) return null;
      calls = conversation.state.pause?.reason === "blocked" ? calls + 1 : 0;
      if (calls <= MAX_CALLS) return null;
      stop();
      return STOPPED;
    },
  };
}

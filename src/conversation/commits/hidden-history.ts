import { renderMove, type Moved, type RefWatch } from "../../vcs/refs/ref-watch.ts";
import type { ConversationCore } from "../core.ts";

/** Moves of one call that are named. */
export const MAX_MOVES = 4;

/**
 * The history moved while something ran that was no commit: the record says so and the work stops until the user has
 * decided.
 */
export function stopForHidden(
  conversation: Pick<ConversationCore, "dispatch" | "log">,
  what: string,
  { hidden }: Moved,
): void {
  if (hidden.length === 0) return;
  const moves = hidden.slice(0, MAX_MOVES).map(renderMove).join(", ");
  const reason = `the history moved while ${what} ran, which was no commit: ${moves}.`;
  void conversation.log("History moved out of sight", `- ${reason}`);
  conversation.dispatch({
    type: "blocked",
    reason,
    nextStep: "look at it (git log, git reflog); go on if it was you or is wanted, or have it taken back",
  });
}

/** Runs what has commands run outside of any call, and looks at the history before and after. */
export async function watched<T>(
  conversation: Pick<ConversationCore, "dispatch" | "log">,
  refs: RefWatch,
  what: string,
  run: () => Promise<T>,
): Promise<T> {
  const watching = refs.begin("nothing");
  try {
    return await run();
  } finally {
    stopForHidden(conversation, what, await refs.end(watching));
  }
}

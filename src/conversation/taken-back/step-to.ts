import type { SpokenMessage } from "../../host/port.ts";

/**
 * Where a step ends: `here`, where OpenCode ended it; `all`: there is nothing taken back any more; else at this message, whose
 * words the user has before them again where it was a step back.
 */
export type StepEnd = "here" | "all" | { readonly id: string; readonly words: string | null };

/**
 * Where a step back or forth is to end. OpenCode takes the plugin's notes for messages of the user's, so that /undo would go
 * back to the newest of them: for the user they are none.
 * @param spoken see `HostSessions.spoken`
 * @param before where they had been; null for at the end
 * @param to where OpenCode has gone
 */
export function stepTo(spoken: readonly SpokenMessage[], before: string | null, to: string): StepEnd {
  const placeOf = (id: string | null): number => spoken.findIndex((message) => message.id === id);
  const at = placeOf(to);
  if (at === -1 || isOwn(spoken[at])) return "here";
  const isForth = before !== null && placeOf(before) < at;
  if (!isForth) return spoken.slice(0, at).findLast(isOwn) ?? "here";
  const next = spoken.slice(at).find(isOwn);
  return next === undefined ? "all" : { id: next.id, words: null };
}

function isOwn(message: SpokenMessage | undefined): boolean {
  return message !== undefined && message.words !== null;
}

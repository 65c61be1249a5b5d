import { excerpt } from "../../lib/excerpt.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";

/** More of them nobody reads one by one. */
const MAX_LEFT = 20;
const MAX_CHARACTERS = 160;

export type LeftForUser = ReturnType<typeof createLeftForUser>;

/**
 * What was not done because nobody was there to be asked for it (SPEC 9), until the user has spoken. GAIA hears of each with what
 * she gets next, so that her last words list it; the unit's log keeps it, and `/gaia-status` shows it.
 */
export function createLeftForUser(conversation: Pick<ConversationCore, "tell" | "log">) {
  let left: string[] = [];
  return {
    get all(): readonly string[] {
      return left;
    },
    /** @param what what would have been done, and what it does, in words for a person */
    add(what: string): void {
      const line = excerpt(what, MAX_CHARACTERS);
      if (left.includes(line) || left.length >= MAX_LEFT) return;
      left = [...left, line];
      conversation.tell(
        `Not done, for nobody was there to be asked: ${line}. End your answer with "Left for you" and this in the list.`,
      );
      void conversation.log("Left for you", `- ${line}`);
    },
    userSpoke(how) {
      if (how === "message") left = [];
    },
  } satisfies Part & Record<string, unknown>;
}

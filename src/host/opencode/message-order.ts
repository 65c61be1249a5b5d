import type { Hooks } from "@opencode-ai/plugin";
import type { Event } from "@opencode-ai/sdk";
import { numberOf, recordOf } from "../../lib/json.ts";
import { isOwnPart } from "./sessions.ts";

type Output = Parameters<NonNullable<Hooks["chat.message"]>>[1];

/**
 * Keeps notes out of the way of turns. To OpenCode a note is a message of the user's: its loop answers as the agent and with the
 * model of whichever of these was made last, and goes on until the last one is answered. A note that crosses what
 * the user says next would take their turn to the agent of the turn before, or add a turn.
 */
export function createMessageOrder() {
  /** Of each session, in OpenCode's times: the newest message that wants an answer, beginning of one, and note. */
  const sessions = new Map<string, Record<"asked" | "answered" | "noted", number>>();

  return {
    observe(event: Event): void {
      if (event.type === "session.deleted") sessions.delete(event.properties.info.id);
      if (event.type !== "message.updated" || event.properties.info.role !== "assistant") return;
      const { sessionID, time } = event.properties.info;
      const newest = sessions.get(sessionID);
      if (newest !== undefined) newest.answered = Math.max(newest.answered, time.created);
    },
    /**
     * Puts a message that is about to be saved behind or before others by its time.
     * @returns whether it is a note, which is nobody's word
     */
    place({ message, parts }: Output): boolean {
      const newest = sessions.get(message.sessionID) ?? { asked: 0, answered: 0, noted: 0 };
      sessions.set(message.sessionID, newest);
      const since = sinceOf(parts);
      const made = numberOf(recordOf(message.time)["created"]);
      // Without a time it is where OpenCode puts it.
      if (made === undefined) return since !== null;
      const { time } = message;
      if (since === null) {
        time.created = Math.max(made, newest.noted + 1);
        newest.asked = time.created;
        return false;
      }
      const hasCrossed = newest.asked > newest.answered || newest.asked >= since;
      if (hasCrossed && newest.asked > 0) time.created = Math.min(made, newest.asked - 1);
      newest.noted = time.created;
      return true;
    },
  };
}

/** When the plugin had a note to write; null for a message that is none. */
function sinceOf(parts: Output["parts"]): number | null {
  const isNote =
    parts.length > 0 &&
    parts.every((part) => part.type === "text" && isOwnPart(part) && part.ignored === true);
  return isNote ? (numberOf(recordOf(recordOf(parts[0])["metadata"])["since"]) ?? Infinity) : null;
}

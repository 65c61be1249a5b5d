import type { Role } from "../../config/roles.ts";
import type { Task } from "../../delegation/task.ts";
import { readOutcome } from "../../review/outcome.ts";
import {
  NOTHING_DELEGATED,
  observeReminder,
  type ReminderEvent,
  type ReminderOptions,
  type ReminderState,
} from "./decide-reminder.ts";
import { recordOf } from "../../lib/json.ts";
import type { Conversation } from "../conversation.ts";

/** Reminds GAIA of the record and of a todo list, with what she is told next and never by a turn of its own (SPEC 12). */
export interface Reminders {
  observe(conversation: Conversation, event: ReminderEvent): void;
  forget(rootId: string): void;
}

/** @param wanted the switches of the configuration */
export function createReminders(wanted: ReminderOptions): Reminders {
  const known = new Map<string, { state: ReminderState; unit: string | null }>();
  const stateOf = (rootId: string, unit: string | null, options: ReminderOptions): ReminderState => {
    const before = known.get(rootId);
    if (before === undefined) return NOTHING_DELEGATED;
    // Other work begins like another wave.
    return before.unit === unit
      ? before.state
      : observeReminder(before.state, { kind: "wave-opened" }, options).state;
  };
  return {
    observe(conversation, event) {
      const unit = conversation.state.workUnit;
      // Without a work unit there is no record to harvest for.
      const options = { ...wanted, harvest: wanted.harvest && unit !== null };
      const seen = observeReminder(stateOf(conversation.rootId, unit, options), event, options);
      known.set(conversation.rootId, { state: seen.state, unit });
      if (seen.reminder !== null) conversation.tell(seen.reminder);
    },
    forget(rootId) {
      known.delete(rootId);
    },
  };
}

/** A rejected verification is none that could be recorded as done. */
export function finishedDelegation({ agent, outcome }: Task, role: Role | null): ReminderEvent {
  const { verdict } = readOutcome(agent, recordOf(outcome?.envelope)["outcome"]);
  const ended = outcome?.status === "completed" || outcome?.status === "partial";
  return { kind: "delegation-finished", role, completed: ended && verdict === "APPROVE" };
}

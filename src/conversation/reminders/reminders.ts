import { givesVerdict, type Role } from "../../config/roles.ts";
import type { Task } from "../../delegation/task.ts";
import { conclusionOf } from "../../review/outcome.ts";
import { NOTHING_DELEGATED, observeReminder, type ReminderEvent } from "./decide-reminder.ts";
import { openObjections } from "../collaboration/verdicts.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { Runs } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";

/** Reminds GAIA of the record and of a todo list, with what she is told next and never by a turn of its own (SPEC 12). */
export function createReminders(
  conversation: ConversationCore,
  { guards, roleOf }: Pick<ConversationServices, "guards" | "roleOf">,
  runs: Pick<Runs, "isUnderWay">,
): Part {
  let state = NOTHING_DELEGATED;
  let unit: string | null = null;

  const observe = (event: ReminderEvent): void => {
    const { workUnit } = conversation.state;
    // A run has the record written by itself, and keeps track of what is open.
    if (runs.isUnderWay()) return;
    // Without a work unit there is no record to harvest for.
    const isHeld = openObjections(conversation.state.verdicts, workUnit ?? "").length > 0;
    const harvest = guards.harvestReminder && workUnit !== null && !isHeld;
    const options = { harvest, todos: guards.todoReminder };
    // Other work begins like another wave.
    if (unit !== workUnit) state = observeReminder(state, { kind: "wave-opened" }, options).state;
    unit = workUnit;
    const seen = observeReminder(state, event, options);
    ({ state } = seen);
    if (seen.reminder !== null) conversation.tell(seen.reminder);
  };

  return {
    heard({ type }) {
      if (type === "wave-opened") observe({ kind: "wave-opened" });
    },
    observe(event, isRoot) {
      if (isRoot && event.type === "todos.updated") observe({ kind: "todos-written", count: event.total });
    },
    delegationStarted() {
      observe({ kind: "delegation-started" });
    },
    delegationFinished(task) {
      observe(finishedDelegation(task, roleOf(task.agent)));
    },
  };
}

/** A rejected verification, or work that was not done, is none that could be recorded as done. */
function finishedDelegation({ agent, outcome }: Task, role: Role | null): ReminderEvent {
  const envelope = outcome?.envelope;
  const ended = outcome?.status === "completed" || outcome?.status === "partial";
  const isObjected = ["REJECT", "BLOCKED"].includes(envelope?.outcome?.verdict ?? "");
  const isReviewed = !givesVerdict(role) || conclusionOf(agent, outcome?.status ?? "", envelope) !== null;
  const completed = ended && envelope?.ok !== false && !isObjected && isReviewed;
  return { kind: "delegation-finished", role, completed };
}

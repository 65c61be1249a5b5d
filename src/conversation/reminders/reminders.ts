import { nameOf } from "../../agents/registry.ts";
import { givesVerdict, type Role } from "../../config/roles.ts";
import { isEnded, type Task } from "../../delegation/task.ts";
import { conclusionOf } from "../../plan/review/outcome.ts";
import { openObjections } from "../collaboration/verdicts.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { Runs } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";

const MANY_DELEGATIONS = 3;
const HARVEST = `Implementation and verification are done: have ${nameOf("historian")} record this wave before you finish.`;
const TODOS = "Several delegations are open. Keep them in a todo list so that none is lost.";

/**
 * Reminds GAIA with what she is told next, never by a turn of its own and at most once per wave (SPEC 12): to have the wave
 * recorded once something was implemented and verified and nothing runs any more, and to keep a todo list when three
 * delegations are open without one.
 */
export function createReminders(
  conversation: Pick<ConversationCore, "state" | "tasks" | "tell">,
  { guards, roleOf }: Pick<ConversationServices, "guards" | "roleOf">,
  runs: Pick<Runs, "isUnderWay">,
): Part {
  /** Roles of which a delegation completed in this wave. */
  const completed = new Set<Role>();
  const told = new Set<string>();
  let unit: string | null = null;
  let hasTodos = false;

  const begin = (): void => {
    completed.clear();
    told.clear();
  };
  const remind = (text: string): void => {
    if (!told.has(text)) conversation.tell(text);
    told.add(text);
  };
  const countOpen = (): number => conversation.tasks().filter((task) => !isEnded(task)).length;
  /** A run has the record written by itself, and keeps track of what is open. */
  const isWatched = (): boolean => {
    const { workUnit } = conversation.state;
    // Other work begins like another wave.
    if (unit !== workUnit) begin();
    unit = workUnit;
    return !runs.isUnderWay();
  };
  /** Without a work unit there is no record, and what a reviewer objects to is not done. */
  const isHarvestDue = (): boolean =>
    guards.harvestReminder &&
    unit !== null &&
    openObjections(conversation.state.verdicts, unit).length === 0 &&
    completed.has("implementer") &&
    [...completed].some(givesVerdict) &&
    !completed.has("historian") &&
    countOpen() === 0;

  return {
    heard({ type }) {
      if (type === "wave-opened") begin();
    },
    observe(event, isRoot) {
      if (isRoot && event.type === "todos.updated") hasTodos = event.total > 0;
    },
    delegationStarted() {
      const isDue = isWatched() && guards.todoReminder && !hasTodos;
      if (isDue && countOpen() >= MANY_DELEGATIONS) remind(TODOS);
    },
    delegationFinished(task) {
      if (!isWatched()) return;
      const role = roleOf(task.agent);
      if (role !== null && isDone(task, role)) completed.add(role);
      if (isHarvestDue()) remind(HARVEST);
    },
  };
}

/** A rejected verification, or work that was not done, is none that could be recorded as done. */
function isDone({ agent, outcome }: Task, role: Role): boolean {
  const envelope = outcome?.envelope;
  const isOver = outcome?.status === "completed" || outcome?.status === "partial";
  const isObjected = ["REJECT", "BLOCKED"].includes(envelope?.outcome?.verdict ?? "");
  const isReviewed = !givesVerdict(role) || conclusionOf(agent, outcome?.status ?? "", envelope) !== null;
  return isOver && envelope?.ok !== false && !isObjected && isReviewed;
}

import { nameOf } from "../../agents/registry.ts";
import { givesVerdict, type Role } from "../../config/roles.ts";
import type { Task } from "../../delegation/task.ts";
import { conclusionOf } from "../../review/outcome.ts";
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

/** What the reminders look at, in the order in which it happens. */
export type ReminderEvent =
  | { kind: "wave-opened" }
  | { kind: "delegation-started" }
  | { kind: "delegation-finished"; role: Role | null; completed: boolean }
  | { kind: "todos-written"; count: number };

/** What is remembered of the current wave. */
interface ReminderState {
  /** Roles of which a delegation completed in this wave. */
  completed: readonly Role[];
  open: number;
  hasTodos: boolean;
  harvestTold: boolean;
  todosTold: boolean;
}

/** Which reminders are wanted, and whether someone can act on them. */
interface ReminderOptions {
  harvest: boolean;
  todos: boolean;
}

/** The state before anything was delegated. */
export const NOTHING_DELEGATED: ReminderState = {
  completed: [],
  open: 0,
  hasTodos: false,
  harvestTold: false,
  todosTold: false,
};

const MANY_DELEGATIONS = 3;

const HARVEST = `Implementation and verification are done: have ${nameOf("historian")} record this wave before you finish.`;
const TODOS = "Several delegations are open. Keep them in a todo list so that none is lost.";

/**
 * Follows the delegations of a wave (SPEC 12) and says when GAIA should be reminded, each at most once per wave: to
 * have it recorded once something was implemented and verified and nothing runs any more, and to keep a todo list
 * when three delegations are open without one.
 */
export function observeReminder(
  state: ReminderState,
  event: ReminderEvent,
  options: ReminderOptions,
): { state: ReminderState; reminder: string | null } {
  const next = advance(state, event);
  if (options.harvest && isHarvestDue(next))
    return { state: { ...next, harvestTold: true }, reminder: HARVEST };
  if (options.todos && event.kind === "delegation-started" && areTodosDue(next)) {
    return { state: { ...next, todosTold: true }, reminder: TODOS };
  }
  return { state: next, reminder: null };
}

function advance(state: ReminderState, event: ReminderEvent): ReminderState {
  switch (event.kind) {
    case "wave-opened":
      return { ...NOTHING_DELEGATED, open: state.open, hasTodos: state.hasTodos };
    case "delegation-started":
      return { ...state, open: state.open + 1 };
    case "todos-written":
      return { ...state, hasTodos: event.count > 0 };
    default:
      return finish(state, event.role, event.completed);
  }
}

function finish(state: ReminderState, role: Role | null, completed: boolean): ReminderState {
  const open = Math.max(0, state.open - 1);
  if (!completed || role === null) return { ...state, open };
  return { ...state, open, completed: [...new Set([...state.completed, role])] };
}

function isHarvestDue(state: ReminderState): boolean {
  const { completed } = state;
  if (state.harvestTold || state.open > 0 || completed.includes("historian")) return false;
  return completed.includes("implementer") && completed.some(givesVerdict);
}

function areTodosDue(state: ReminderState): boolean {
  return !state.todosTold && !state.hasTodos && state.open >= MANY_DELEGATIONS;
}

import { posix } from "node:path";
import { agentName } from "../../agents/registry.ts";
import { givesVerdict, type Role } from "../../config/roles.ts";
import { isEnded, type Task } from "../../delegation/task.ts";
import { isNamed, normalisePath } from "../../plan/files.ts";
import { conclusionOf } from "../../plan/review/outcome.ts";
import { openObjections } from "../collaboration/verdicts.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { Runs } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";

const MANY_DELEGATIONS = 3;
const HARVEST = `Implementation and verification are done: have ${agentName("historian")} record this wave before you finish.`;
const TODOS = "Several delegations are open. Keep them in a todo list so that none is lost.";

/** What GAIA and the authors of edits are reminded of, each thing once and never by a turn of its own. */
export function createReminders(
  conversation: Pick<ConversationCore, "state" | "tasks" | "tell">,
  { guards, roleOf, workspace }: Pick<ConversationServices, "guards" | "roleOf" | "workspace">,
  runs: Pick<Runs, "isUnderWay">,
) {
  const told = new Set<string>();
  const advised = new Set<string>();
  /** Tasks that ended before this wave. */
  let past = new Set<string>();
  let unit: string | null = null;
  let hasTodos = false;

  const remind = (text: string): void => {
    if (!told.has(text)) conversation.tell(text);
    told.add(text);
  };
  const countOpen = (): number => conversation.tasks().filter((task) => !isEnded(task)).length;
  /** Without a work unit there is no record, and what a reviewer objects to is not done. */
  const isHarvestDue = (): boolean => {
    const { workUnit, verdicts } = conversation.state;
    if (!guards.harvestReminder || workUnit === null || countOpen() > 0) return false;
    const completed = conversation
      .tasks()
      .filter(({ id }) => !past.has(id))
      .flatMap((task) => {
        const role = roleOf(task.agent);
        return role !== null && isDone(task, role) ? [role] : [];
      });
    return (
      completed.includes("implementer") &&
      completed.some(givesVerdict) &&
      !completed.includes("historian") &&
      openObjections(verdicts, workUnit).length === 0
    );
  };

  return {
    /** One line for each edited file that its author should look at again. */
    async adviseEdits(files: readonly string[]): Promise<string[]> {
      const { workUnit } = conversation.state;
      if (!guards.scope || workUnit === null) return [];
      const read = await workspace.readWorkUnit({ slug: workUnit });
      if (!read.ok || read.status === "complete") return [];
      const named = read.tasks.flatMap((task) => task.files ?? []);
      return files.map(normalisePath).flatMap((path) => {
        const advice = advised.has(path) ? null : adviseScope(named, read.content.plan_md, path);
        if (advice === null) return [];
        advised.add(path);
        return [advice];
      });
    },
    heard({ type }) {
      // Other work begins like another wave.
      if (type === "wave-opened" || unit !== conversation.state.workUnit) {
        told.clear();
        past = new Set(conversation.tasks().flatMap((task) => (isEnded(task) ? [task.id] : [])));
      }
      unit = conversation.state.workUnit;
    },
    observe(event, isRoot) {
      if (isRoot && event.type === "todos.updated") hasTodos = event.total > 0;
    },
    // A run has the record written by itself, and keeps track of what is open.
    delegationStarted() {
      const isDue = !runs.isUnderWay() && guards.todoReminder && !hasTodos;
      if (isDue && countOpen() >= MANY_DELEGATIONS) remind(TODOS);
    },
    delegationFinished() {
      if (!runs.isUnderWay() && isHarvestDue()) remind(HARVEST);
    },
  } satisfies Part & Record<string, unknown>;
}

/** A rejected verification, or work that was not done, is none that could be recorded as done. */
function isDone({ agent, outcome }: Task, role: Role): boolean {
  const envelope = outcome?.envelope;
  const isOver = outcome?.status === "completed" || outcome?.status === "partial";
  const isObjected = ["REJECT", "BLOCKED"].includes(envelope?.outcome?.verdict ?? "");
  const isReviewed = !givesVerdict(role) || conclusionOf(agent, outcome?.status ?? "", envelope) !== null;
  return isOver && envelope?.ok !== false && !isObjected && isReviewed;
}

/** Written by tools as a consequence of a change that the plan does name. */
const LOCK_FILE =
  /(^|\/)(package-lock\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lockb?|Cargo\.lock|go\.sum|uv\.lock|poetry\.lock)$/;

/**
 * A line for a changed file that the active plan does not name; null for the record, lock files and tests of a named file.
 * @param text all of the plan: a file that it mentions anywhere is meant, for a needless warning costs more trust than a missed one
 */
export function adviseScope(files: readonly string[], text: string, path: string): string | null {
  const isOutside = path === "" || path.startsWith("/") || path.startsWith("../");
  const isExempt = path.startsWith(".gaia/") || LOCK_FILE.test(path);
  const isMeant = isNamed(files, path) || text.includes(posix.basename(path));
  if (files.length === 0 || isOutside || isExempt || isMeant) return null;
  return `Scope: the active plan does not name ${path}. Keep the change only if the plan needs it, and say so.`;
}

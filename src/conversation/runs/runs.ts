import { createHash } from "node:crypto";
import { partOfCall } from "../../delegation/call-part.ts";
import { listOf, numberOf, recordOf, textOf } from "../../lib/json.ts";
import type { PlanTask } from "../../workspace/documents/plan-tasks.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";

/** What is known of a plan's task that the plugin has given to a specialist; plain JSON, for it survives a restart. */
export interface RunEntry {
  readonly unit: string;
  /** The task's number in the plan. */
  readonly task: number;
  /** Of the task as it read then: a task that reads otherwise is another one. */
  readonly digest: string;
  readonly agent: string;
  /** The specialist's session. */
  readonly session: string;
  /** How often it was sent back to be fixed since the user last spoke. */
  readonly fixes: number;
}

/** Which tasks of plans were given to whom by `plan_gaia run`, over a restart as well. */
export interface Runs extends Part {
  /** A run of this unit begins. @returns false where one is under way */
  begin(unit: string): boolean;
  end(unit: string): void;
  /** Whether a run is at work. */
  isUnderWay(): boolean;
  /** The call of a task's delegation within that of the run; each is another. */
  callFor(callId: string, unit: string, task: PlanTask): string;
  /** The number of the plan's task that a delegation is about, as long as it runs; null for any other work. */
  taskOf(delegation: { readonly callId: string }): number | null;
  /** Who worked on the task as it reads now; undefined for nobody. */
  entry(unit: string, task: PlanTask): RunEntry | undefined;
  /** All of a unit, the newest work last. */
  of(unit: string): readonly RunEntry[];
  /** The task is sent back to be fixed. */
  countFix(unit: string, task: number): void;
}

/** Tasks that are remembered, the newest. */
const MAX_ENTRIES = 40;
const MAX_TEXT = 120;

export function createRuns({ keep }: Pick<ConversationCore, "keep">): Runs {
  const underWay = new Set<string>();
  const calls = new Map<string, { unit: string; task: number; digest: string }>();
  let entries: readonly RunEntry[] = [];
  let count = 0;

  const change = (next: readonly RunEntry[]): void => {
    entries = next.slice(-MAX_ENTRIES);
    keep();
  };
  const isOf =
    (unit: string, task: number) =>
    (each: RunEntry): boolean =>
      each.unit === unit && each.task === task;

  return {
    begin(unit) {
      if (underWay.has(unit)) return false;
      underWay.add(unit);
      return true;
    },
    end: (unit) => void underWay.delete(unit),
    isUnderWay: () => underWay.size > 0,
    callFor(callId, unit, task) {
      count += 1;
      const part = partOfCall(callId, `${task.number}.${count}`);
      calls.set(part, { unit, task: task.number, digest: digestOf(task) });
      return part;
    },
    taskOf: ({ callId }) => calls.get(callId)?.task ?? null,
    entry(unit, task) {
      const known = entries.find(isOf(unit, task.number));
      return known?.digest === digestOf(task) ? known : undefined;
    },
    of: (unit) => entries.filter((each) => each.unit === unit),
    countFix(unit, task) {
      const isIt = isOf(unit, task);
      change(entries.map((each) => (isIt(each) ? { ...each, fixes: each.fixes + 1 } : each)));
    },
    taskChanged({ callId, agent, sessionId: session, outcome }) {
      const given = calls.get(callId);
      if (given === undefined) return;
      if (outcome !== null) calls.delete(callId);
      const isIt = isOf(given.unit, given.task);
      const known = entries.find(isIt);
      if (known?.session === session && known.digest === given.digest) return;
      const fixes = known?.digest === given.digest ? known.fixes : 0;
      change([...entries.filter((each) => !isIt(each)), { ...given, agent, session, fixes }]);
    },
    userSpoke(how) {
      // What the user says may be what was missing.
      if (how !== "go-on" && how !== "answer") return;
      if (entries.some(({ fixes }) => fixes > 0)) change(entries.map((each) => ({ ...each, fixes: 0 })));
    },
    snapshot: () => (entries.length === 0 ? undefined : entries),
    restore(saved) {
      entries = listOf(saved).flatMap((value) => {
        const { unit, task, digest, agent, session, fixes } = recordOf(value);
        const texts = [unit, digest, agent, session].map((text) => textOf(text) ?? "");
        const [of = "", digestText = "", by = "", id = ""] = texts;
        const number = numberOf(task);
        if (number === undefined || texts.some((text) => text === "" || text.length > MAX_TEXT)) return [];
        return [
          { unit: of, task: number, digest: digestText, agent: by, session: id, fixes: numberOf(fixes) ?? 0 },
        ];
      });
    },
  };
}

/** Everything of a task that says what is to be done. */
function digestOf({ done: _done, number: _number, ...task }: PlanTask): string {
  return createHash("sha256").update(JSON.stringify(task)).digest("hex").slice(0, 12);
}

import { createHash } from "node:crypto";
import { agentName } from "../../agents/registry.ts";
import { partOfCall } from "../../delegation/task.ts";
import { type Clock, deferred } from "../../lib/async.ts";
import { excerpt } from "../../lib/text.ts";
import { newestWithin } from "../../lib/schema.ts";
import { refuse, type Refusal } from "../../lib/error.ts";
import type { PlanTask } from "../../plan/task.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";

/** What is known of a plan's task that the plugin has given to a specialist; plain JSON, for it survives a restart. */
interface RunEntry {
  readonly unit: string;
  readonly task: number;
  /** Of the task as it read then: a task that reads otherwise is another one. */
  readonly digest: string;
  readonly agent: string;
  readonly session: string;
  /** How often it was sent back to be fixed since the user last spoke. */
  readonly fixes: number;
  /** What was done, in the specialist's words; empty while it is worked on. */
  readonly note: string;
  /** Of a candidate: it has handed over, and is not begun again; `chosen` from before it lands. */
  readonly ended?: "done" | "failed" | "chosen";
  /** The historian has been told of it. */
  readonly recorded?: true;
}

interface Standstill {
  readonly unit: string;
  readonly why: string;
}

export interface RunUnderWay {
  readonly id: string;
  readonly unit: string;
  readonly callId: string;
  readonly control: AbortController;
  readonly ended: Promise<void>;
}

/** A run that goes on while GAIA does something else, and what GAIA is given of it at its end. */
interface BackgroundRun {
  readonly unit: string;
  readonly callId: string;
  readonly ended: { readonly at: number; readonly report: object } | null;
}

/** A candidate's delegation, by the call that stands for it (see {@link Runs.callFor}). */
const CANDIDATE = /::(\d+)\.\d\.\d+$/u;

/** The number of the task of which a delegation is one of several tries; null for any other. */
export function triedIn(callId: string): number | null {
  const found = CANDIDATE.exec(callId);
  return found === null ? null : Number(found[1]);
}

const PREFIX = "run_";

export function isRunId(id: string): boolean {
  return id.startsWith(PREFIX);
}

/** Tasks that are remembered, the newest; over a restart as many of them as fit into what a part may keep, in characters. */
const MAX_ENTRIES = 400;
const MAX_KEPT = 7_000;
/** Operations of the record by which a conversation turns to another unit or wave. */
const TURNS = new Set(
  "create_work_unit set_active open_wave complete_wave archive_work_unit run commit".split(" "),
);
const MAX_NOTE = 100;
const MAX_WHY = 300;

export type Runs = ReturnType<typeof createRuns>;

/** Which tasks of plans were given to whom by `plan_gaia run`, over a restart as well, and what its runs in the background came to. */
export function createRuns(
  { remember, each }: Pick<ConversationCore, "remember" | "each">,
  { clock }: { readonly clock: Clock },
) {
  let underWay: RunUnderWay | null = null;
  const background = new Map<string, BackgroundRun>();
  /** Of which unit's run GAIA has not heard the end; without an id it was interrupted. */
  const open = remember<string | null>("open run", null);
  let openId: string | null = null;
  const standstill = remember<Standstill | null>("standstill", null);
  const calls = new Map<string, { unit: string; task: number; digest: string }>();
  const entries = remember<readonly RunEntry[]>("runs", [], (all) => newestWithin(all, MAX_KEPT));
  let count = 0;
  let begun = 0;

  const change = (next: readonly RunEntry[]): void => {
    entries.now = next.slice(-MAX_ENTRIES);
  };
  const isOf =
    (unit: string, task: number) =>
    (each: RunEntry): boolean =>
      each.unit === unit && each.task === task;

  const edit = (unit: string, task: number, step: (entry: RunEntry) => RunEntry): void => {
    const isIt = isOf(unit, task);
    change(entries.now.map((each) => (isIt(each) ? step(each) : each)));
  };
  const of = (unit: string): RunEntry[] =>
    entries.now.filter((each) => each.unit === unit && Number.isInteger(each.task));
  return {
    /** A run begins. @returns its id, and what ends it; null where one is under way, for waves and unit are those of the conversation */
    begin({ rests, ...run }: Omit<RunUnderWay, "id" | "ended"> & { readonly rests: boolean }) {
      if (underWay !== null) return null;
      begun += 1;
      const { unit } = run;
      const id = `${PREFIX}${unit}${begun === 1 ? "" : `.${begun}`}`;
      // A report of an earlier one that GAIA was not given is of no use any more.
      for (const [other, each] of background) if (each.unit === unit) background.delete(other);
      if (rests) background.set(id, { unit, callId: run.callId, ended: null });
      const { promise: ended, resolve } = deferred();
      underWay = { ...run, id, ended };
      [open.now, openId] = [unit, id];
      const end = (report: object): void => {
        underWay = null;
        if (background.has(id)) {
          const ended = { at: clock.now(), report: { task_id: id, ...report } };
          background.set(id, { unit, callId: run.callId, ended });
        } else open.now = null;
        resolve();
        if (background.has(id)) each((part) => part.rested?.());
      };
      return { id, end };
    },
    /** By id; of each unit the newest. */
    background: (): ReadonlyMap<string, BackgroundRun> => background,
    /** GAIA waits for it no longer: from now on it goes on meanwhile. */
    rest(): void {
      if (underWay !== null) background.set(underWay.id, { ...underWay, ended: null });
    },
    underWay: (): RunUnderWay | null => underWay,
    /** Why the plan of a unit stands still until it is run again; null for a run that goes on, or came to its end. */
    standsStill(unit: string, why: string | null): void {
      if (why !== null) standstill.now = { unit, why: excerpt(why, MAX_WHY) };
      else if (standstill.now?.unit === unit) standstill.now = null;
    },
    standstillOf: (unit: string): string | null =>
      standstill.now?.unit === unit ? standstill.now.why : null,
    /** Why an operation that turns to another unit or wave has to wait; null for no reason. */
    refuseTurn(op: string): Refusal | null {
      // One that was stopped is about to end, and another waits for that.
      if (underWay === null || !TURNS.has(op) || (op === "run" && underWay.control.signal.aborted))
        return null;
      const where = background.has(underWay.id) ? " in the background" : "";
      return refuse(
        `The plan of ${underWay.unit} is being carried out${where}.`,
        "Its report comes by itself; collect_results waits for it, or stops it with cancel.",
        // What they see of it goes on.
        op === "run" ? { shown: true } : undefined,
      );
    },
    /** The unit whose run an earlier process did not bring to its end; null for none. */
    interrupted: (): string | null => (openId === null ? open.now : null),
    /** The call of a task's delegation within that of the run; each is another. */
    callFor(callId: string, unit: string, task: PlanTask): string {
      count += 1;
      const part = partOfCall(callId, `${task.number}.${count}`);
      calls.set(part, { unit, task: task.number, digest: digestOf(task) });
      return part;
    },
    /** The number of the plan's task that a delegation is about, candidate or not, as long as it runs; null for any other work. */
    taskOf({ callId }: { readonly callId: string }): number | null {
      const given = calls.get(callId);
      return given === undefined ? null : Math.trunc(given.task);
    },
    /** Who worked on the task as it reads now; undefined for nobody. */
    entry(unit: string, task: PlanTask): RunEntry | undefined {
      const known = entries.now.find(isOf(unit, task.number));
      return known?.digest === digestOf(task) ? known : undefined;
    },
    /** All of a unit but what candidates did, the newest work last. */
    of,
    /** Those of them that the historian has not been told of, in this run or in one before that did not come to its end. */
    unrecorded: (unit: string): readonly RunEntry[] => of(unit).filter(({ recorded }) => recorded !== true),
    note(unit: string, task: number, words: string): void {
      edit(unit, task, ({ recorded: _recorded, ...each }) => ({ ...each, note: excerpt(words, MAX_NOTE) }));
    },
    /** A candidate has ended. */
    end(unit: string, task: number, ended: NonNullable<RunEntry["ended"]>): void {
      edit(unit, task, (each) => ({ ...each, ended }));
    },
    /** A candidate's work is the task's from now on, and its session that of the task; the others are forgotten. */
    adopt(unit: string, task: PlanTask, candidate: number): void {
      const found = entries.now.find(isOf(unit, candidate));
      const left = entries.now.filter((each) => each.unit !== unit || Math.trunc(each.task) !== task.number);
      if (found === undefined) return;
      const { ended: _ended, ...known } = found;
      change([...left, { ...known, fixes: 0, task: task.number, digest: digestOf(task) }]);
    },
    countFix(unit: string, task: number): void {
      edit(unit, task, (each) => ({ ...each, fixes: each.fixes + 1 }));
    },
    taskChanged({ callId, agent, sessionId: session, outcome, workUnit }) {
      const isRecorded = agent === agentName("historian") && outcome?.status === "completed";
      if (isRecorded && of(workUnit ?? "").length > 0)
        change(
          entries.now.map((each) => (each.unit === workUnit ? { ...each, recorded: true as const } : each)),
        );
      const given = calls.get(callId);
      if (given === undefined) return;
      if (outcome !== null) calls.delete(callId);
      const isIt = isOf(given.unit, given.task);
      const known = entries.now.find(isIt);
      if (known?.session === session && known.digest === given.digest) return;
      const fixes = known?.digest === given.digest ? known.fixes : 0;
      const entry = { ...given, agent, session, fixes, note: "" };
      change([...entries.now.filter((each) => !isIt(each)), entry]);
    },
    /** GAIA was given its report. */
    given(id: string): void {
      if (openId === id) open.now = null;
    },
    observe(event, isRoot) {
      if (!isRoot || underWay === null) return;
      const isStop = event.type === "session.error" && event.failure.reason === "aborted";
      if (isStop && background.has(underWay.id)) underWay.control.abort();
    },
    heard(event) {
      if (event.type === "taken-back") underWay?.control.abort();
      // The user has turned from what was interrupted.
      const isOther = event.type === "work-unit-changed" && event.workUnit !== open.now;
      if (isOther && openId === null) open.now = null;
    },
    dispose() {
      underWay?.control.abort();
    },
    userSpoke(how) {
      // What the user says may be what was missing.
      if (how !== "go-on" && how !== "answer") return;
      if (entries.now.some(({ fixes }) => fixes > 0))
        change(entries.now.map((each) => ({ ...each, fixes: 0 })));
    },
  } satisfies Part & Record<string, unknown>;
}

function digestOf({ done: _done, number: _number, ...task }: PlanTask): string {
  return createHash("sha256").update(JSON.stringify(task)).digest("hex").slice(0, 12);
}

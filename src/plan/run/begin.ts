import type { JudgedClaim } from "../../checks/evidence/claims.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import { needsApproval } from "../../conversation/planning/stage.ts";
import { runIdOf } from "../../conversation/runs/runs.ts";
import { HEARD } from "../../conversation/turns/turns.ts";
import type { ToolCall } from "../../host/port.ts";
import { deferred } from "../../lib/deferred.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { recordOf } from "../../lib/json.ts";
import { refuse } from "../../lib/refusal.ts";
import type { PlanArgs } from "../operations/args.ts";
import type { PlanCall } from "../operations/ask.ts";
import type { PlanTask } from "../task.ts";
import { createRunRecord } from "./record-work.ts";
import { byNumber, type Halt, type Run } from "./run.ts";

/** A second run of one answer would write its plan under the question about the first one's. */
const preparing = new WeakSet<Conversation>();

/**
 * What stands before a run: writes the plan that comes along, and asks for the approval that it lacks. By the operations of
 * their own, so that everything they hold a plan to holds here.
 * @param operate carries out an operation
 * @returns what one of them answered that keeps the run from beginning; null where it may
 */
export async function prepareRun(
  scene: PlanCall,
  plan: PlanArgs,
  operate: (operation: PlanArgs) => Promise<object>,
): Promise<object | null> {
  const { conversation } = scene;
  if (preparing.has(conversation))
    return refuse("Another run is being prepared.", "Wait for its answer, then run again.", { shown: true });
  preparing.add(conversation);
  try {
    return await prepare(scene, plan, operate);
  } finally {
    preparing.delete(conversation);
  }
}

async function prepare(
  { runtime: { workspace }, conversation: { state }, call }: PlanCall,
  { slug, title, markdown, replace }: PlanArgs,
  operate: (operation: PlanArgs) => Promise<object>,
): Promise<object | null> {
  if (slug === undefined) return null;
  const before = await workspace.planStanding({ slug });
  if (markdown !== undefined) {
    const written = await operate(
      before.ok
        ? { op: "update_plan", slug, markdown, ...(replace === undefined ? {} : { replace }) }
        : { op: "create_work_unit", slug, title: title ?? slug, markdown },
    );
    if (recordOf(written)["ok"] !== true) return written;
  }
  const plan = await workspace.planStanding({ slug });
  const { mode } = state.knobs;
  // What holds a run up is told by the run itself, and asked for nobody.
  if (!plan.ok || plan.refused || mode === "locked" || state.pause !== null || call.abort.aborted)
    return null;
  const isDue = plan.standing !== "approved" && plan.tasks.length > 0;
  // Where nobody is asked, the plan is held against its rules all the same.
  const isAsked = mode === "autopilot" || plan.standing === "rejected" || needsApproval(plan);
  if (!isDue || !isAsked) return null;
  const approved = await operate({ op: "request_approval", slug, kind: "plan" });
  return recordOf(approved)["ok"] === true ? null : approved;
}

/** A run of which nothing has been done. @param control stops it */
export function newRun(
  { runtime, conversation, call }: PlanCall,
  unit: string,
  control: AbortController,
): Run {
  return {
    runtime,
    conversation,
    call: { ...call, abort: control.signal },
    unit,
    heads: new Map(),
    to: null,
    commit: null,
    home: undefined,
    ends: new Map(),
    reviewed: new Set(),
    record: createRunRecord(),
    notes: [],
  };
}

const STARTED =
  "Tell the user in one line and end your turn, or go on with what has nothing to do with it: its report comes by itself.";

/** A run that has begun. */
interface BegunRun {
  /** Stops it: Esc, or who cancels it. */
  readonly control: AbortController;
  /**
   * What GAIA's call returns: the report, or that it goes on in the background, where its report is delivered at its end.
   * @param work the run, which never rejects @param open numbers of the tasks that were open as it began
   */
  returns(work: Promise<RunReport>, open: readonly number[]): Promise<object>;
}

/**
 * Begins a run of the conversation; null where one is under way. One that GAIA waits for goes on in the background once the user
 * writes, so that they are answered within seconds and not at its end.
 * @param mayRest whether GAIA's turn may end before the run @param rests whether it is to from the beginning
 */
export function beginRun(
  { parts: { runs, delivery, turns } }: Conversation,
  call: ToolCall,
  unit: string,
  { mayRest, rests }: { readonly mayRest: boolean; readonly rests: boolean },
): BegunRun | null {
  const control = new AbortController();
  const stop = (): void => control.abort();
  const id = runIdOf(unit);
  let isResting = false;
  const rest = (): void => {
    isResting = true;
    call.abort.removeEventListener("abort", stop);
    delivery.begin(id);
  };
  const { promise: heard, resolve: hear } = deferred();
  const letGo = (): void => {
    runs.rest();
    rest();
    hear();
  };
  const end = runs.begin({ unit, callId: call.callId, background: rests, control });
  if (end === null) return null;
  // A report of an earlier run that GAIA was not given is of no use any more.
  delivery.drop(id);
  if (rests) rest();
  else if (call.abort.aborted) stop();
  else call.abort.addEventListener("abort", stop, { once: true });
  const endWait = mayRest && !rests ? turns.waitFor(letGo) : (): void => undefined;
  return {
    control,
    async returns(work, open) {
      const ended = work.then((report) => {
        call.abort.removeEventListener("abort", stop);
        endWait();
        end();
        if (isResting) delivery.end(id, { task_id: id, ...report });
        return report;
      });
      const running = { ok: true, status: "running", task_id: id, unit };
      if (rests) return { ...running, open, next: STARTED };
      return Promise.race([ended, heard.then(() => ({ ...running, next: HEARD }))]);
    },
  };
}

/** What `plan_gaia run` returns: what became of each task that it worked on, and what to do now. */
export interface RunReport {
  readonly ok: boolean;
  readonly status: "finished" | Halt["status"];
  readonly unit: string;
  readonly why?: string;
  readonly next: string;
  /** See {@link Halt}. */
  readonly shown?: true;
  readonly open: readonly number[];
  /** A line for each task that was worked on. */
  readonly tasks: readonly string[];
  readonly notes?: readonly string[];
}

const MAX_LINE = 300;
const MAX_NOTES = 12;
const FINISHED =
  "Tell the user in a few plain sentences what changed, how it was verified and what is open; /gaia-unify closes the unit.";

interface RunOutcome extends Pick<Run, "unit" | "ends" | "notes"> {
  readonly halt: Halt | null;
  readonly tasks: readonly PlanTask[];
  readonly claims: readonly JudgedClaim[];
}

export function renderReport({ unit, halt, tasks, ends, claims, notes }: RunOutcome): RunReport {
  const open = tasks.filter(({ done }) => !done).map(({ number }) => number);
  const lines = byNumber(ends).map(([number, { agent, session, state, line, problem }]) => {
    const claim = claims.find(({ id }) => id === `task ${number}`);
    const isDone = tasks.some((task) => task.number === number && task.done);
    const proof = claim === undefined || !isDone ? "" : `, ${claim.standing}`;
    const where = isDone ? "" : ` in ${session ?? "no session"}`;
    const isOpen = !isDone && problem !== "";
    const words = isOpen && line !== "" ? `${problem} It said: ${line}` : (isOpen && problem) || line;
    return excerpt(`${number} ${isDone ? "done" : state}${proof}, ${agent}${where}: ${words}`, MAX_LINE);
  });
  return {
    ok: halt === null,
    status: halt?.status ?? "finished",
    unit,
    ...(halt === null ? {} : { why: halt.why }),
    next: halt?.next ?? (open.length === 0 ? FINISHED : "plan_gaia run goes on with what is open."),
    ...(halt?.shown === true ? { shown: true } : {}),
    ...(halt?.denied === true ? { denied: true } : {}),
    open,
    tasks: lines,
    ...(notes.length === 0 ? {} : { notes: notes.slice(-MAX_NOTES).map((note) => excerpt(note, MAX_LINE)) }),
  };
}

import type { Conversation } from "../../conversation/conversation.ts";
import { HEARD } from "../../conversation/turns/turns.ts";
import type { ToolCall } from "../../host/port.ts";
import { bounded, deferred } from "../../lib/async.ts";
import { plainName } from "../../lib/nearest-name.ts";
import { describeError, isRefusal, refuse } from "../../lib/error.ts";
import { holdRun } from "../../project/lanes.ts";
import { findWave, type StandingPlan } from "../../record/workspace.ts";
import { commitWork } from "../commit/commit.ts";
import { openApart } from "../lanes/land.ts";
import { openHome, tellHome } from "../lanes/place.ts";
import { completeWave, openWave, type ApprovalCall } from "../operations/approvals.ts";
import type { PlanArgs } from "../operations/args.ts";
import { askToSpend, offerChecks } from "../operations/ask.ts";
import { findNeedProblems } from "../problems.ts";
import type { PlanTask } from "../task.ts";
import { waveNamed, wavesOf, type PlanWave } from "../waves.ts";
import { finishRecord } from "./record-work.ts";
import { reviewWave } from "./review.ts";
import {
  askOf,
  brokeOff,
  carriedOutElsewhere,
  elsewhere,
  isHeldUp,
  needsDecision,
  newRun,
  renderReport,
  standstillOf,
  whyHalt,
  planNow,
  type Halt,
  type Run,
  type RunReport,
} from "./run.ts";
import { objected, proveAll, proveWave, specialistOf, unreviewed } from "./send-back.ts";
import { batchesOf, settleBatch, stuckIn, workOn } from "./tasks.ts";

/** `to` for all of a plan, and `commit` for a message that is the plan's title. */
const EVERYTHING = "all";
const TITLE = "true";
const LOOK = "Look at the plan, then run again.";

/** How long a run that was stopped has to end, in milliseconds. */
const STOP_MS = 20_000;
const STARTED =
  "Tell the user in one line and end your turn, or go on with what has nothing to do with it: its report comes by itself.";

type RunArgs = Pick<PlanArgs, "to" | "commit" | "background">;

/** Carries out an approved plan wave by wave, until a person or a model is needed; called again it goes on, also after a restart. */
export async function runPlan(request: ApprovalCall & { readonly args: RunArgs }): Promise<object> {
  const { runtime, conversation, call, plan, args } = request;
  const { slug: unit, tasks } = plan;
  const until = args.to?.trim() ?? "";
  const to = until === "" || plainName(until) === EVERYTHING ? null : until;
  if (tasks.length === 0) return refuse(`The plan of ${unit} holds no task.`, "update_plan writes them.");
  const problems = findNeedProblems(tasks);
  if (problems.length > 0) {
    return refuse(
      `The plan of ${unit} cannot be carried out in any order: ${problems.join("; ")}.`,
      "Change it first.",
    );
  }
  if (plan.standing === "approved") await offerChecks(request);
  const { runs } = conversation.parts;
  // One that the user stopped is about to end.
  const before = runs.underWay();
  if (before?.control.signal.aborted === true)
    await bounded(before.ended, STOP_MS, runtime.clock, "the end of a run").catch(() => undefined);
  // Where nobody can be asked OpenCode ends with GAIA's turn.
  const mayRest = (await conversation.canAsk()) !== false;
  const begun = beginRun(conversation, call, unit, { mayRest, rests: args.background === true && mayRest });
  if (begun === null) return runs.refuseTurn("run") ?? refuse("The run before has not ended.", "Try again.");
  const { control } = begun;
  const message = args.commit === TITLE ? "" : args.commit;
  const run: Run = {
    ...newRun(request, unit),
    call: { ...call, abort: control.signal },
    to,
    commit: message === undefined || message === "false" ? null : { message },
  };
  const work = perform(run, tasks).catch((error: unknown) => renderReport(run, brokeOff(error), tasks, []));
  const open = tasks.filter(({ done }) => !done).map(({ number }) => number);
  return begun.returns(work, open);
}

/** Null where one is under way. Once the user writes it goes on in the background, unless `mayRest` is false; with `rests` from the beginning. */
function beginRun(
  { parts: { runs, turns } }: Conversation,
  call: ToolCall,
  unit: string,
  { mayRest, rests }: { readonly mayRest: boolean; readonly rests: boolean },
) {
  const control = new AbortController();
  const stop = (): void => control.abort();
  const { promise: heard, resolve: hear } = deferred();
  const letGo = (): void => {
    runs.rest();
    call.abort.removeEventListener("abort", stop);
    hear();
  };
  const begun = runs.begin({ unit, callId: call.callId, rests, control });
  if (begun === null) return null;
  if (!rests && call.abort.aborted) stop();
  else if (!rests) call.abort.addEventListener("abort", stop, { once: true });
  const endWait = mayRest && !rests ? turns.waitFor(letGo) : (): void => undefined;
  return {
    control,
    /** The report, or that it goes on in the background. @param work never rejects @param open numbers of the tasks open at its beginning */
    async returns(work: Promise<RunReport>, open: readonly number[]): Promise<object> {
      const ended = work.then((report) => {
        call.abort.removeEventListener("abort", stop);
        endWait();
        begun.end(report);
        return report;
      });
      const running = { ok: true, status: "running", task_id: begun.id, unit };
      if (rests) return { ...running, open, next: STARTED };
      return Promise.race([ended, heard.then(() => ({ ...running, next: HEARD }))]);
    },
  };
}

async function perform(run: Run, tasks: readonly PlanTask[]): Promise<RunReport> {
  const { runtime, conversation, unit } = run;
  const { host, clock } = runtime;
  conversation.parts.runs.standsStill(unit, null);
  const halt = await holdRun<Halt | null>(
    { project: host.project, unit, clock, logger: host.logger },
    // The record may lie on the branch that was left.
    async () => carryOut(run).catch((error: unknown) => elsewhere(run) ?? brokeOff(error)),
    carriedOutElsewhere(unit),
  );
  conversation.parts.runs.standsStill(unit, standstillOf(halt));
  await run.recorded.end;
  // There is a call that can ask now; the model's next request would only be held.
  await askToSpend(run);
  const now = await runtime.workspace.planStanding({ slug: unit });
  const claims = await conversation.parts.checks.claims(unit);
  await tellHome(run);
  const report = renderReport(run, halt, now.ok ? now.tasks : tasks, claims);
  if (report.ok && report.open.length === 0) await conversation.parts.report.tell(unit);
  return report;
}

async function carryOut(given: Run): Promise<Halt | null> {
  let run = given;
  const over = new Set<string>();
  for (;;) {
    const plan = await planNow(run);
    const early = heldBy(run, plan);
    if (early !== null) return early;
    const waves = wavesOf(plan.tasks);
    const until = waves.findIndex(({ id }) => id === run.to);
    if (run.to !== null && until < 0) {
      const known = waves.map(({ id }) => id).join(", ");
      return needsDecision(`The plan of ${run.unit} has no wave ${run.to}; its waves: ${known}.`, LOOK);
    }
    const wave = nextWave(run, waves);
    if (wave === null) {
      if (over.size > 0) break;
      await turnTo(run);
      // All of it was done before: ticks say nothing of the files as they are, and it may not be committed yet.
      const halt = (await proveAll(run)) ?? (run.commit === null ? null : await commitWork(run));
      if (halt !== null) return halt;
      break;
    }
    // What it was asked for was carried out before.
    if (run.to !== null && waves.indexOf(wave) > until) break;
    if (over.has(wave.id))
      return needsDecision(`Tasks of wave ${wave.id} are open again, which was carried out just now.`, LOOK);
    const assumed = wave === waves[0] ? null : await run.conversation.parts.questions.beforeWave();
    if (assumed !== null) return assumed;
    over.add(wave.id);
    await turnTo(run);
    if (plan.status !== "in-progress")
      await run.runtime.workspace.updatePlan({ slug: run.unit, status: "in-progress" });
    const home = await openHome(run);
    if (home !== undefined && isRefusal(home)) return home;
    const away = elsewhere(run);
    if (away !== null) return away;
    // What is not committed is on no branch.
    run = { ...given, home, commit: given.commit ?? (home === undefined ? null : { message: "" }) };
    const halt = await carryOutWave(run, plan, wave, wave === waves.at(-1));
    if (halt !== null) return halt;
    if (wave.id === run.to) break;
  }
  await finishRecord(run);
  return null;
}

function heldBy(run: Run, plan: StandingPlan): Halt | null {
  return whyHalt(run.conversation, plan, run.call.abort) ?? elsewhere(run) ?? askOf(run);
}

async function turnTo({ runtime, conversation, unit }: Run): Promise<void> {
  if (conversation.state.workUnit === unit) return;
  await runtime.workspace.setActive({ slug: unit });
  conversation.dispatch({ type: "work-unit-changed", workUnit: unit });
}

/** What the steps of a wave work with: the wave goes by the name that it has in the ledger. */
interface WaveWork extends ApprovalCall {
  readonly run: Run;
  readonly wave: PlanWave;
  readonly isLast: boolean;
}

/** One step of a wave, and why it stands where it stands. */
interface Step {
  readonly name: string;
  readonly why: string;
  /** Only of the plan's last wave. */
  readonly isLast?: true;
  does(work: WaveWork): Promise<Halt | null>;
}

const STEPS: readonly Step[] = [
  {
    name: "open",
    why: "nothing is done before the user agrees",
    does: async (work) => refusalIn(await openWave(work, work.wave.id)),
  },
  { name: "work", why: "a batch has landed and is judged before the next", does: async (work) => give(work) },
  {
    name: "check",
    why: "what fails goes back to its writer before a reviewer looks at it",
    does: async ({ run, wave }) => proveWave(run, wave.id),
  },
  {
    name: "prove",
    why: "later tasks may break earlier ones",
    isLast: true,
    does: async ({ run }) => proveAll(run),
  },
  {
    name: "review",
    why: "reviewers look at what passes",
    does: async ({ run, wave, isLast }) => reviewWave(run, wave, isLast, isLast || wave.id === run.to),
  },
  {
    name: "settle",
    why: "what was rejected, or not reviewed, before this run stands against it as well",
    does: async ({ run }) => objected(run) ?? unreviewed(run),
  },
  {
    name: "prove again",
    why: "a fix round may have broken what an earlier wave made",
    isLast: true,
    does: async ({ run }) => proveAll(run),
  },
  {
    name: "commit",
    why: "a revision holds what is proven and reviewed",
    isLast: true,
    does: async ({ run }) => (run.commit === null ? null : commitWork(run)),
  },
  {
    name: "complete",
    why: "until then a run goes on in it",
    does: async (work) => {
      const plan = await planNow(work.run);
      const isReported = plan.tasks.every(({ done }) => done);
      const open = refusalIn(await completeWave({ ...work, plan }, work.wave.id, isReported));
      return open && { ...open, status: "decision" };
    },
  },
];

function refusalIn(end: object): Halt | null {
  return isRefusal(end) ? end : null;
}

async function carryOutWave(
  run: Run,
  plan: StandingPlan,
  of: PlanWave,
  isLast: boolean,
): Promise<Halt | null> {
  const wave = { ...of, id: await nameOfWave(run, of) };
  const work: WaveWork = { ...run, run, plan, wave, isLast, args: { wave_id: wave.id } };
  for (const step of STEPS.filter((each) => each.isLast !== true || isLast)) {
    const halt = await step.does(work).catch((error: unknown) => {
      throw new Error(`${step.name}: ${describeError(error)}`, { cause: error });
    });
    // What the user has stopped, or is asked for, comes before what followed from it.
    const held = step === STEPS.at(-1) ? null : heldBy(run, await planNow(run));
    if (held !== null || halt !== null) return held ?? halt;
  }
  return null;
}

async function give({ run, wave: { id, tasks } }: WaveWork): Promise<Halt | null> {
  const edits = (task: PlanTask): boolean => specialistOf(run, task)?.mutates === true;
  const isTried = (task: PlanTask): boolean => (task.candidates?.length ?? 0) > 1 && edits(task);
  const mayLand = (): boolean =>
    !isHeldUp(run) && run.conversation.state.knobs.mode !== "locked" && elsewhere(run) === null;
  const batches = batchesOf(
    tasks.filter(({ done }) => !done),
    (task) => specialistOf(run, task)?.role ?? null,
  )
    // Beside others it would begin with half of their work.
    .flatMap((batch) => [
      batch.filter((task) => !isTried(task)),
      ...batch.filter(isTried).map((task) => [task]),
    ])
    .filter((batch) => batch.length > 0);
  for (const batch of batches) {
    const editing = batch.filter(edits);
    const tried = editing.find(isTried);
    const halt =
      tried === undefined
        ? await workOn(run, id, batch, await openApart(run, editing, mayLand))
        : await tryOut(run, id, tried, mayLand);
    const held = heldBy(run, await planNow(run));
    if (held !== null || halt !== null) return held ?? halt;
  }
  return null;
}

async function tryOut(run: Run, wave: string, task: PlanTask, mayLand: () => boolean): Promise<Halt | null> {
  const stuck = stuckIn(run, [task]);
  if (stuck !== null) return stuck;
  const { contest } = await import("./contest.ts");
  const end = await contest(run, wave, task, mayLand);
  if (end === "alone") return workOn(run, wave, [task], null);
  return end ?? settleBatch(run, wave, [task], null);
}

const MAX_NAMES = 20;

/** The wave that is open, which may lack only its end; else the first with an open task. */
function nextWave({ conversation, unit }: Run, waves: readonly PlanWave[]): PlanWave | null {
  const { wave } = conversation.state;
  const named = wave?.workUnit === unit ? waveNamed(waves, wave.id) : undefined;
  return waves.find((each) => each === named || each.tasks.some(({ done }) => !done)) ?? null;
}

/** Its name in the plan; a wave that got another task after its end is another one. */
async function nameOfWave({ runtime, conversation, unit }: Run, { id }: PlanWave): Promise<string> {
  const known = await runtime.workspace.readWaves({ slug: unit });
  const ledger = known.ok ? known.waves : [];
  const isFree = (name: string): boolean => {
    const entry = findWave(ledger, name);
    return entry === null || (entry.end === null && entry.owner === conversation.rootId);
  };
  const names = [id, ...Array.from({ length: MAX_NAMES }, (_, index) => `${id}.${index + 2}`)];
  return names.find(isFree) ?? id;
}

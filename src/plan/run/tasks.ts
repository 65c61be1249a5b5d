import { givesVerdict, type Role } from "../../config/roles.ts";
import { excerpt, firstSentence, tail } from "../../lib/text.ts";
import { headlineOf } from "../../process/output.ts";
import { refuse } from "../../lib/error.ts";
import { clockTime } from "../../lib/figures.ts";
import { createOverlap } from "../files.ts";
import type { PlanTask } from "../task.ts";
import type { ChildWorktree } from "../../delegation/child-session.ts";
import { askOf, isHeldUp, type Halt, needsDecision, planNow, type Run } from "./run.ts";
import { brokenEnd } from "./give.ts";
import { sendRejectedBack, specialistOf, unreviewed, workOnTask } from "./send-back.ts";

const MAX_FIXES = 1;
const MAX_WHY = 700;
const MAX_OUTPUT = 120;
const CHANGED = "The plan was changed while it was worked on.";
export const CHANGE =
  "Change the plan (update_plan; an approved one is approved again) and call run again, or tell the user.";

/** A wave's tasks in batches of those beside each other: needs come first, no two of a batch share a file, who only judges comes last. */
export function batchesOf(
  tasks: readonly PlanTask[],
  roleOf: (task: PlanTask) => Role | null,
): readonly (readonly PlanTask[])[] {
  const isJudge = (task: PlanTask): boolean => {
    const role = roleOf(task);
    return givesVerdict(role) && role !== "tester";
  };
  const overlap = createOverlap(tasks);
  const batches: PlanTask[][] = [];
  let left = [...tasks];
  while (left.length > 0) {
    const open = new Set(left.map(({ number }) => number));
    const works = left.some((task) => !isJudge(task));
    const ready: PlanTask[] = [];
    for (const task of left) {
      const { needs, number } = task;
      if (works && isJudge(task)) continue;
      if (needs.some((other) => other !== number && open.has(other))) continue;
      if (!ready.some((other) => overlap(task, other))) ready.push(task);
    }
    // What needs each other in a circle is worked on in the order of the plan.
    const batch = ready.length > 0 ? ready : left.slice(0, 1);
    batches.push(batch);
    left = left.filter((task) => !batch.includes(task));
  }
  return batches;
}

/** Where the tasks of a batch are worked on, if not in the project's own tree. */
export interface Apart {
  whyNot(task: PlanTask): string | null;
  worktreeOf(task: PlanTask): ChildWorktree | undefined;
  /** Brings what has ended into the project's tree. @returns why it is not there */
  land(): Promise<Halt | null>;
}

/** Works on tasks beside each other, and settles what has come of them. @returns why it cannot go on */
export async function workOn(
  run: Run,
  wave: string,
  batch: readonly PlanTask[],
  apart: Apart | null,
): Promise<Halt | null> {
  const stuck = stuckIn(run, batch);
  if (stuck !== null) return stuck;
  const work = async (task: PlanTask): Promise<void> => {
    const beside = batch.filter((other) => other !== task);
    const whyNot = apart?.whyNot(task) ?? null;
    if (whyNot !== null) run.ends.set(task.number, brokenEnd(task.agent ?? "", whyNot));
    else await workOnTask(run, wave, task, null, beside, apart?.worktreeOf(task));
  };
  await Promise.all(batch.map(work));
  return (await apart?.land()) ?? settleBatch(run, wave, batch, apart);
}

/** Nothing is begun anew that failed after its fix round, unless its words have changed. */
export function stuckIn(run: Run, batch: readonly PlanTask[]): Halt | null {
  const { runs } = run.conversation.parts;
  const stuck = batch.find((task) => (runs.entry(run.unit, task)?.fixes ?? 0) >= MAX_FIXES);
  if (stuck === undefined) return null;
  return needsDecision(`Task ${stuck.number} failed after its fix round and reads as it did then.`, CHANGE);
}

/** Judges what has been handed over, sends back what fails once, and ticks what holds. @returns why it cannot go on */
export async function settleBatch(
  run: Run,
  wave: string,
  batch: readonly PlanTask[],
  apart: Apart | null,
): Promise<Halt | null> {
  const failed = await judge(run, batch);
  if (!(failed instanceof Map)) return failed;
  const asks = askOf(run);
  if (asks !== null || failed.size === 0 || isHeldUp(run)) return asks;
  const back = [...failed].filter(([task]) => maySendBack(run, task));
  // One after the other: what collided in worktrees is done again in one tree.
  for (const [task, problem] of back) {
    if (isHeldUp(run)) return null;
    run.conversation.parts.runs.countFix(run.unit, task.number);
    await workOnTask(run, wave, task, problem, [], apart?.worktreeOf(task));
  }
  const rejecting = batch.filter((task) => (run.ends.get(task.number)?.findings ?? "") !== "");
  const halt = (await apart?.land()) ?? (await fixRejected(run, wave, rejecting));
  if (halt !== null) return halt;
  const hasTried = back.length + rejecting.length > 0;
  const still = hasTried ? await judge(run, [...failed.keys()]) : failed;
  if (!(still instanceof Map)) return still;
  const asksNow = askOf(run) ?? limitOf(run, [...still.keys()]);
  if (asksNow !== null || still.size === 0 || isHeldUp(run)) return asksNow;
  const isOnlyRead = [...still.keys()].every((task) => specialistOf(run, task)?.mutates === false);
  const unseen = isOnlyRead ? await unreviewed(run, false) : null;
  if (unseen !== null) return unseen;
  const why = [...still].map(([{ number }, problem]) => {
    // Behind it stands what its command said, of which one line tells most.
    const [said = "", ...output] = problem.split("\n");
    const what = still.size > 1 ? firstSentence(said) : said;
    const words = [what, tail(headlineOf(output.join("\n")), MAX_OUTPUT)].filter(Boolean).join(" · ");
    return `Task ${number} is not done${hasTried ? " after its fix round" : ""}: ${excerpt(words, Math.floor(MAX_WHY / still.size))}`;
  });
  return needsDecision(why.join("; "), CHANGE);
}

/** What reviewers reject who are tasks of the plan themselves is fixed once by its writer, and looked at again. */
async function fixRejected(run: Run, wave: string, rejecting: readonly PlanTask[]): Promise<Halt | null> {
  if (rejecting.length === 0 || isHeldUp(run)) return null;
  const ends = rejecting.flatMap(({ number }) => run.ends.get(number) ?? []);
  const said = ends.map(({ agent, findings }) => `${agent}: ${findings}`).join("\n");
  const objections = ends.map(({ agent, findings, found = [] }) => ({
    reviewer: agent,
    said: findings,
    found,
  }));
  const halt = await sendRejectedBack(run, wave, objections, rejecting);
  if (halt !== null || isHeldUp(run)) return halt;
  await Promise.all(rejecting.map(async (task) => workOnTask(run, wave, task, said)));
  return null;
}

function maySendBack({ conversation, unit, ends }: Run, task: PlanTask): boolean {
  const entry = conversation.parts.runs.entry(unit, task);
  const end = ends.get(task.number);
  return entry !== undefined && entry.fixes < MAX_FIXES && end?.findings === "" && end.state !== "broken";
}

/** Which do not hold, by their words and their `verify`, and why; ticks the others. @returns a halt where they cannot be ticked */
async function judge(run: Run, tasks: readonly PlanTask[]): Promise<Map<PlanTask, string> | Halt> {
  const { conversation, call, unit, ends, runtime } = run;
  const { checks } = conversation.parts;
  const failed = new Map<PlanTask, string>();
  const ended = tasks.filter((task) => {
    const end = ends.get(task.number);
    if (end?.state === "done") return true;
    failed.set(task, end?.problem ?? "It was not begun.");
    return false;
  });
  if (ended.length > 0) {
    const ids = new Map(ended.map((task) => [`task ${task.number}`, task]));
    const claims = await checks.prove(unit, ({ id }) => ids.has(id), call.abort, true);
    for (const claim of claims) {
      const task = ids.get(claim.id);
      if (task === undefined || !claim.isRefuted) continue;
      failed.set(task, [claim.why, claim.output ?? ""].filter(Boolean).join("\n"));
      const end = ends.get(task.number);
      if (end !== undefined) ends.set(task.number, { ...end, state: "failed", problem: claim.why });
    }
  }
  // Someone may have changed the plan meanwhile, and another task may stand under its number.
  const now = new Map((await planNow(run)).tasks.map(({ number, text }) => [number, text]));
  for (const task of ended) {
    if (now.get(task.number) === task.text) continue;
    failed.set(task, CHANGED);
    const end = ends.get(task.number);
    if (end !== undefined) ends.set(task.number, { ...end, state: "broken", problem: CHANGED });
  }
  const held = ended.filter((task) => !failed.has(task)).map(({ number }) => String(number));
  if (held.length > 0 && !call.abort.aborted) {
    const ticked = await runtime.workspace.updatePlan({ slug: unit, tick: held });
    if (!ticked.ok)
      return refuse(
        `The work of task ${held.join(", ")} is there, but the plan cannot be ticked: ${ticked.error}`,
        `${ticked.hint} Tell the user and end your turn; once that is settled plan_gaia run goes on from there.`,
      );
  }
  return failed;
}

/** Which tasks wait for a provider that answers later: neither another plan nor another try helps until then. */
function limitOf({ ends, runtime }: Run, open: readonly PlanTask[]): Halt | null {
  const limited = open.map(({ number }) => ({ number, until: ends.get(number)?.limitedUntil ?? 0 }));
  if (limited.length === 0 || limited.some(({ until }) => until <= runtime.clock.now())) return null;
  const who = limited.map(({ number }) => `task ${number} (${ends.get(number)?.agent ?? ""})`).join(", ");
  const at = clockTime(Math.min(...limited.map(({ until }) => until)));
  return refuse(
    `The provider of ${who} answers again at ${at}: go on then, or choose another model with /models and go on now.`,
    "Tell the user so and end your turn; plan_gaia run goes on from there.",
  );
}

import { MAKER } from "../../agents/registry.ts";
import { givesVerdict } from "../../config/roles.ts";
import { openObjections } from "../../conversation/collaboration/verdicts.ts";
import type { Specialist } from "../../delegation/specialist.ts";
import type { ChildWorktree } from "../../delegation/child-session.ts";
import { head } from "../../lib/excerpt.ts";
import type { PlanTask } from "../../plan/task.ts";
import { LOOK_AGAIN, renderBrief, renderFix, renderFound, renderGoOn } from "./brief.ts";
import { gatherContext } from "./gather-context.ts";
import { endOf, give, MAX_FINDINGS } from "./give.ts";
import type { Halt } from "./halt.ts";
import { planNow, type Run, type TaskEnd } from "./run.ts";

/** Who does a task: its agent, where it names one. */
export function specialistOf({ runtime }: Pick<Run, "runtime">, { agent }: PlanTask): Specialist | undefined {
  return runtime.agents.specialists.get(agent ?? MAKER);
}

/** The end of a task that could not begin. */
export function brokenEnd(agent: string, problem: string): TaskEnd {
  return { agent, session: null, state: "broken", line: "", notes: "", problem, needs: "", findings: "" };
}

/**
 * Has a task worked on, in the session that knows it where there is one.
 * @param problem what fails of it, and what that said; null where it begins in this run
 */
export async function workOnTask(
  run: Run,
  wave: string,
  task: PlanTask,
  problem: string | null,
  beside: readonly PlanTask[] = [],
  worktree?: ChildWorktree,
): Promise<void> {
  const specialist = specialistOf(run, task);
  const before = run.ends.get(task.number);
  if (specialist === undefined) {
    const agent = task.agent ?? "";
    run.ends.set(task.number, brokenEnd(agent, `There is no specialist "${agent}".`));
    return;
  }
  const { state, parts } = run.conversation;
  const known = parts.runs.entry(run.unit, task);
  const isTheirs = known?.agent === specialist.name;
  const objections = isTheirs ? openObjections(state.verdicts, run.unit) : [];
  const objection = objections.find(({ reviewer }) => reviewer === specialist.name);
  const found = before === undefined ? (objection?.reason ?? "") : before.findings;
  const isHeld = before === undefined ? isTheirs : before.state === "held";
  const order =
    found === ""
      ? isHeld
        ? renderGoOn(task)
        : problem === null
          ? ""
          : renderFix(task, problem)
      : LOOK_AGAIN;
  const context = await gatherContext(run, task, beside);
  const judges = givesVerdict(specialist.role) ? { notes: makersNotes(run, task) } : {};
  const brief = renderBrief(task, { ...context, ...judges });
  const whole = [order, renderFound(found), brief].filter(Boolean).join("\n\n");
  const result = await give(run, {
    specialist,
    title: problem === null ? task.text : `Fix: ${task.text}`,
    prompt: problem === null ? whole : order,
    about: `${task.text}\n${task.details}`,
    skills: task.skills,
    afresh: whole,
    resume: isTheirs ? known.session : null,
    waveId: wave,
    callId: parts.runs.callFor(run.call.callId, run.unit, task),
    worktree,
  });
  const end = endOf(specialist, result, task.verify !== undefined);
  run.ends.set(task.number, end);
  parts.runs.note(run.unit, task.number, run.runtime.memory.redact(end.line));
}

/** What those who worked on the unit say of it, in this run or in one before: for the one who judges it. */
export function makersNotes({ conversation, unit, ends }: Run, but?: PlanTask): string[] {
  return (
    conversation.parts.runs
      .of(unit)
      .filter(({ task }) => task !== but?.number)
      // Not in the order in which they came to an end, which is chance where they work side by side.
      .toSorted((one, other) => one.task - other.task)
      .map(({ task, agent, note }) => {
        const { line = note, notes = "" } = ends.get(task) ?? {};
        return [`- task ${task}, ${agent}: ${line}`, notes].filter(Boolean).join("\n  ");
      })
  );
}

/** Sends a rejected change back once, to the one who wrote it. @param found what its reviewers said @returns why nobody can fix it */
export async function sendRejectedBack(
  run: Run,
  wave: string,
  found: string,
  reviews: readonly PlanTask[] = [],
): Promise<Halt | null> {
  const objection = run.conversation.parts.reviews.closing(run.unit);
  const tasks = (await planNow(run)).tasks.filter(
    ({ number }) => !reviews.some((review) => review.number === number),
  );
  const task = objection?.verdict === "BLOCKED" ? null : writerOf(run, tasks, found);
  if (task === null) return objected(run);
  await workOnTask(run, wave, task, `A review rejects it:\n${head(found, MAX_FINDINGS)}`);
  return null;
}

/** Who wrote what fails: the task whose files the output names most often, else the one that was worked on last. */
export function writerOf(run: Run, tasks: readonly PlanTask[], said: string): PlanTask | null {
  const { runs } = run.conversation.parts;
  const order = runs.of(run.unit).map(({ task }) => task);
  const scored = tasks
    .filter((task) => specialistOf(run, task)?.mutates === true && runs.entry(run.unit, task) !== undefined)
    .map((task) => ({ task, named: mentions(task.files ?? [], said), at: order.indexOf(task.number) }))
    .toSorted((one, other) => other.named - one.named || other.at - one.at);
  return scored[0]?.task ?? null;
}

function mentions(files: readonly string[], said: string): number {
  return files.filter((file) => said.includes(file) || said.includes(file.split("/").at(-1) ?? file)).length;
}

/** What stands against the work after its reviews; null for nothing. */
export function objected({ conversation, unit }: Run): Halt | null {
  const objection = conversation.parts.reviews.closing(unit);
  if (objection === null) return null;
  return {
    status: "decision",
    why: `${objection.reviewer}: ${objection.verdict}. ${objection.reason}`.trim(),
    next: "Change the plan and run again, or tell the user, who alone can overrule a review.",
  };
}

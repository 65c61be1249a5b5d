import { MAKER } from "../../agents/registry.ts";
import { readForModel } from "../../context/context-file.ts";
import { openObjections } from "../../conversation/collaboration/verdicts.ts";
import { partOfCall } from "../../delegation/task.ts";
import type { ChildWorktree } from "../../delegation/child-session.ts";
import type { Specialist } from "../../delegation/specialist.ts";
import { head } from "../../lib/text.ts";
import { fencedBlock } from "../../lib/quoting.ts";
import { refuse } from "../../lib/error.ts";
import type { Runtime } from "../../runtime.ts";
import { reviewsOf } from "../operations/approvals.ts";
import { ask } from "../operations/ask.ts";
import { renderFixes, routeFixes } from "../review/findings.ts";
import { isPattern } from "../files.ts";
import type { PlanTask } from "../task.ts";
import {
  brokenEnd,
  endOf,
  give,
  LOOK_AGAIN,
  MAX_FINDINGS,
  renderAssignment,
  renderFix,
  renderFound,
  renderGoOn,
  type Objection,
} from "./give.ts";
import { isHeldUp, needsDecision, planNow, type Halt, type Run } from "./run.ts";
import { modelView } from "../../checks/definition-of-done/render.ts";
import { excerptOutput } from "../../process/output.ts";
import type { DefinitionOfDoneReport } from "../../checks/definition-of-done/report.ts";
import { renderRefuted, runChecks, settleChangedChecks, type Checking } from "../operations/evidence.ts";

const UNREVIEWED =
  "Tell the user that the work is not reviewed, and end your turn: it is not committed. plan_gaia run has it reviewed again.";

export function specialistOf({ runtime }: Pick<Run, "runtime">, { agent }: PlanTask): Specialist | undefined {
  return runtime.agents.specialists.get(agent ?? MAKER);
}

/** In the session that knows the task, where there is one. @param problem what fails of it and what that said; null at its beginning */
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
  const isHeld = before === undefined ? isTheirs && problem === null : before.state === "held";
  const work = problem === null ? "" : renderFix(task, problem);
  const order = found !== "" ? LOOK_AGAIN : isHeld ? renderGoOn(task) : work;
  const now = await filesNow(run.runtime, run.conversation.tree.place.project, task);
  const asked = renderAssignment(task, now.text, beside);
  // The same small change as beside it: what it needs to know is shown, and the host runs its proof.
  const isOnlyEdit = task.each !== undefined && task.verify !== undefined && now.isAll;
  const whole = [order, renderFound(found), asked].filter(Boolean).join("\n\n");
  const result = await give(run, {
    specialist,
    title: problem === null ? task.text : `Fix: ${task.text}`,
    prompt: problem === null ? whole : order,
    about: `${task.text}\n${task.details}`,
    files: task.files,
    skills: task.skills,
    without: isOnlyEdit ? [run.runtime.host.permissionNames.command, "glob"] : [],
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

/** Each finding to the agent that it names, in the session that made the place; words to who wrote it. @returns why nobody can fix it */
export async function sendRejectedBack(
  run: Run,
  wave: string,
  objections: readonly Objection[],
  reviews: readonly PlanTask[] = [],
): Promise<Halt | null> {
  const { specialists } = run.runtime.agents;
  const tasks = (await planNow(run)).tasks.filter(
    ({ number }) => !reviews.some((review) => review.number === number),
  );
  const last = writerOf(run, tasks, objections.map(({ said }) => said).join("\n"));
  const isBlocked = run.conversation.parts.reviews.closing(run.unit)?.verdict === "BLOCKED";
  if (isBlocked) return objected(run);
  const maker = last?.agent ?? MAKER;
  const isEditor = (agent: string): boolean => specialists.get(agent)?.mutates === true;
  const fixes = routeFixes(
    objections.flatMap(({ found }) => found),
    {
      isEditor,
      tester: [...specialists.values()].find(({ role }) => role === "tester")?.name ?? null,
      makerOf: (where) => (mentionsAny(tasks, where) ? (writerOf(run, tasks, where)?.agent ?? MAKER) : null),
      maker,
    },
  );
  const words = objections.flatMap(({ reviewer, said, found }) =>
    found.length > 0 ? [] : [`${reviewer}: ${said}`],
  );
  // Who writes tests comes last.
  const parts = new Map(words.length === 0 ? [] : [[maker, words]]);
  for (const fix of fixes) parts.set(fix.agent, [...(parts.get(fix.agent) ?? []), renderFixes(fix)]);
  if (last === null && ![...parts.keys()].some(isEditor)) return objected(run);
  const who = objections.map(({ reviewer }) => reviewer).join(", ");
  for (const [agent, all] of parts) {
    if (isHeldUp(run)) return null;
    const said = all.join("\n");
    const problem = `A review rejects the work (${who}). Fix what is yours of it:\n${head(said, MAX_FINDINGS)}`;
    const own = tasks.filter((task) => (task.agent ?? MAKER) === agent);
    const task = writerOf(run, own, said);
    if (task === null) await fixAfresh(run, wave, agent, problem);
    else await workOnTask(run, wave, task, problem);
  }
  return null;
}

async function fixAfresh(run: Run, wave: string, agent: string, problem: string): Promise<void> {
  const specialist = run.runtime.agents.specialists.get(agent);
  if (specialist === undefined) return;
  const task = { number: 0, text: `Fix what a review of wave ${wave} found`, done: false, agent, needs: [] };
  const asTask: PlanTask = { ...task, skills: [], details: problem };
  const result = await give(run, {
    specialist,
    title: asTask.text,
    prompt: renderAssignment(asTask, "", []),
    about: problem,
    resume: null,
    waveId: wave,
    callId: partOfCall(run.call.callId, `${wave}.fix.${agent}`),
  });
  const { line, problem: wrong } = endOf(specialist, result);
  run.notes.push(`${agent}, sent what the review found: ${wrong || line || "done"}`);
}

function mentionsAny(tasks: readonly PlanTask[], said: string): boolean {
  return tasks.some(({ files = [] }) => mentions(files, said) > 0);
}

/** Who wrote what fails: the task whose files the output names most often, else the one that was worked on last. */
function writerOf(run: Run, tasks: readonly PlanTask[], said: string): PlanTask | null {
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

export function objected({ conversation, unit }: Run): Halt | null {
  const objection = conversation.parts.reviews.closing(unit);
  if (objection === null || objection.verdict === null) return null;
  const { reviewer, verdict, reason, findings } = objection;
  const open = findings.length === 0 ? "" : ` Not fixed: ${findings.join("; ")}`;
  const next = "Change the plan and run again, or tell the user, who alone can overrule a review.";
  return needsDecision(`${reviewer}: ${verdict}. ${reason}`.trim() + open, next);
}

/** The user decides whether work goes on that was not reviewed (SPEC 4). @param mayAsk not for a review that is an open task of the plan */
export async function unreviewed(run: Run, mayAsk = true): Promise<Halt | null> {
  const { conversation, unit } = run;
  const missing = conversation.parts.reviews.closing(unit);
  if (missing === null || missing.verdict !== null || isHeldUp(run)) return null;
  const { reviewer, reason } = missing;
  const why = `Not reviewed by ${reviewer}: ${reason}`;
  if (mayAsk && conversation.state.knobs.mode === "supervised") {
    const reviews = reviewsOf(conversation, unit, "verification");
    const title = "go on without the review";
    const asked = await ask(run, { kind: "verification", workUnit: unit, title, ...reviews });
    if (asked.kind === "granted") {
      run.notes.push(`${why} The user went on without it.`);
      return null;
    }
  }
  // The reviewer's line says so already, and the verdict.
  return { ...refuse(why, UNREVIEWED), shown: true };
}

const MAX_FILE = 20_000;
/** Room for the largest part of a task that is divided: five files of the usual size fit. */
const MAX_ALL = 40_000;

/** Saves reading them first, a request each. Left out is what does not fit, may hold secrets, or is no text; `isAll`: nothing is. */
async function filesNow(
  { clock, memory }: Pick<Runtime, "clock" | "memory">,
  project: string,
  { files = [] }: PlanTask,
): Promise<{ readonly text: string; readonly isAll: boolean }> {
  const read = await Promise.all(
    files.map(async (path) => ({ path, file: await readForModel(project, path, clock) })),
  );
  const shown: string[] = [];
  let room = MAX_ALL;
  for (const { path, file } of read) {
    if (file === null || "withheld" in file) continue;
    const text = Buffer.from(file.bytes).toString("utf8");
    const isText = !text.includes("\0") && !text.includes("\uFFFD") && memory.redact(text) === text;
    if (!isText || text.trim() === "" || text.length > Math.min(room, MAX_FILE)) continue;
    room -= text.length;
    shown.push(`${path}\n${fencedBlock("", text.replace(/\n$/, ""))}`);
  }
  const fresh = read.flatMap(({ path, file }) => (file === null && !isPattern(path) ? [path] : []));
  const text = [
    fresh.length === 0 ? "" : `Not there yet: ${fresh.join(", ")}`,
    shown.length === 0 ? "" : `They read now, so that you need not read them again:\n${shown.join("\n")}`,
  ];
  return { text: text.filter(Boolean).join("\n"), isAll: shown.length === files.length };
}

const MAX_OUTPUT = 1_500;
const MEND = "Add a task that fixes it to the plan and run again, or tell the user.";

/** Runs the project's checks; what fails goes back once to the one who wrote it. @returns why it cannot go on */
export async function proveWave(run: Run, wave: string): Promise<Halt | null> {
  if (run.runtime.config.wavePolicy.boundaryRule === "manual") return null;
  await settleChangedChecks(run);
  const first = await runChecks(run);
  const halt = whyUnproven(first);
  if (halt === null || first === null || first === "unconfigured" || first.report === null) return halt;
  const said = outputOf(first.report);
  const task = writerOf(run, (await planNow(run)).tasks, said);
  if (task === null || isHeldUp(run)) return halt;
  await workOnTask(run, wave, task, `These checks of the project fail:\n${said}`);
  return isHeldUp(run) ? halt : whyUnproven(await runChecks(run), ` after task ${task.number} was sent back`);
}

/** Runs the checks once more where files have changed since they passed, which nobody has to think about. @returns why it cannot go on */
export async function proveAgain(run: Checking): Promise<Halt | null> {
  const standing = await run.conversation.parts.checks.standing(run.call.abort);
  return standing === "passed" || standing === "unconfigured" ? null : whyUnproven(await runChecks(run));
}

/** Once no task is open: everything in the plan still holds on the files as they are. @returns what does not any more */
export async function proveAll({ conversation, call, unit }: Run): Promise<Halt | null> {
  const claims = await conversation.parts.checks.prove(unit, () => true, call.abort);
  const said = renderRefuted(claims, ({ isTicked, kind }) => isTicked || kind === "condition");
  return said === "" ? null : needsDecision(`What was done does not hold any more: ${said}`, MEND);
}

function whyUnproven(failed: Awaited<ReturnType<typeof runChecks>>, how = ""): Halt | null {
  if (failed === null || failed === "unconfigured") return null;
  const { report, why } = failed;
  if (report === null) return refuse(why, "Tell the user; run goes on once it is settled.");
  return needsDecision(`The Definition of Done does not pass${how}: ${why}`, MEND, {
    report: modelView(report),
  });
}

function outputOf({ checks, artifacts }: DefinitionOfDoneReport): string {
  const red = checks.filter((each) => each.status !== "passed" && each.as_before !== true);
  return [
    ...red.map(
      ({ id, command, detail = "", output_tail: output }) =>
        `${id}: \`${command}\` ${detail}\n${excerptOutput(output, { maxCharacters: MAX_OUTPUT })}`,
    ),
    ...artifacts.filter(({ found, optional }) => !found && !optional).map(({ path }) => `missing: ${path}`),
  ].join("\n");
}

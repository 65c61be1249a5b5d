import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { refuse } from "../../lib/refusal.ts";
import { landLanes } from "../lanes/land.ts";
import { findLanes, type TaskLanes, openTaskLanes, type TaskLane, worktreeOf } from "../lanes/place.ts";
import { ask } from "../operations/ask.ts";
import { brokenEnd } from "../run/give.ts";
import { HELD, needsDecision, type Halt, type Run, type TaskEnd } from "../run/run.ts";
import { workOnTask } from "../run/send-back.ts";
import { askOf, CHANGE } from "../run/tasks.ts";
import type { PlanTask } from "../task.ts";
import { type Judged, judgeAll, juryOf, rank } from "./judge.ts";

const MAX_FIXES = 1;
const MAX_TRIES = 4;
const MAX_CELL = 160;

interface Contest {
  readonly run: Run;
  readonly lanes: TaskLanes;
  readonly wave: string;
  readonly task: PlanTask;
  readonly tries: readonly PlanTask[];
  readonly open: readonly TaskLane[];
  readonly unready: ReadonlyMap<PlanTask, string>;
  mayLand(): boolean;
}

/** Each try as a task `<task>.<candidate>` with its own approach: nothing of it tells of the others. */
export function candidatesOf({ candidates = [], approach = [], details, ...task }: PlanTask): PlanTask[] {
  return candidates.slice(0, MAX_TRIES).map((name, at) => ({
    ...task,
    ...(name === "" ? {} : { agent: name }),
    number: Number(`${task.number}.${at + 1}`),
    details: [details, approach[at] === undefined ? "" : `Approach: ${approach[at]}`]
      .filter(Boolean)
      .join("\n"),
  }));
}

/** Has a task done by several, and the best kept. @returns why it cannot go on; `alone` where there can be no worktrees: then it has one candidate */
export async function contest(
  run: Run,
  wave: string,
  task: PlanTask,
  mayLand: () => boolean,
): Promise<Halt | "alone" | null> {
  const tries = candidatesOf(task);
  const lanes = await findLanes(run, { editing: 1, isTried: true });
  const landed = lanes && (await findLanded(run, lanes, tries));
  const others = tries.filter((each) => each !== landed);
  const made = lanes && (await openTaskLanes(run, lanes, wave, others));
  const opened = typeof made === "string" && landed !== null ? { open: [], unready: new Map() } : made;
  if (lanes === null || opened === null || typeof opened === "string") {
    run.notes.push(`task ${task.number} has one candidate${typeof opened === "string" ? `: ${opened}` : ""}`);
    return "alone";
  }
  const opening: Contest = { run, lanes, wave, task, tries, ...opened, mayLand };
  if (landed !== null) return settle(opening, landed);
  await workOnAll(opening);
  return decide(opening);
}

/** The candidate whose landing a crash has cut off, once it stands in the user's tree. */
async function findLanded(
  run: Run,
  { engine, store }: TaskLanes,
  tries: readonly PlanTask[],
): Promise<PlanTask | null> {
  const { runs } = run.conversation.parts;
  const chosen = tries.find((each) => runs.entry(run.unit, each)?.ended === "chosen");
  if (chosen === undefined) return null;
  const there = await engine.listLanes(store);
  return there.some(({ name }) => name === `${run.unit}/${chosen.number}`) ? null : chosen;
}

async function workOnAll({ run, wave, tries, open, unready }: Contest): Promise<void> {
  await Promise.all(
    tries.map(async (each) => {
      const known = run.conversation.parts.runs.entry(run.unit, each);
      const own = open.find((lane) => lane.task === each);
      const { agent = "" } = known ?? each;
      const end = brokenEnd(agent, own === undefined ? (unready.get(each) ?? "") : "");
      if (own === undefined) run.ends.set(each.number, end);
      else if (known?.ended === undefined) await workOn(run, wave, own, null);
      else {
        const state = known.ended === "failed" ? "failed" : "done";
        run.ends.set(each.number, { ...end, session: known.session, state, line: known.note });
      }
    }),
  );
}

async function workOn(run: Run, wave: string, own: TaskLane, problem: string | null): Promise<void> {
  await workOnTask(run, wave, own.task, problem, [], worktreeOf(run, own));
  const { state } = run.ends.get(own.task.number) ?? {};
  if (run.call.abort.aborted || (state !== "done" && state !== "failed")) return;
  run.conversation.parts.runs.end(run.unit, own.task.number, state);
}

/** Judges, has one chosen and lands it; where none passes the best is sent back once. */
async function decide(contest: Contest): Promise<Halt | null> {
  const { run, lanes, wave, task, tries, open, mayLand } = contest;
  const { runs } = run.conversation.parts;
  const jury = await juryOf(run, task);
  for (;;) {
    if (!mayLand()) return HELD;
    const judged = await lanes.one(async () => judgeAll(run, lanes, jury, open));
    if (!mayLand()) return HELD;
    const ranking = rank(judged);
    const [best] = ranking.order;
    if (best !== undefined && ranking.passing.includes(best)) return choose(contest, ranking, best);
    const asked = askOf(run, tries, "Candidate");
    const { fixes = MAX_FIXES } = (best && runs.entry(run.unit, best.tried.task)) ?? {};
    if (best === undefined || asked !== null || fixes >= MAX_FIXES)
      return asked ?? none(contest, ranking.order);
    const { number } = best.tried.task;
    runs.countFix(run.unit, number);
    const problem = [run.ends.get(number)?.problem ?? "", ...best.fails, ...best.said];
    await workOn(run, wave, best.tried, problem.filter(Boolean).join("\n"));
  }
}

async function choose(
  contest: Contest,
  { order, passing, why: reason }: ReturnType<typeof rank<Judged>>,
  recommended: Judged,
): Promise<Halt | null> {
  const { run, task, mayLand } = contest;
  const shown = rowsOf(contest, order, recommended, `recommended: ${reason}`).map((row) => `- ${row}`);
  const above = [`Candidates of task ${task.number}: recommended`, ...shown];
  const picked = await pick(run, task, passing, recommended, above);
  if (!mayLand()) return HELD;
  if (picked === null) {
    const numbers = passing.map(({ candidate }) => candidate).join(", ");
    return refuse(
      `Nobody chose among the candidates of task ${task.number} (${numbers} pass). Nothing landed; the worktrees stay.`,
      "Tell the user, and end your turn: plan_gaia run asks again, without doing anything again.",
    );
  }
  const { chosen, by } = picked;
  const how = chosen === recommended ? `${reason}${by === "user" ? ", and the user" : ""}` : "the user";
  run.notes.push(...rowsOf(contest, order, chosen, `chosen: ${how}`));
  const halt = await bringIn(contest, chosen);
  return halt ?? settle(contest, chosen.tried.task);
}

async function bringIn(
  { run, lanes, task, mayLand }: Contest,
  { tried, commit, tree, leftOut }: Judged,
): Promise<Halt | null> {
  const { engine, store } = lanes;
  const { runs } = run.conversation.parts;
  if ((await lanes.one(async () => engine.recordLane(store, tried.lane))) !== commit)
    return needsDecision(
      `${tried.lane.folder} was changed after it was judged. Nothing landed.`,
      "Run again: it is judged as it is now.",
    );
  runs.end(run.unit, tried.task.number, "chosen");
  await run.conversation.mirrored();
  const lands = leftOut.length === 0 ? {} : { lands: await engine.commitTree(store, tree, tried.lane.base) };
  const { halt } = await landLanes(run, lanes, [{ ...tried, ...lands }], mayLand);
  if (halt !== null) {
    runs.end(run.unit, tried.task.number, "done");
    return halt;
  }
  run.ends.set(task.number, run.ends.get(tried.task.number) ?? landedEnd(tried.task));
  return null;
}

/** The chosen one's session is that of the task from now on; what the others made is kept in bundles. */
async function settle(contest: Contest, chosen: PlanTask): Promise<null> {
  const { run, lanes, task, tries, open } = contest;
  const { runs, worktrees } = run.conversation.parts;
  const { engine, store } = lanes;
  await lanes.one(async () => {
    for (const { lane } of open.filter((each) => each.task.number !== chosen.number)) {
      try {
        const bundle = await engine.removeLane(store, lane, "left");
        worktrees.close(lane.name);
        if (bundle !== null) run.notes.push(`${lane.name}, not chosen, is kept in ${bundle}`);
      } catch (error) {
        run.notes.push(`${lane.name}, not chosen, stays: ${describeError(error)}`);
      }
    }
  });
  runs.adopt(run.unit, task, chosen.number);
  const session = runs.entry(run.unit, task)?.session;
  const done = run.conversation.tasks().findLast((each) => each.sessionId === session);
  if (done !== undefined) run.conversation.parts.workRecord.noteChosen(done);
  if (run.ends.get(task.number)?.state !== "done") run.ends.set(task.number, landedEnd(task));
  for (const { number } of tries) run.ends.delete(number);
  return null;
}

function landedEnd({ agent = "" }: PlanTask): TaskEnd {
  return { ...brokenEnd(agent, ""), state: "done" };
}

/** In autopilot the recommended one; else a person's yes, or a no that is the number of another that passes. Null for none. */
async function pick(
  run: Run,
  { number }: PlanTask,
  passing: readonly Judged[],
  recommended: Judged,
  above: readonly string[],
): Promise<{ readonly chosen: Judged; readonly by: "user" | "autopilot" } | null> {
  const others = passing.filter((each) => each !== recommended).map(({ candidate }) => candidate);
  const title = `${recommended.candidate} for task ${number} (recommended)`;
  const covers = `for another that passes (${others.join(", ")}) say no with its number`;
  const said = { title, ...(others.length === 0 ? {} : { covers }) };
  const approval = await ask(run, { kind: "candidate", workUnit: run.unit, ...said }, above);
  if (approval.kind === "granted") return { chosen: recommended, by: approval.by };
  const words = approval.words?.trim() ?? "";
  const chosen = passing.find(({ candidate }) => [`${candidate}`, `${number}.${candidate}`].includes(words));
  return chosen === undefined ? null : { chosen, by: "user" };
}

function none(contest: Contest, order: readonly Judged[]): Halt {
  const { run, task, open } = contest;
  const broken = contest.tries
    .filter(({ number }) => !order.some(({ tried }) => tried.task.number === number))
    .map(({ number }) => `candidate ${number}: ${run.ends.get(number)?.problem ?? "not begun"}`);
  const rows = [...rowsOf(contest, order), ...broken];
  run.notes.push(...rows);
  const places = open.map(({ lane: { name, folder } }) => `${name} in ${folder}`).join("; ");
  const why = `BLOCKED: no candidate of task ${task.number} passes: ${rows.join(" | ")}. Nothing landed; the worktrees stay: ${places}`;
  return needsDecision(why, CHANGE);
}

/** What each of them came to. */
function rowsOf({ run }: Contest, order: readonly Judged[], marked?: Judged, mark = ""): string[] {
  return order.map((judged) => {
    const { tried, candidate, files, added, removed } = judged;
    const row = [
      `candidate ${candidate} ${run.ends.get(tried.task.number)?.agent ?? tried.task.agent ?? ""}`,
      checksOf(judged),
      `${files} ${files === 1 ? "file" : "files"}`,
      `+${added} −${removed}`,
      judged === marked ? mark : "",
    ];
    return run.runtime.memory.redact(row.filter(Boolean).join(" · "));
  });
}

function checksOf({ fails, passed, red, leftOut }: Judged): string {
  const more = [
    red === 0 ? "" : `${red} red as before`,
    leftOut.length === 0 ? "" : `its changes to ${leftOut.join(", ")} do not count`,
  ].filter(Boolean);
  const head = fails.length > 0 ? fails.join(", ") : passed === 0 ? "no check" : `passes ${passed}`;
  return excerpt([head, ...more].join("; "), MAX_CELL);
}

import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { describeError, refuse } from "../../lib/error.ts";
import { excerpt } from "../../lib/text.ts";
import type { Lane } from "../../snapshot/lanes/engine.ts";
import type { TreeChange } from "../../snapshot/version.ts";
import { isNamed, TEST_PATH } from "../files.ts";
import { landLanes } from "../lanes/land.ts";
import {
  findLanes,
  type TaskLanes,
  openTaskLanes,
  runHere,
  setUp,
  type TaskLane,
  worktreeOf,
} from "../lanes/place.ts";
import { ask } from "../operations/ask.ts";
import { judgingChecks } from "../operations/evidence.ts";
import type { PlanTask } from "../task.ts";
import { brokenEnd } from "./give.ts";
import { HELD, needsDecision, planNow, type Halt, type Run, type TaskEnd } from "./run.ts";
import { workOnTask } from "./send-back.ts";
import { CHANGE } from "./tasks.ts";

const MAX_TRIES = 4;
const MAX_ROW = 160;
const VERIFY = { id: "verify", scope: "full", timeoutSeconds: 300 } as const;

interface Contest {
  readonly run: Run;
  readonly lanes: TaskLanes;
  readonly wave: string;
  readonly task: PlanTask;
  readonly open: readonly TaskLane[];
  /** Of those that could not begin, what is told of them. */
  readonly unready: readonly string[];
}

/** Each try as a task `<task>.<candidate>` with its own approach: nothing of it tells of the others. */
function candidatesOf({ candidates = [], approach = [], details, ...task }: PlanTask): PlanTask[] {
  return candidates.slice(0, MAX_TRIES).map((name, at) => ({
    ...task,
    ...(name === "" ? {} : { agent: name }),
    number: Number(`${task.number}.${at + 1}`),
    details: [details, approach[at] === undefined ? "" : `Approach: ${approach[at]}`]
      .filter(Boolean)
      .join("\n"),
  }));
}

/**
 * Has a task done by several, each in a worktree of its own, and lands the best that passes.
 * @returns why it cannot go on; `alone` where there can be no worktrees: then it has one candidate
 */
export async function contest(
  run: Run,
  wave: string,
  task: PlanTask,
  mayLand: () => boolean,
): Promise<Halt | "alone" | null> {
  const lanes = await findLanes(run, "asked");
  const tries = candidatesOf(task);
  const there = lanes === null ? [] : await lanes.engine.listLanes(lanes.store);
  const landed = tries.find((each) => hasLanded(run, each, there));
  if (lanes !== null && landed !== undefined) {
    const others = there.filter(({ name }) => tries.some((each) => name === `${run.unit}/${each.number}`));
    return settle({ run, lanes, task }, landed, others);
  }
  const opened = lanes && (await openTaskLanes(run, lanes, tries));
  if (lanes === null || opened === null || typeof opened === "string") {
    run.notes.push(`task ${task.number} has one candidate${typeof opened === "string" ? `: ${opened}` : ""}`);
    return "alone";
  }
  const unready = [...opened.unready]
    .map(([each, why]) => `candidate ${candidateOf(each)}: ${why}`)
    .toSorted();
  const open: Contest = { run, lanes, wave, task, open: opened.open, unready };
  await Promise.all(open.open.map(async (own) => tryTask(open, own)));
  if (!mayLand()) return HELD;
  const judged = await lanes.one(async () => judgeAll(open));
  if (!mayLand()) return HELD;
  const chosen = await choose(open, rank(judged));
  if ("kind" in chosen) return chosen;
  const { runs } = run.conversation.parts;
  const { number } = chosen.own.task;
  runs.end(run.unit, number, "chosen");
  await run.conversation.mirrored();
  const { halt } = await landLanes(run, lanes, [{ ...chosen.own, lands: chosen.commit }], mayLand);
  if (halt !== null) {
    runs.end(run.unit, number, "done");
    return halt;
  }
  const others = open.open.flatMap(({ lane }) => (lane === chosen.own.lane ? [] : lane));
  return settle(open, chosen.own.task, others);
}

/** The run was cut off after this candidate landed, and before it was noted as the task's: a landing takes the worktree away. */
function hasLanded(run: Run, candidate: PlanTask, there: readonly Lane[]): boolean {
  const known = run.conversation.parts.runs.entry(run.unit, candidate);
  return known?.ended === "chosen" && !there.some(({ name }) => name === `${run.unit}/${candidate.number}`);
}

/** How a candidate ended that has handed over; null for any other. */
function knownEnd({ conversation, unit }: Run, candidate: PlanTask): TaskEnd | null {
  const known = conversation.parts.runs.entry(unit, candidate);
  if (known?.ended === undefined) return null;
  const state = known.ended === "failed" ? "failed" : "done";
  return { ...brokenEnd(known.agent, ""), session: known.session, line: known.note, state };
}

/** Whoever has handed over before is not begun again. */
async function tryTask({ run, wave }: Contest, own: TaskLane): Promise<void> {
  const { runs } = run.conversation.parts;
  const { task } = own;
  const known = knownEnd(run, task);
  if (known !== null) {
    run.ends.set(task.number, known);
    return;
  }
  await workOnTask(run, wave, task, null, [], worktreeOf(run, own));
  const state = run.ends.get(task.number)?.state;
  if (run.call.abort.aborted || (state !== "done" && state !== "failed")) return;
  runs.end(run.unit, task.number, state);
}

export interface Trial {
  /** Why it does not pass; empty where it does. */
  readonly fails: readonly string[];
  readonly lines: number;
}

interface Judged extends Trial {
  readonly own: TaskLane;
  readonly commit: string;
  readonly row: string;
}

/** By the task's `verify` and the project's checks, on what was taken down, in a throwaway place. */
async function judgeAll(contest: Contest): Promise<Judged[]> {
  const { run, task } = contest;
  const plan = await planNow(run);
  // A check of the project, or a command of a plan, that a person has approved.
  const checks = (await judgingChecks(run.runtime)).map((check) => ({ check, isByPerson: true }));
  const own = task.verify === undefined ? [] : [{ ...VERIFY, command: task.verify }];
  const isByPerson = plan.standing === "approved" && plan.by === "user";
  const wanted: Wanted[] = [...own.map((check) => ({ check, isByPerson })), ...checks];
  const judged: Judged[] = [];
  for (const each of contest.open)
    if (!run.call.abort.aborted) judged.push(await judge(contest, each, wanted));
  return judged;
}

interface Wanted {
  readonly check: CheckDefinition;
  /** A person approved exactly this command. */
  readonly isByPerson: boolean;
}

async function judge(
  { run, lanes: { engine, store, brought } }: Contest,
  own: TaskLane,
  wanted: readonly Wanted[],
): Promise<Judged> {
  const { lane, task } = own;
  const end = run.ends.get(task.number);
  const fails = end?.state === "done" ? [] : [end?.problem || "it is not done"];
  // Where its work cannot be taken down that is held against nobody else.
  const recorded = await engine.recordLane(store, lane).catch((error: unknown) => ({ error }));
  const commit = typeof recorded === "string" ? recorded : lane.base;
  if (typeof recorded !== "string") fails.push(describeError(recorded.error));
  const changes = await engine.changesOf(store, lane.base, commit);
  if (changes.length === 0) fails.push("it changes nothing");
  const strange = changes.filter((each) => !isGiven(each, task.files, brought.below));
  if (strange.length > 0) fails.push(`it changes ${strange.map(({ path }) => path).join(", ")}`);
  let ran = 0;
  if (fails.length === 0)
    await engine.onTree(store, `${commit}^{tree}`, brought, async (folder) => {
      const workplace = run.runtime.openWorkplace(store.from, folder);
      try {
        const ready = await setUp(run, workplace);
        if (ready.kind !== "fine") fails.push(`lanes.setup: ${ready.said}`);
        for (const { check, isByPerson } of ready.kind === "fine" ? wanted : []) {
          const { kind } = await runHere(run, workplace, check, isByPerson);
          if (kind !== "refused") ran += 1;
          if (kind === "failed") fails.push(`\`${check.command}\` fails`);
        }
      } finally {
        workplace.dispose();
      }
    });
  if (fails.length === 0 && ran === 0) fails.push("no check");
  const { files, added, removed } = await engine.sizeOf(store, lane.base, commit);
  const row = [
    `candidate ${candidateOf(task)} ${end?.agent ?? task.agent ?? ""}`,
    fails.length === 0 ? `passes ${ran}` : excerpt(fails.join(", "), MAX_ROW),
    `${files} ${files === 1 ? "file" : "files"}`,
    `+${added} −${removed}`,
  ];
  return {
    own,
    commit,
    fails,
    lines: added + removed,
    row: run.runtime.memory.redact(row.join(" · ")),
  };
}

/**
 * Whether the plan gives a change to the task. A test that is there, which may judge it, only where the plan names that very
 * file, and never that it is taken away.
 * @param below the project from the top of the repository
 */
export function isGiven(
  { path, before, after }: TreeChange,
  files: readonly string[] | undefined,
  below: string,
): boolean {
  const isInside = below === "" || path.startsWith(`${below}/`);
  const inside = isInside && below !== "" ? path.slice(below.length + 1) : path;
  if (before.id !== "" && TEST_PATH.test(path))
    return isInside && after.id !== "" && files?.includes(inside) === true;
  return files === undefined || (isInside && isNamed(files, inside));
}

/** Those that pass, the smallest change first, and then the others. */
export function rank<T extends Trial>(all: readonly T[]): { readonly passing: T[]; readonly others: T[] } {
  const order = all.toSorted((one, other) => one.lines - other.lines);
  const passing = order.filter(({ fails }) => fails.length === 0);
  return { passing, others: order.filter((each) => !passing.includes(each)) };
}

/** In autopilot the best one; else a person's yes, or a no that is the number of another that passes. */
async function choose(
  { run, task: { number }, open, unready }: Contest,
  { passing, others }: ReturnType<typeof rank<Judged>>,
): Promise<Judged | Halt> {
  const rows = [...[...passing, ...others].map(({ row }) => row), ...unready];
  run.notes.push(...rows);
  const { runs } = run.conversation.parts;
  // Its landing was cut off.
  const begun = passing.find(({ own }) => runs.entry(run.unit, own.task)?.ended === "chosen");
  if (begun !== undefined) return begun;
  const [best, ...rest] = passing;
  if (best === undefined) {
    const places = open.map(({ lane: { name, folder } }) => `${name} in ${folder}`).join("; ");
    const why = `BLOCKED: no candidate of task ${number} passes: ${rows.join(" | ")}. Nothing landed; the worktrees stay: ${places}`;
    return needsDecision(why, CHANGE);
  }
  const title = `${candidateOf(best.own.task)} for task ${number} (recommended)`;
  const numbers = rest.map(({ own }) => candidateOf(own.task)).join(", ");
  const covers =
    numbers === "" ? {} : { covers: `for another that passes (${numbers}) say no with its number` };
  const above = [`Candidates of task ${number}, the best first:`, ...rows.map((row) => `- ${row}`)];
  const approval = await ask(run, { kind: "candidate", workUnit: run.unit, title, ...covers }, above);
  if (approval.kind === "granted") return best;
  const other = rest.find(({ own }) => candidateOf(own.task) === approval.words?.trim());
  const next = "Tell the user, and end your turn: plan_gaia run asks again, without doing anything again.";
  return (
    other ??
    refuse(`Nobody chose among the candidates of task ${number}. Nothing landed; the worktrees stay.`, next)
  );
}

function candidateOf({ number }: PlanTask): string {
  return String(number).split(".")[1] ?? "";
}

/** The chosen one's session is that of the task from now on; what the others made is kept in bundles. */
async function settle(
  { run, lanes, task }: Pick<Contest, "run" | "lanes" | "task">,
  chosen: PlanTask,
  others: readonly Lane[],
): Promise<null> {
  const { runs, worktrees, workRecord } = run.conversation.parts;
  const { engine, store } = lanes;
  await lanes.one(async () => {
    for (const lane of others) {
      try {
        const bundle = await engine.removeLane(store, lane, "left");
        worktrees.close(lane.name);
        if (bundle !== null) run.notes.push(`${lane.name}, not chosen, is kept in ${bundle}`);
      } catch (error) {
        run.notes.push(`${lane.name}, not chosen, stays: ${describeError(error)}`);
      }
    }
  });
  const end = run.ends.get(chosen.number) ?? knownEnd(run, chosen) ?? brokenEnd(task.agent ?? "", "");
  runs.adopt(run.unit, task, chosen.number);
  const session = runs.entry(run.unit, task)?.session;
  const done = run.conversation.tasks().findLast((each) => each.sessionId === session);
  if (done !== undefined) workRecord.noteChosen(done);
  run.ends.set(task.number, { ...end, state: "done" });
  for (const { number } of candidatesOf(task)) run.ends.delete(number);
  return null;
}

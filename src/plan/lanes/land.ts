import { existsSync, lstatSync } from "node:fs";
import { join } from "node:path";
import { describeError } from "../../lib/error.ts";
import { examination as examinationOf } from "../../policy/examination.ts";
import { isProtectedPath } from "../../policy/protected-path.ts";
import type { Lane, Merged } from "../../snapshot/lanes/engine.ts";
import { needsUser, type Halt, type Run } from "../run/run.ts";
import { findLanes, type TaskLanes, noLanes, openTaskLanes, type TaskLane, worktreeOf } from "./place.ts";
import type { Apart } from "../run/tasks.ts";
import type { PlanTask } from "../task.ts";
import { failsTogether, type FailsTogether, type Landing, type LandingLane } from "./together.ts";
import { excerpt, head } from "../../lib/excerpt.ts";
import { MAX_SOURCE_BYTES, readText } from "../../lib/read-source.ts";
import { endOf, give } from "../run/give.ts";
import { specialistOf } from "../run/send-back.ts";

/** As often is a landing begun anew because the user changed one of its files meanwhile. */
const MAX_TRIES = 3;

const ANEW = "Tell the user; plan_gaia run has it done anew.";
const SETTLE = "Tell the user: once they have settled it, plan_gaia run goes on.";

interface Held {
  readonly why: string;
  readonly next?: string;
}

/** Worktrees for the tasks of a batch that edit; null where they work in the project's own tree. */
export async function openApart(
  run: Run,
  wave: string,
  editing: readonly PlanTask[],
  mayLand: () => boolean,
): Promise<Apart | null> {
  const lanes = await findLanes(run, { editing: editing.length });
  if (lanes === null) return null;
  const opened = await openTaskLanes(run, lanes, wave, editing);
  if (typeof opened === "string") return noLanes(run, opened);
  let { open } = opened;
  return {
    whyNot: (task) => opened.unready.get(task) ?? null,
    worktreeOf(task) {
      const own = open.find((each) => each.task === task);
      return own && worktreeOf(run, own);
    },
    async land() {
      const { halt, landed } = await landLanes(run, lanes, open, mayLand);
      open = open.filter((each) => !landed.includes(each));
      return halt;
    },
  };
}

/**
 * Lands all that has ended, in the order of the plan, or nothing: merged and checked in a throwaway place first.
 * @returns what landed, and what stands against the rest; `held` where nothing may be changed now
 */
export async function landLanes(
  run: Run,
  lanes: TaskLanes,
  all: readonly TaskLane[],
  mayLand: () => boolean,
) {
  const ended = all.filter(({ task }) => ["done", "failed"].includes(run.ends.get(task.number)?.state ?? ""));
  const isEmpty = ended.length === 0;
  const halt = !mayLand() ? "held" : isEmpty ? null : await bringTogether(run, lanes, all, ended, mayLand);
  const landed = halt === null ? ended : [];
  return { halt, landed };
}

async function bringTogether(
  run: Run,
  lanes: TaskLanes,
  all: readonly TaskLane[],
  ended: readonly TaskLane[],
  mayLand: () => boolean,
): Promise<Halt | "held" | null> {
  const { engine, store, one } = lanes;
  const stop = async (held: Held): Promise<Halt> => {
    const now = await one(async () => {
      const known = await engine.listLanes(store);
      const back: Lane[] = [];
      for (const { lane } of all)
        back.push(await engine.takeBack(store, known.find(({ name }) => name === lane.name) ?? lane));
      return back;
    });
    return blocked(run, all, now, held);
  };
  try {
    for (;;) {
      const end = await one(async () => tryToLand(run, lanes, ended, mayLand));
      if (end === "held") return end;
      if (end === null) return null;
      if (!("later" in end) || !mayRework(run, end)) return await stop(end);
      const wrong = await rework(run, lanes, end, mayLand);
      if (wrong?.isHeld === true) return "held";
      if (wrong !== null) return await stop({ why: `${end.why} ${wrong.why}` });
    }
  } catch (error) {
    return await stop({ why: describeError(error) });
  }
}

async function tryToLand(
  run: Run,
  lanes: TaskLanes,
  ended: readonly TaskLane[],
  mayLand: () => boolean,
): Promise<"held" | Collision | Held | null> {
  const { engine, store } = lanes;
  await engine.settleLanding(store);
  const known = await engine.listLanes(store);
  const open = ended.map(({ lane }) => known.find(({ name }) => name === lane.name));
  const looked = engine.takeTree(store);
  const recorded = open.map(async (lane) => lane && engine.recordLane(store, lane));
  // None is left at work where another fails.
  await Promise.allSettled([looked, ...recorded]);
  let ours = await looked;
  const tasks: LandingLane[] = [];
  for (const [index, each] of ended.entries()) {
    const [lane, commit] = [open[index], await recorded[index]];
    const isThere = lane !== undefined && existsSync(lane.folder);
    if (lane === undefined || commit === undefined || (commit === lane.base && !isThere))
      return { why: `${each.lane.name} is gone, with what was done in it.`, next: ANEW };
    if (!isThere) run.notes.push(`${lane.name} is gone: of it lands what was taken down before`);
    tasks.push({ ...each, lane, commit, apart: (await engine.beforeRework(store, lane)) ?? commit });
  }
  tasks.sort((one, other) => one.task.number - other.task.number);
  const landing: Landing = { ...lanes, run, tasks };
  let inTheWay = "";
  for (let left = MAX_TRIES; left > 0; left -= 1) {
    const merged = await engine.mergeLanes(store, ours, tasks);
    if (merged.kind === "conflict") return inText(landing, ours, merged);
    const paths = (await engine.changesOf(store, ours, merged.tree)).map(({ path }) => path);
    const unsettled = await engine.unsettled(store, paths);
    if (unsettled !== null)
      return { why: `${unsettled} is in a conflict that the user has not settled yet.`, next: SETTLE };
    const own = paths.find((path) => isProtectedPath(`/${path}`));
    if (own !== undefined) return { why: `only the user changes ${own}.` };
    const red = await failsTogether(landing, ours, merged.tree);
    if (red !== null) return inChecks(landing, ours, { ...merged, ...red, paths });
    if (!mayLand()) return "held";
    const path = await bringIn(landing, ours, merged.tree, paths);
    if (path === null) return settle(landing);
    inTheWay = path;
    await engine.settleLanding(store);
    ours = await engine.takeTree(store);
  }
  return {
    why: `${inTheWay} is being changed by the user, or what begins on the way to it is no folder of their tree.`,
  };
}

/** As a call of the root's, so that the changes are known for GAIA's. @returns null where they stand; else what is in the way */
async function bringIn(
  { run, engine, store }: Landing,
  from: string,
  to: string,
  paths: readonly string[],
): Promise<string | null> {
  const { ownWork } = run.conversation.parts;
  const callId = `${run.call.callId} lands`;
  const writes = paths.map((path) => join(store.top, path));
  const examination = examinationOf("project", "", { writes });
  await ownWork.begins(callId, examination, true, false);
  try {
    return await engine.land(store, from, to);
  } finally {
    const { files, shared } = await ownWork.ends({ callId, examination, what: "landing", told: [] });
    const changed = [...files, ...shared];
    if (changed.length > 0) run.conversation.dispatch({ type: "files-changed", files: changed });
  }
}

async function settle({ run, engine, store, tasks }: Landing): Promise<null> {
  // The one who put two together may have left something out, of either.
  const fate = tasks.some(({ apart, commit }) => apart !== commit) ? "put together" : "landed";
  for (const each of tasks) {
    const { lane } = each;
    run.conversation.parts.worktrees.close(lane.name);
    const alone = standsAlone(run, each);
    if (alone.length > 0) {
      run.notes.push(
        `${lane.name} has landed without ${alone.join(", ")}, which the plan names and git ignores: it stays in ${lane.folder}`,
      );
      continue;
    }
    try {
      const bundle = await engine.removeLane(store, lane, fate);
      if (bundle !== null) run.notes.push(`${lane.name} as it was is kept in ${bundle}`);
    } catch (error) {
      run.notes.push(`${lane.name} has landed, and its worktree stays: ${describeError(error)}`);
    }
  }
  run.notes.push(`landed from worktrees: ${tasks.map(({ lane }) => lane.name).join(", ")}`);
  return null;
}

/** Files of a task's plan that stand in its worktree and did not land: no bundle would hold them. */
function standsAlone({ conversation }: Run, { task, workplace }: TaskLane): string[] {
  const isFile = (project: string, path: string): boolean =>
    existsSync(join(project, path)) && lstatSync(join(project, path)).isFile();
  return (task.files ?? []).filter(
    (path) => isFile(workplace.place.project, path) && !isFile(conversation.tree.place.project, path),
  );
}

/** Nothing lands; every worktree is what its own worker made of it. */
function blocked(run: Run, all: readonly TaskLane[], lanes: readonly Lane[], { why, next }: Held): Halt {
  for (const { task } of all) {
    const end = run.ends.get(task.number);
    if (end !== undefined)
      run.ends.set(task.number, { ...end, state: "held", problem: "It stays in its worktree." });
  }
  const places = lanes.flatMap(({ name, folder, base }) =>
    existsSync(folder) ? [`${name} in ${folder} (git diff ${base.slice(0, 12)})`] : [],
  );
  const stay = places.length === 0 ? "" : `; the worktrees stay: ${places.join("; ")}`;
  return needsUser(
    `BLOCKED: ${why.replace(/(?<![.!?])$/u, ".")} Nothing landed${stay}`,
    next ??
      `Tell the user: they change one, or take it away (npx opencode-gaia lanes remove ${all.at(-1)?.lane.name}), and run goes on.`,
  );
}

const MAX_SIDES = 4_000;
const MAX_DETAILS = 600;
const MAX_OTHERS = 6;
const MAX_FILES = 20;

interface Collision {
  readonly why: string;
  /** Whose work came later, with that of everyone else beneath it. */
  readonly later: LandingLane;
  readonly others: readonly LandingLane[];
  /** All of it but theirs, and with theirs. */
  readonly base: string;
  readonly tree: string;
  /** What they may change to bring it together; empty where that is for a person alone. */
  readonly may: readonly string[];
  readonly conflicts: readonly string[];
  /** What the checks said; empty where lines collide. */
  readonly said: string;
}

/** Two that changed the same lines. What is no text, and what the user changed meanwhile, no model decides. */
async function inText(
  landing: Landing,
  ours: string,
  merged: Extract<Merged, { kind: "conflict" }>,
): Promise<Collision | Pick<Collision, "why">> {
  const { engine, store, tasks } = landing;
  const { lane, files, tree, before } = merged;
  const why = `${lane.name} does not go together with another, or with the user's own: ${files.join(", ")}.`;
  const at = tasks.findIndex((each) => each.lane.name === lane.name);
  const later = tasks[at];
  if (later === undefined) return { why };
  const marked = await engine.conflictsIn(store, tree, [before, later.commit], files);
  const users = await usersOwn(landing, later, ours);
  const isForModel = marked.length === files.length && !files.some((path) => users.has(path));
  const others = tasks.slice(0, at);
  return { why, later, others, base: before, tree, may: isForModel ? files : [], conflicts: files, said: "" };
}

async function inChecks(
  landing: Landing,
  ours: string,
  { why, said, tree, before, paths }: FailsTogether & Merged & { readonly paths: readonly string[] },
): Promise<Collision | Pick<Collision, "why">> {
  const later = landing.tasks.at(-1);
  if (later === undefined || landing.tasks.length < 2) return { why };
  const users = await usersOwn(landing, later, ours);
  const may = paths.filter((path) => !users.has(path));
  return { why, later, others: landing.tasks.slice(0, -1), base: before, tree, may, conflicts: [], said };
}

async function usersOwn(
  { engine, store }: Landing,
  { lane }: LandingLane,
  ours: string,
): Promise<Set<string>> {
  const changes = await engine.changesOf(store, lane.base, ours);
  return new Set(changes.map(({ path }) => path));
}

function renderCollision({ later, others, may, said, conflicts }: Collision, sides: string): string {
  const intents = others
    .slice(-MAX_OTHERS)
    .map(({ task }) => `- ${excerpt(`${task.text} ${task.details}`, MAX_DETAILS)}`);
  const files = may.slice(0, MAX_FILES).join(", ");
  const what =
    conflicts.length > 0
      ? `You and they changed the same lines of ${files}: both sides stand there, theirs above =======, yours below. Make of them one text that does what both tasks ask, and leave no marker.`
      : `No line collides, yet together it fails what each passes by itself:\n${said}\nFind the cause and fix it, in ${files} alone.`;
  return [
    `TASK: ${later.task.text}`,
    `Your files now hold your work on top of what others did meanwhile. ${what} Change no other file, remove none, then hand over again. It is asked of you once.`,
    `THEIR TASKS\n${intents.join("\n")}`,
    `YOUR TASK\n- ${excerpt(`${later.task.text} ${later.task.details}`, MAX_DETAILS)}`,
    ...(sides === "" ? [] : [`BOTH SIDES\n${head(sides, MAX_SIDES)}`]),
  ].join("\n\n");
}

const HUNK = /^<{7}.*$[^]*?^>{7}.*$/gmu;

/** Whether a collision is still given to who wrote the later part: once for these tasks, until the plan or the user says more. */
function mayRework({ conversation, unit }: Run, { may, later, others }: Collision): boolean {
  const { runs } = conversation.parts;
  return may.length > 0 && [later, ...others].some(({ task }) => runs.entry(unit, task)?.reworks === 0);
}

/** Given to who wrote the later part, in its worktree. What it says counts for nothing: its files are judged, and taken back where wrong. */
async function rework(
  run: Run,
  { engine, store, one }: TaskLanes,
  collision: Collision,
  mayLand: () => boolean,
): Promise<{ readonly why: string; readonly isHeld: boolean } | null> {
  const { conversation, unit } = run;
  const { later, others, base, tree, may, conflicts } = collision;
  const { runs } = conversation.parts;
  const specialist = specialistOf(run, later.task);
  if (specialist === undefined) return { isHeld: false, why: "Nobody is there to put it together." };
  for (const { task } of [later, ...others]) runs.countRework(unit, task.number);
  const lane = await one(async () => engine.startRework(store, later.lane, later.commit, { base, tree }));
  const attempt = async (): Promise<string | null> => {
    const texts = await Promise.all(
      conflicts.map(async (path) => {
        const hunks = (await readText(join(lane.folder, path), MAX_SOURCE_BYTES)).match(HUNK) ?? [];
        return [path, ...hunks].join("\n");
      }),
    );
    const prompt = renderCollision(collision, texts.join("\n\n"));
    const result = await give(run, {
      specialist,
      title: `Together: ${later.task.text}`,
      prompt,
      resume: runs.entry(unit, later.task)?.session ?? null,
      waveId: later.wave,
      callId: runs.callFor(run.call.callId, unit, later.task),
      worktree: worktreeOf(run, later),
    });
    const end = endOf(specialist, result);
    if (end.state !== "done") return end.problem;
    return one(async () => engine.endRework(store, lane, may, conflicts));
  };
  const wrong = await attempt().catch(describeError);
  const pair = [...others, later].map((each) => each.lane.name).join(" and ");
  if (wrong === null) {
    run.notes.push(`put together by ${specialist.name}: ${pair}`);
    return null;
  }
  await one(async () => engine.takeBack(store, lane));
  const why = `${specialist.name} was asked to put it together once: ${wrong.replace(/\.$/u, "")}.`;
  return { isHeld: !mayLand(), why };
}

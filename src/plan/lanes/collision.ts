import { join } from "node:path";
import { describeError } from "../../lib/error.ts";
import { excerpt, head } from "../../lib/excerpt.ts";
import { MAX_SOURCE_BYTES, readText } from "../../lib/read-source.ts";
import type { Merged } from "../../snapshot/lanes/engine.ts";
import { endOf, give } from "../run/give.ts";
import type { Run } from "../run/run.ts";
import { specialistOf } from "../run/send-back.ts";
import { worktreeOf, type TaskLanes } from "./place.ts";
import type { FailsTogether, Landing, LandingLane } from "./together.ts";

const MAX_SIDES = 4_000;
const MAX_DETAILS = 600;
const MAX_OTHERS = 6;
const MAX_FILES = 20;

export interface Collision {
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
export async function inText(
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

export async function inChecks(
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
export function mayRework({ conversation, unit }: Run, { may, later, others }: Collision): boolean {
  const { runs } = conversation.parts;
  return may.length > 0 && [later, ...others].some(({ task }) => runs.entry(unit, task)?.reworks === 0);
}

/** Given to who wrote the later part, in its worktree. What it says counts for nothing: its files are judged, and taken back where wrong. */
export async function rework(
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

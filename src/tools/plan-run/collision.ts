import { excerpt, head } from "../../lib/excerpt.ts";
import type { Merged } from "../../snapshot/lanes/engine.ts";
import type { FailsTogether, Landing, LandingLane } from "./together.ts";

const MAX_SIDES = 4_000;
const MAX_DETAILS = 600;
const MAX_OTHERS = 6;
const MAX_FILES = 20;

/** Work of tasks that does not go together. */
export interface Collision {
  /** For a person. */
  readonly why: string;
  /** Whose work came later, with that of everyone else beneath it. */
  readonly later: LandingLane;
  readonly others: readonly LandingLane[];
  /** All of it but theirs, and with theirs. */
  readonly base: string;
  readonly tree: string;
  /** What they may change to bring it together; empty where that is for a person alone. */
  readonly may: readonly string[];
  /** Files in which both sides stand. */
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

/** What goes together for git, and not for the checks: the last of them sees to it. */
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

/** For the session that wrote the later part. @param sides what stands in the files that both have changed */
export function renderCollision({ later, others, may, said, conflicts }: Collision, sides: string): string {
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

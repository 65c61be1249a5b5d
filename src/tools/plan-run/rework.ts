import { join } from "node:path";
import { describeError } from "../../lib/error.ts";
import { alone } from "../../project/lanes.ts";
import { type Collision, renderCollision } from "./collision.ts";
import { endOf, give } from "./give.ts";
import { type Lanes, worktreeOf } from "./lanes.ts";
import type { Run } from "./run.ts";
import { specialistOf } from "./send-back.ts";
import { MAX_SOURCE_BYTES, readText } from "../../lib/read-source.ts";

/** A conflict as git writes it into a file. */
const HUNK = /^<{7}.*$[^]*?^>{7}.*$/gmu;

/** Why a collision stays one: its files are as they were. */
interface Wrong {
  readonly why: string;
  /** The user stopped it, or is to be heard first. */
  readonly isHeld: boolean;
}

/** Whether a collision is still given to who wrote the later part: once for these tasks, until the plan or the user says more. */
export function mayRework({ conversation, unit }: Run, { may, later, others }: Collision): boolean {
  const { runs } = conversation.parts;
  return may.length > 0 && [later, ...others].some(({ task }) => runs.entry(unit, task)?.reworks === 0);
}

/**
 * Has a collision put together by the session that wrote the later part, in its own worktree, which holds the others' work
 * beneath its own meanwhile. What it says of it counts for nothing: the files are judged, and what is no solution is taken back.
 * @returns what is wrong, null where it may land now
 */
export async function rework(
  run: Run,
  { engine, store }: Lanes,
  collision: Collision,
  mayLand: () => boolean,
): Promise<Wrong | null> {
  const { conversation, runtime, unit } = run;
  const { later, others, base, tree, may, conflicts } = collision;
  const { runs } = conversation.parts;
  const one = async <T>(work: () => Promise<T>): Promise<T> => alone(store, runtime.host.logger, work);
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

import * as z from "zod/mini";
import { readAnswer } from "../../../contracts/read-answer.ts";
import type { Specialist } from "../../../delegation/specialist.ts";
import { partOfCall } from "../../../delegation/call-part.ts";
import { head } from "../../../lib/excerpt.ts";
import { isRefusal } from "../../../lib/refusal.ts";
import type { PlanTask } from "../../../plan/task.ts";
import { give } from "../give.ts";
import { isHeldUp } from "../halt.ts";
import type { Run } from "../run.ts";

const MAX_DIFF = 12_000;
const ANSWER = z.object({ better: z.union([z.literal(1), z.literal(2)]) });

/** One of several that nothing else tells apart. */
export interface Compared<T> {
  readonly of: T;
  readonly diff: string;
}

/**
 * Has a reviewer say which is better, shown without a name, in both orders: one who contradicts themselves, or says nothing, has
 * not decided. @param all in an order that is no candidate's own @returns the best, and whether a reader said so
 */
export async function compareAll<T>(
  all: readonly Compared<T>[],
  isFirstBetter: (one: string, other: string) => Promise<boolean | null>,
): Promise<{ readonly best: T | null; readonly isRead: boolean }> {
  let [best, ...rest] = all;
  const decided: boolean[] = [];
  for (const next of rest) {
    // Nobody reads the same twice.
    if (best === undefined || next.diff === best.diff) continue;
    const there = await isFirstBetter(best.diff, next.diff);
    const back = there === null ? null : await isFirstBetter(next.diff, best.diff);
    const isDecided = there !== null && back !== null && there !== back;
    decided.push(isDecided);
    if (isDecided && !there) best = next;
  }
  return { best: best?.of ?? null, isRead: decided.length > 0 && decided.every(Boolean) };
}

/** Asks a reviewer of the conversation, whose words count for nothing else. */
export function askReviewer(
  run: Run,
  task: PlanTask,
): (one: string, other: string) => Promise<boolean | null> {
  const { runtime, call } = run;
  const reviewer = [...runtime.agents.specialists.values()].find(({ role }) => role === "reviewer");
  let count = 0;
  return async (one, other) => {
    if (reviewer === undefined || isHeldUp(run)) return null;
    count += 1;
    // In free text: it is no verdict on anything that stands.
    const specialist: Specialist = { ...reviewer, role: null, contract: null };
    const result = await give(run, {
      specialist,
      title: `Compare candidates of task ${task.number}`,
      prompt: [
        `TASK: Two others did this, each alone, and both pass its checks: ${task.text}`,
        task.details,
        'Which is the better work: right in more cases, simpler, closer to what was asked for? Answer from what stands here, in three sentences, and end with ```json\n{ "better": 1 }\n``` or 2',
        `DIFF 1\n${head(one, MAX_DIFF)}`,
        `DIFF 2\n${head(other, MAX_DIFF)}`,
      ].join("\n\n"),
      resume: null,
      waveId: null,
      callId: partOfCall(call.callId, `${task.number}.9.${count}`),
    });
    return isRefusal(result) ? null : readBetter(result.raw_text ?? "");
  };
}

/** Which of two is better; null where the answer does not say it as asked. */
export function readBetter(text: string): boolean | null {
  const read = ANSWER.safeParse(readAnswer(text));
  return read.success ? read.data.better === 1 : null;
}

import { excerpt } from "../lib/excerpt.ts";
import { handoverTitle, type WorkState } from "./work-state.ts";

/** What is running when a session hands over. Its own session stays its conversation's; a new one delegates again. */
export interface RunningTask {
  readonly agent: string;
  readonly sessionId: string;
  readonly activity: string;
}

/** A session that stops. */
export interface HandingOver {
  /** Its id. */
  readonly root: string;
  readonly running: readonly RunningTask[];
  /** What the user said along with it; may be empty. */
  readonly words: string;
}

/**
 * The section of a log in which one session tells the next where it stopped. It has a heading of its own, so that each
 * hand-over is a section of its own.
 * @param now ISO time in UTC
 */
export function renderHandover(state: WorkState, { root, running, words }: HandingOver, now: string): string {
  const open = state.tasks.filter(({ done }) => !done);
  const next = open[0];
  const lines = [
    words.trim() === "" ? "" : `- From the user: ${excerpt(words, 400)}`,
    `- Tasks: ${state.tasks.length - open.length} of ${state.tasks.length} done`,
    next === undefined ? "" : `- Next: ${next.number}. ${excerpt(next.text, 200)}`,
    ...running.map(
      ({ agent, sessionId, activity }) =>
        `- Was running: ${agent} in ${sessionId}${activity === "" ? "" : `, last: ${excerpt(activity, 80)}`}`,
    ),
  ];
  const time = now.slice(0, 16).replace("T", " ");
  return [`## ${time} — ${handoverTitle(root)}`, "", ...lines.filter(Boolean)].join("\n");
}

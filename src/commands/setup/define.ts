import type { OfferedQuestion } from "../../conversation/questions/offers.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { Runtime } from "../../runtime.ts";

/** One thing that `/gaia-init` can set up, if the user wants it. */
export interface SetupStep {
  readonly question: OfferedQuestion;
  /**
   * Does what was chosen.
   * @returns what was done, one sentence; empty for nothing
   */
  settle(labels: readonly string[]): Promise<string>;
}

/** Looks whether there is something to set up; null when there is not. Changes nothing. */
export type PrepareStep = (runtime: Runtime) => Promise<SetupStep | null>;

/** The answer that declines everything which was shown. */
const NONE = "None of them";
/** Longer labels are cut. */
const MAX_LABEL = 70;

/** What was picked of a list, and what was not; null for an answer in other words, which decides nothing. */
export interface Picked<T> {
  readonly picked: readonly T[];
  readonly left: readonly T[];
}

/** A question in which each item is an option of its own, to be picked or not. */
export function pickQuestion<T>(
  header: string,
  question: string,
  items: readonly T[],
  show: (item: T) => { readonly label: string; readonly description: string },
): { question: OfferedQuestion; read(labels: readonly string[]): Picked<T> | null } {
  const options = items.map((item, at) => {
    const { label, description } = show(item);
    return { label: `${at + 1}. ${excerpt(label, MAX_LABEL)}`, description };
  });
  const none = { label: NONE, description: "Nothing of this." };
  return {
    question: { header, question, options: [...options, none], multiple: true },
    read(labels) {
      const isPicked = (_item: T, at: number): boolean => labels.includes(options[at]?.label ?? "");
      const picked = items.filter(isPicked);
      if (picked.length === 0 && !labels.includes(NONE)) return null;
      return { picked, left: items.filter((item, at) => !isPicked(item, at)) };
    },
  };
}

import { excerpt } from "../../lib/excerpt.ts";
import { wordsIn } from "../../lib/words.ts";

const MAX_TEXT = 160;

/** A question that the user has answered. */
export interface Answer {
  readonly question: string;
  readonly answer: string;
}

/**
 * Whether a question was answered before, and just so: a preference then. Pure.
 * @param before decisions of other work, each as `question → answer`, with what else is known of it behind ` · `
 */
export function answeredAgain(
  { question, answer }: Answer,
  before: readonly string[],
): { readonly body: string; readonly evidence: string } | null {
  const asked = flat(`${question} → ${answer}`);
  const same = before.filter((each) => flat(each.split(" · ")[0] ?? "") === asked);
  if (same.length === 0 || flat(answer) === "") return null;
  const times = same.length + 1;
  return {
    body: `Asked "${excerpt(question, MAX_TEXT)}", the user chooses: ${excerpt(answer, MAX_TEXT)}.`,
    evidence: `answered so ${times} times`,
  };
}

function flat(text: string): string {
  return wordsIn(text).join(" ");
}

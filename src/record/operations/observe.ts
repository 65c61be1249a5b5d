import { describeError } from "../../lib/error.ts";
import { parseLearning } from "../entries/earlier.ts";
import { keyOf } from "../entries/entry.ts";
import { readActive, type OperationContext } from "./context.ts";
import { settledNotes } from "./promotions.ts";

/** What someone noticed in one stretch of work. */
export interface Observations {
  /** As models write it: `pattern: …`. */
  readonly learnings: readonly { readonly text: string }[];
  /** The work unit in which they were noticed, null for none; by default the active one. */
  readonly unit?: string | null | undefined;
  /** Who noticed them. */
  readonly by: string;
}

/** Proposes each as an entry. What was declined under an earlier version is left out. @returns why others were refused */
export async function observe(
  { files, knowledge }: OperationContext,
  { learnings, unit, by }: Observations,
): Promise<{ proposed: readonly string[]; refused: readonly string[] }> {
  const [proposed, refused]: [string[], string[]] = [[], []];
  if (learnings.length === 0 || knowledge === undefined) return { proposed, refused };
  const source = unit === undefined ? await readActive(files) : unit;
  const { settled } = await settledNotes.read(files);
  for (const { kind, text: body } of learnings.map(({ text }) => parseLearning(text))) {
    if (body === "" || settled.includes(keyOf(body))) continue;
    try {
      const draft = { kind, body, source, by, reason: "learnt from the work" };
      proposed.push((await knowledge.propose(draft)).id);
    } catch (error) {
      refused.push(describeError(error));
    }
  }
  return { proposed, refused };
}

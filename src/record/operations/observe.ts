import { describeError } from "../../lib/error.ts";
import { keyOf } from "../entries/entry.ts";
import type { EntryDraft } from "../entries/write.ts";
import { readActive, type OperationContext } from "./context.ts";
import { settledNotes } from "./promotions.ts";

/** What was noticed in one stretch of work. */
export interface Observations {
  readonly learnings: readonly (Pick<EntryDraft, "kind" | "evidence" | "about"> & {
    readonly text: string;
  })[];
  /** The work unit in which they were noticed, null for none; by default the active one. */
  readonly unit?: string | null | undefined;
  /** Who noticed them. */
  readonly by: string;
  readonly reason: string;
}

/** Proposes each as an entry. What is known, waits or was declined already is left out. @returns what was refused otherwise */
export async function observe(
  { files, knowledge }: OperationContext,
  { learnings, unit, by, reason }: Observations,
): Promise<{ proposed: readonly string[]; refused: readonly string[] }> {
  const [proposed, refused]: [string[], string[]] = [[], []];
  if (learnings.length === 0 || knowledge === undefined) return { proposed, refused };
  const source = unit === undefined ? await readActive(files) : unit;
  const { settled } = await settledNotes.read(files);
  for (const { text, ...draft } of learnings) {
    if (settled.includes(keyOf(text))) continue;
    try {
      proposed.push((await knowledge.propose({ ...draft, body: text, source, by, reason })).id);
    } catch (error) {
      refused.push(describeError(error));
    }
  }
  return { proposed, refused };
}

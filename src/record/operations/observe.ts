import { describeError } from "../../lib/error.ts";
import { foreignLine } from "../../lib/markdown.ts";
import { ENTRY_KINDS } from "../entries/entry.ts";
import { readActive, type OperationContext } from "./context.ts";

/** What someone noticed in one stretch of work. */
export interface Observations {
  /** As models write it: `pattern: …`. */
  readonly learnings: readonly { readonly text: string }[];
  /** The work unit in which they were noticed, null for none; by default the active one. */
  readonly unit?: string | null | undefined;
  /** Who noticed them. */
  readonly by: string;
}

const MARKS = ENTRY_KINDS.flatMap((kind) => [`**${kind}** `, `${kind}: `].map((mark) => ({ kind, mark })));

/** A learning as a model writes it, with or without its bullet: `kind: text`; an insight where no kind is named. */
export function parseLearning(bullet: string): { readonly kind: string; readonly body: string } {
  const line = foreignLine(bullet.replace(/^- /, ""));
  const { kind, mark } = MARKS.find((each) => line.toLowerCase().startsWith(each.mark)) ?? {
    kind: "insight",
    mark: "",
  };
  return { kind, body: line.slice(mark.length).trim() };
}

/** Proposes each as an entry. @returns why others were refused */
export async function observe(
  { files, knowledge }: OperationContext,
  { learnings, unit, by }: Observations,
): Promise<{ proposed: readonly string[]; refused: readonly string[] }> {
  const [proposed, refused]: [string[], string[]] = [[], []];
  if (learnings.length === 0 || knowledge === undefined) return { proposed, refused };
  const source = unit === undefined ? await readActive(files) : unit;
  for (const { kind, body } of learnings.map(({ text }) => parseLearning(text))) {
    if (body === "") continue;
    try {
      const draft = { kind, body, source, by, reason: "learnt from the work" };
      proposed.push((await knowledge.propose(draft)).id);
    } catch (error) {
      refused.push(describeError(error));
    }
  }
  return { proposed, refused };
}

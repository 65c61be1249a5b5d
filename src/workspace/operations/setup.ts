import type { WrittenDefinition } from "../../config/definition-of-done.ts";
import { parseLearnings } from "../documents/learnings.ts";
import { addPromotions, findPromotions, type Promotion } from "../documents/promotions.ts";
import { isSettled, parseProposals, settleIds } from "../documents/proposals.ts";
import { changeDocument, failure, shownPath, type OperationContext, type Written } from "./context.ts";
import { changeNotes, PROPOSALS } from "./proposals.ts";
import { GAIA_INIT } from "./records.ts";

const CONFIG = "config.jsonc";

/** Learnings that the user may want in the curated file; none that they have decided on before. */
export async function readPromotions({
  files,
}: OperationContext): Promise<{ promotions: readonly Promotion[] }> {
  const [learnings, init, notes] = await Promise.all([
    files.read("learnings.md"),
    files.read(GAIA_INIT),
    files.read(PROPOSALS),
  ]);
  const { settled } = parseProposals(notes);
  const promotions = findPromotions(parseLearnings(learnings ?? ""), init ?? "", ({ text }) =>
    isSettled(settled, "promote", text),
  );
  return { promotions };
}

/** Writes the accepted ones into the curated file, and asks about none of them again. */
export async function settlePromotions(
  { files }: OperationContext,
  { accepted, declined }: Readonly<Record<"accepted" | "declined", readonly Promotion[]>>,
): Promise<{ promoted: number }> {
  return files.exclusive(async (writer) => {
    const counts =
      accepted.length === 0
        ? { promoted: 0 }
        : await changeDocument(writer, GAIA_INIT, (text) => addPromotions(text, accepted));
    const texts = [...accepted, ...declined].map(({ learning }) => learning.text);
    await changeNotes(writer, (notes) => settleIds(notes, "promote", texts));
    return counts;
  });
}

/** Puts checks that the user chose into the project's configuration, where none were configured. */
export async function addChecks(
  { files }: OperationContext,
  { definition }: { definition: WrittenDefinition },
): Promise<Written> {
  const { addDefinitionOfDone } = await import("../../config/add-definition.ts");
  return files.exclusive(async (writer) => {
    await writer.change(CONFIG, (text) => {
      const changed = addDefinitionOfDone(text ?? "", definition);
      if (changed === null) {
        const hint = "It has a Definition of Done already, or it cannot be read.";
        throw failure(`${shownPath(CONFIG)} was left as it is.`, hint);
      }
      return { text: changed, result: null };
    });
    return { path: shownPath(CONFIG) };
  });
}

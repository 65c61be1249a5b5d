import { changeMarkdown, type Updated } from "../documents/document.ts";
import {
  idOfLearning,
  keyOfLearning,
  parseLearnings,
  removeLearnings,
  type Learning,
} from "../documents/learning.ts";
import { settleProposals } from "../documents/proposals.ts";
import { appendLines, foreignLine, textIn } from "../../lib/markdown.ts";
import { changeDocument, GAIA_INIT, LEARNINGS, type OperationContext } from "./context.ts";
import { proposalNotes } from "./proposals.ts";

/** Takes lines out that the user no longer wants. */
export async function dropLearnings(
  { files }: OperationContext,
  { texts }: { texts: readonly string[] },
): Promise<{ removed: number }> {
  return files.exclusive(async (writer) =>
    changeDocument(writer, LEARNINGS, (text) => removeLearnings(text, texts)),
  );
}

/** More at once nobody weighs. */
const MOST = 5;
/** Less sure than this is not for every task. */
const SURE = 0.7;

/** Where a kind of learning belongs in the curated file; an insight is no rule, and stays a learning. */
const HEADINGS: Readonly<Record<Learning["kind"], string | null>> = {
  constraint: "Non-Negotiables",
  correction: "Non-Negotiables",
  preference: "Non-Negotiables",
  anti_pattern: "Non-Negotiables",
  decision: "Architecture Anchors",
  pattern: "Architecture Anchors",
  insight: null,
};

/** A learning that may be worth a line of `gaia-init.md`. */
export interface Promotion {
  readonly learning: Learning;
  readonly heading: string;
}

/**
 * The newest learnings that hold in every task and that the curated file does not say yet.
 * @param isSettled whether the user has decided on a learning before
 */
export function findPromotions(
  learnings: readonly Learning[],
  init: string,
  isSettled: (learning: Learning) => boolean,
): Promotion[] {
  const said = keyOfLearning({ text: init });
  return learnings
    .flatMap((learning) => {
      const heading = HEADINGS[learning.kind];
      return heading === null ? [] : [{ learning, heading }];
    })
    .filter(({ learning }) => (learning.confidence ?? 1) >= SURE)
    .filter(({ learning }) => !said.includes(keyOfLearning(learning)) && !isSettled(learning))
    .slice(-MOST)
    .toReversed();
}

/** Adds each learning as a line under its heading, which is made where it is missing. */
export function addPromotions(text: string, promotions: readonly Promotion[]): Updated<{ promoted: number }> {
  return changeMarkdown(text, (document) => {
    const next = promotions.reduce((before, { heading, learning }) => {
      const line = `- ${foreignLine(learning.text)}`;
      const section = before.sections.find(({ title }) => title === heading);
      if (section === undefined) return appendLines(before, [`## ${heading}`, "", line], true);
      return appendLines(before, textIn(before, section) === "" ? ["", line] : [line], false, section);
    }, document);
    return [next, { promoted: promotions.length }];
  });
}

const idOfPromotion = ({ text }: Pick<Learning, "text">): string => `promote:${idOfLearning(text)}`;

/** Learnings that the user may want in the curated file; none that they have decided on before. */
export async function readPromotions({
  files,
}: OperationContext): Promise<{ promotions: readonly Promotion[] }> {
  const [learnings, init] = await Promise.all([files.read(LEARNINGS), files.read(GAIA_INIT)]);
  const settled = new Set((await proposalNotes.read(files)).settled);
  const isSettled = (learning: Learning): boolean => settled.has(idOfPromotion(learning));
  return { promotions: findPromotions(parseLearnings(learnings ?? ""), init ?? "", isSettled) };
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
    const ids = [...accepted, ...declined].map(({ learning }) => idOfPromotion(learning));
    await proposalNotes.change(writer, (notes) => settleProposals(notes, ids));
    return counts;
  });
}

import * as z from "zod/mini";
import { lazy } from "../../lib/lazy.ts";
import { changeMarkdown, type Change } from "../documents/document.ts";
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
import { defineLocal, readEntries, withEntry } from "./local.ts";
import { proposalNotes } from "./proposals.ts";

/** Learnings of which something is known; those that nothing was seen of for longest give way. */
const MAX_KNOWN = 2_000;
/** So often contradicted, a learning is put to the user for removal. */
const MOST_CONTRADICTED = 2;

const count = (): z.ZodMiniType<number> => z.number().check(z.minimum(0));
const schema = lazy(() =>
  z.object({
    /** Work that did as it says was shown to be right. */
    confirmed: count(),
    /** Work on what it names was taken back or refused by the user, or its command had to be corrected. */
    contradicted: count(),
    /** The ISO day on which something of this was seen last. */
    last: z.string(),
  }),
);

/** What became of learnings where they were brought up, by their ids: each conversation counts once for each. */
export type EvidenceOfLearnings = ReadonlyMap<string, z.infer<ReturnType<typeof schema>>>;

/** Texts of learnings, by what became of them. */
export type SeenOfLearnings = Readonly<Record<"confirmed" | "contradicted", readonly string[]>>;

/** What one checkout has seen is counted there, and rewrites no line that is shared. */
const counted = defineLocal("learnings.json", (value): EvidenceOfLearnings => readEntries(schema(), value));

/** What was seen of the project's learnings in this checkout. */
export async function readLearningEvidence({
  files,
}: OperationContext): Promise<{ evidence: EvidenceOfLearnings }> {
  return { evidence: await counted.read(files) };
}

/** Counts what became of learnings that were brought up. */
export async function countLearnings(
  { files, today }: OperationContext,
  seen: SeenOfLearnings,
): Promise<{ evidence: EvidenceOfLearnings }> {
  const all = (["confirmed", "contradicted"] as const).flatMap((what) =>
    seen[what].map((text) => ({ what, id: idOfLearning(text) })),
  );
  return files.exclusive(async (writer) => ({
    evidence: await counted.change(writer, (evidence) =>
      all.reduce((next, { what, id }) => {
        const before = next.get(id) ?? { confirmed: 0, contradicted: 0, last: "" };
        return withEntry(next, id, { ...before, [what]: before[what] + 1, last: today() }, MAX_KNOWN);
      }, evidence),
    ),
  }));
}

/** Learnings that were contradicted so often that the user is asked whether they still hold, oldest first. */
export async function readDoubtful({
  files,
}: OperationContext): Promise<{ doubtful: readonly Learning[]; evidence: EvidenceOfLearnings }> {
  const [text, evidence] = await Promise.all([files.read(LEARNINGS), counted.read(files)]);
  const isDoubtful = ({ text: each }: Learning): boolean =>
    (evidence.get(idOfLearning(each))?.contradicted ?? 0) >= MOST_CONTRADICTED;
  const learnings = evidence.size === 0 ? [] : parseLearnings(text ?? "");
  return { doubtful: learnings.filter(isDoubtful), evidence };
}

/** Takes those out that the user no longer wants; what was counted against the others is forgotten. */
export async function settleDoubtful(
  { files }: OperationContext,
  { removed, kept }: Readonly<Record<"removed" | "kept", readonly Pick<Learning, "text">[]>>,
): Promise<{ removed: number }> {
  return files.exclusive(async (writer) => {
    const gone = removed.map(({ text }) => text);
    const counts =
      gone.length === 0
        ? { removed: 0 }
        : await changeDocument(writer, LEARNINGS, (text) => removeLearnings(text, gone));
    const settled = [...gone, ...kept.map(({ text }) => text)].map(idOfLearning);
    await counted.change(writer, (evidence) =>
      settled.reduce((next, id) => withEntry(next, id, null), evidence),
    );
    return counts;
  });
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
export function addPromotions(text: string, promotions: readonly Promotion[]): Change<{ promoted: number }> {
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

import {
  countSeen,
  findDoubtful,
  forgetEvidence,
  parseEvidence,
  renderEvidence,
  type EvidenceOfLearnings,
  type SeenOfLearnings,
} from "../documents/learning-evidence.ts";
import type { Learning } from "../documents/learning.ts";
import { parseLearnings } from "../documents/learnings.ts";
import { removeLearnings } from "../documents/remove-learnings.ts";
import { LOCAL_FOLDER, type GaiaWriter } from "../store/gaia-files.ts";
import { changeDocument, type OperationContext } from "./context.ts";

const LEARNINGS = "learnings.md";
const EVIDENCE = `${LOCAL_FOLDER}/learnings.json`;

/** What was seen of the project's learnings in this checkout. */
export async function readLearningEvidence({
  files,
}: OperationContext): Promise<{ evidence: EvidenceOfLearnings }> {
  return { evidence: parseEvidence(await files.read(EVIDENCE, "replaceable")) };
}

/** Counts what became of learnings that were brought up. */
export async function countLearnings(
  { files, today }: OperationContext,
  seen: SeenOfLearnings,
): Promise<{ evidence: EvidenceOfLearnings }> {
  return files.exclusive(async (writer) =>
    changeEvidence(writer, (evidence) => countSeen(evidence, seen, today())),
  );
}

/** Learnings that were contradicted so often that the user is asked about them. */
export async function readDoubtful({
  files,
}: OperationContext): Promise<{ doubtful: readonly Learning[]; evidence: EvidenceOfLearnings }> {
  const [text, known] = await Promise.all([files.read(LEARNINGS), files.read(EVIDENCE, "replaceable")]);
  const evidence = parseEvidence(known);
  return { doubtful: findDoubtful(parseLearnings(text ?? ""), evidence), evidence };
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
    const settled = [...gone, ...kept.map(({ text }) => text)];
    await changeEvidence(writer, (evidence) => forgetEvidence(evidence, settled));
    return counts;
  });
}

async function changeEvidence(
  writer: GaiaWriter,
  change: (evidence: EvidenceOfLearnings) => EvidenceOfLearnings,
): Promise<{ evidence: EvidenceOfLearnings }> {
  return writer.change(
    EVIDENCE,
    (text) => {
      const evidence = change(parseEvidence(text));
      return { text: renderEvidence(evidence), result: { evidence } };
    },
    "replaceable",
  );
}

import { addLearnings, type LearningCounts } from "../documents/learnings.ts";
import {
  addObservations,
  parseProposals,
  renderProposals,
  settleProposals,
  type Observations,
  type Proposal,
  type Proposals,
} from "../documents/proposals.ts";
import { LOCAL_FOLDER, type GaiaWriter } from "../store/gaia-files.ts";
import { readActive } from "./active.ts";
import { changeDocument, type OperationContext } from "./context.ts";

/**
 * Beside the active unit, in the folder that git does not see: what one person's session suggested is nobody else's
 * business until it is accepted, and a file outside of `learnings.md` cannot be mistaken for it.
 */
export const PROPOSALS = `${LOCAL_FOLDER}/proposals.json`;

/** What waits for a human, oldest first. */
export async function readProposals({
  files,
}: OperationContext): Promise<{ proposals: readonly Proposal[] }> {
  return { proposals: parseProposals(await files.read(PROPOSALS)).proposals };
}

/** Notes what the plugin noticed. Questions alone do not bring `.gaia/` into being. */
export async function observe(
  { files, today }: OperationContext,
  observations: Observations,
): Promise<{ proposals: readonly Proposal[] }> {
  const hasRecord = observations.learnings.length > 0 || (await files.list("")).length > 0;
  if (!hasRecord) return { proposals: [] };
  return files.exclusive(async (writer) => {
    const { unit = await readActive(writer) } = observations;
    const about = { date: today(), unit };
    const notes = await changeNotes(writer, (before) => addObservations(before, observations, about));
    return { proposals: notes.proposals };
  });
}

/** Makes learnings of proposals that a human agreed to. Unknown ids are left out. */
export async function acceptProposals(
  { files }: OperationContext,
  { ids }: { ids: readonly string[] },
): Promise<LearningCounts & { readonly texts: readonly string[] }> {
  return files.exclusive(async (writer) => {
    const notes = parseProposals(await writer.read(PROPOSALS));
    const learnings = settleProposals(notes, ids).taken.map(({ kind, text, date, unit }) =>
      unit === null ? { kind, text, date } : { kind, text, date, unit },
    );
    const texts = learnings.map(({ text }) => text);
    if (learnings.length === 0) return { appended: 0, skipped: 0, texts };
    // The learnings first: killed between the two, a proposal is offered again rather than lost.
    const counts = await changeDocument(writer, "learnings.md", (text) => addLearnings(text, learnings));
    await changeNotes(writer, (before) => settleProposals(before, ids).notes);
    return { ...counts, texts };
  });
}

/** Drops proposals for good. */
export async function declineProposals(
  { files }: OperationContext,
  { ids }: { ids: readonly string[] },
): Promise<{ declined: number }> {
  return files.exclusive(async (writer) => {
    const before = parseProposals(await writer.read(PROPOSALS));
    await changeNotes(writer, (notes) => settleProposals(notes, ids).notes);
    return { declined: settleProposals(before, ids).taken.length };
  });
}

/** Changes the notes and gives them back. */
export async function changeNotes(
  writer: GaiaWriter,
  change: (notes: Proposals) => Proposals,
): Promise<Proposals> {
  return writer.change(PROPOSALS, (text) => {
    const result = change(parseProposals(text));
    return { text: renderProposals(result), result };
  });
}

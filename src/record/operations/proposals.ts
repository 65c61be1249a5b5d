import { addLearnings } from "../documents/learning.ts";
import {
  addObservations,
  parseProposals,
  settleProposals,
  type Observations,
  type Proposal,
} from "../documents/proposals.ts";
import type { GaiaWriter } from "../store/gaia-files.ts";
import { changeDocument, LEARNINGS, readActive, type OperationContext } from "./context.ts";
import { defineLocal } from "./local.ts";

/** What one person's session suggested is nobody else's business until it is accepted. */
export const proposalNotes = defineLocal("proposals.json", parseProposals);

/** What waits for a human, oldest first. */
export async function readProposals({
  files,
}: OperationContext): Promise<{ proposals: readonly Proposal[] }> {
  return { proposals: (await proposalNotes.read(files)).proposals };
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
    return proposalNotes.change(writer, (notes) => addObservations(notes, observations, about));
  });
}

/** Makes learnings of proposals that a human agreed to. Unknown ids are left out. */
export async function acceptProposals(
  { files }: OperationContext,
  { ids }: { ids: readonly string[] },
): Promise<{ appended: number; skipped: number; texts: readonly string[] }> {
  return files.exclusive(async (writer) => {
    const taken = await namedBy(writer, ids);
    const texts = taken.map(({ text }) => text);
    const learnings = taken.map(({ id: _id, unit, ...rest }) => ({
      ...rest,
      ...(unit === null ? {} : { unit }),
    }));
    // The learnings first: killed between the two, a proposal is offered again rather than lost.
    const counts =
      taken.length === 0
        ? { appended: 0, skipped: 0 }
        : await changeDocument(writer, LEARNINGS, (text) => addLearnings(text, learnings));
    await settle(writer, taken);
    return { ...counts, texts };
  });
}

/** Drops proposals for good. */
export async function declineProposals(
  { files }: OperationContext,
  { ids }: { ids: readonly string[] },
): Promise<{ declined: number }> {
  return files.exclusive(async (writer) => {
    const taken = await namedBy(writer, ids);
    await settle(writer, taken);
    return { declined: taken.length };
  });
}

async function namedBy(writer: GaiaWriter, ids: readonly string[]): Promise<readonly Proposal[]> {
  return (await proposalNotes.read(writer)).proposals.filter(({ id }) => ids.includes(id));
}

async function settle(writer: GaiaWriter, taken: readonly Proposal[]): Promise<void> {
  const ids = taken.map(({ id }) => id);
  if (ids.length > 0) await proposalNotes.change(writer, (notes) => settleProposals(notes, ids));
}

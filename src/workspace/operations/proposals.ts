import { addLearnings } from "../documents/learning.ts";
import {
  addObservations,
  parseProposals,
  settleProposals,
  type Observations,
  type Proposal,
} from "../documents/proposals.ts";
import { readActive } from "./active.ts";
import { changeDocument, type OperationContext } from "./context.ts";
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
    const { proposals } = await proposalNotes.read(writer);
    const taken = proposals.filter(({ id }) => ids.includes(id));
    const texts = taken.map(({ text }) => text);
    if (taken.length === 0) return { appended: 0, skipped: 0, texts };
    const learnings = taken.map(({ kind, text, date, unit }) => ({
      kind,
      text,
      date,
      ...(unit === null ? {} : { unit }),
    }));
    // The learnings first: killed between the two, a proposal is offered again rather than lost.
    const counts = await changeDocument(writer, "learnings.md", (text) => addLearnings(text, learnings));
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
    const { proposals } = await proposalNotes.read(writer);
    const taken = proposals.filter(({ id }) => ids.includes(id));
    await settle(writer, taken);
    return { declined: taken.length };
  });
}

async function settle(
  writer: Parameters<typeof proposalNotes.change>[0],
  taken: readonly Proposal[],
): Promise<void> {
  await proposalNotes.change(writer, (notes) =>
    settleProposals(
      notes,
      taken.map(({ id }) => id),
    ),
  );
}

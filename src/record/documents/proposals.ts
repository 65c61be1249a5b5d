import * as z from "zod/mini";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { lazy } from "../../lib/lazy.ts";
import { idOfLearning, LEARNING_KINDS } from "./learning.ts";

/** More open proposals than this nobody would read; the oldest give way. */
const MAX_PROPOSALS = 50;
const MAX_SETTLED = 300;

const schemas = lazy(() => ({
  proposal: z.object({
    kind: z.enum(LEARNING_KINDS),
    text: z.string(),
    /** ISO day. */
    date: z.string(),
    unit: z.nullable(z.string()),
  }),
}));
type Schemas = ReturnType<typeof schemas>;

/** A learning that the plugin noticed by itself. No model is told of it before a human has accepted it (SPEC 10). */
export type Proposal = z.infer<Schemas["proposal"]> & {
  /** Short and stable: the same observation has the same id. */
  readonly id: string;
};

/** What stands in `.gaia/.local/proposals.json`: this checkout's own notes, never shared and never authoritative. */
export interface Proposals {
  readonly proposals: readonly Proposal[];
  /** Ids of what was accepted, declined or known already, so that it does not come again. */
  readonly settled: readonly string[];
}

/** What was noticed in one stretch of work. */
export interface Observations {
  readonly learnings: readonly Pick<Proposal, "kind" | "text">[];
  /** The work unit in which they were noticed, null for none; by default the active one. */
  readonly unit?: string | null | undefined;
}

/**
 * Reads the notes; what cannot be read counts as not there. A proposal's id follows from its text, whatever the file says: a yes is
 * to what was read, and a script may have put other words in its place.
 */
export function parseProposals(value: unknown): Proposals {
  const raw = recordOf(value);
  const proposals = listOf(raw["proposals"])
    .flatMap((each) => schemas().proposal.safeParse(each).data ?? [])
    .map((each) => ({ ...each, id: idOfLearning(each.text) }));
  return {
    proposals: [...new Map(proposals.map((each) => [each.id, each])).values()],
    settled: listOf(raw["settled"]).flatMap((each) => textOf(each) ?? []),
  };
}

/**
 * Adds what is new.
 * @param about day and work unit of the observations
 */
export function addObservations(
  notes: Proposals,
  { learnings }: Observations,
  about: Pick<Proposal, "date" | "unit">,
): Proposals {
  const known = new Set([...notes.settled, ...notes.proposals.map(({ id }) => id)]);
  const fresh = learnings
    .map(({ kind, text }) => Object.assign({ id: idOfLearning(text), kind, text }, about))
    .filter(({ id }) => !known.has(id) && known.add(id));
  return { ...notes, proposals: [...notes.proposals, ...fresh].slice(-MAX_PROPOSALS) };
}

/** Takes proposals out of the list for good, and asks about none of these ids again. */
export function settleProposals(notes: Proposals, ids: readonly string[]): Proposals {
  return {
    ...notes,
    proposals: notes.proposals.filter(({ id }) => !ids.includes(id)),
    settled: [...new Set([...notes.settled, ...ids])].slice(-MAX_SETTLED),
  };
}

import * as z from "zod/mini";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { lazy } from "../../lib/lazy.ts";
import { overlap } from "../../lib/words.ts";
import { idOfLearning, LEARNING_KINDS } from "./learning.ts";

/** More open proposals than this nobody would read; the oldest give way. */
const MAX_PROPOSALS = 50;
const MAX_SETTLED = 300;
const MAX_QUESTIONS = 100;
/** The share of their words that two wordings of one question have in common. */
const SAME_QUESTION = 0.6;

const schemas = lazy(() => ({
  proposal: z.object({
    kind: z.enum(LEARNING_KINDS),
    text: z.string(),
    /** ISO day. */
    date: z.string(),
    unit: z.nullable(z.string()),
  }),
  question: z.object({ text: z.string(), terms: z.array(z.string()), count: z.number() }),
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
  readonly questions: readonly z.infer<Schemas["question"]>[];
}

/** What was noticed in one stretch of work. */
export interface Observations {
  readonly learnings: readonly Pick<Proposal, "kind" | "text">[];
  /** The work unit in which they were noticed, null for none; by default the active one. */
  readonly unit?: string | null | undefined;
  /** How often a question has to come before its answer is worth writing down. */
  readonly askedOften?: number;
  /** Questions of the user; `terms` are their telling words. */
  readonly questions: readonly { readonly text: string; readonly terms: readonly string[] }[];
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
    questions: listOf(raw["questions"]).flatMap((each) => schemas().question.safeParse(each).data ?? []),
  };
}

/**
 * Adds what is new. A question that has come often becomes a proposal itself.
 * @param about day and work unit of the observations
 */
export function addObservations(
  notes: Proposals,
  { learnings, questions, askedOften = 3 }: Observations,
  about: Pick<Proposal, "date" | "unit">,
): Proposals {
  const counted = questions.reduce(countQuestion, notes.questions);
  const asked = counted
    .filter(({ count }) => count >= askedOften)
    .map(({ text }) => ({
      kind: "insight" as const,
      text: `Asked ${askedOften} times: "${text}" The answer belongs into the record.`,
    }));
  const known = new Set([...notes.settled, ...notes.proposals.map(({ id }) => id)]);
  const fresh = [...learnings, ...asked]
    .map(({ kind, text }) => Object.assign({ id: idOfLearning(text), kind, text }, about))
    .filter(({ id }) => !known.has(id) && known.add(id));
  return {
    ...notes,
    proposals: [...notes.proposals, ...fresh].slice(-MAX_PROPOSALS),
    questions: counted.filter(({ count }) => count < askedOften).slice(-MAX_QUESTIONS),
  };
}

/** Takes proposals out of the list for good, and asks about none of these ids again. */
export function settleProposals(notes: Proposals, ids: readonly string[]): Proposals {
  return {
    ...notes,
    proposals: notes.proposals.filter(({ id }) => !ids.includes(id)),
    settled: [...new Set([...notes.settled, ...ids])].slice(-MAX_SETTLED),
  };
}

function countQuestion(
  known: Proposals["questions"],
  asked: Observations["questions"][number],
): Proposals["questions"] {
  const same = known.find(({ terms }) => overlap(terms, asked.terms) >= SAME_QUESTION);
  const others = known.filter((question) => question !== same);
  return [...others, { text: asked.text, terms: [...asked.terms], count: (same?.count ?? 0) + 1 }];
}

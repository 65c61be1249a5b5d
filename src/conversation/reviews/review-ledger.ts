import * as z from "zod/mini";
import { VERDICTS } from "../../contracts/contract.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { lazy } from "../../lib/lazy.ts";
import {
  decideAfterReview,
  mergeOutcomes,
  NO_REVIEW_YET,
  type ReviewDecision,
  type ReviewerOutcome,
  type ReviewState,
} from "../../plan/review/outcome.ts";

/** Units whose reviews are kept over a restart, reviewers of one round, and characters of what each said. */
const MAX_LEDGERS = 8;
const MAX_ROUND = 6;
const MAX_TEXT = 100;

/** The reviews of one piece of work, as they come in one by one. */
export interface ReviewLedger {
  /** Before the round that is open now. */
  readonly state: ReviewState;
  /** Reviewers of the same change, in any order; the worst of them counts, once. */
  readonly round: readonly ReviewerOutcome[];
  /** Whether the work has changed anything at all, and since the round began. */
  readonly changed: boolean;
  readonly reworked: boolean;
}

/** Work that nobody has reviewed yet. */
export const NEW_WORK: ReviewLedger = { state: NO_REVIEW_YET, round: [], changed: false, reworked: false };

/** The ledgers of work units as they outlive a restart: one who was sent back once is not sent back once more for it. */
const ledgersSchema = lazy(() => {
  const text = z.string().check(z.maxLength(MAX_TEXT));
  const outcome = z.object({ reviewer: text, verdict: z.enum(VERDICTS), reason: z.optional(text) });
  const state = z.object({ fixRounds: z.int().check(z.gte(0)) });
  const ledger = z.object({ state, round: z.array(outcome), changed: z.boolean(), reworked: z.boolean() });
  return z.array(z.tuple([z.string(), ledger])).check(z.maxLength(MAX_LEDGERS));
});

/** Plain JSON of the ledgers by work unit; of too many the oldest go. */
export function keepLedgers(ledgers: ReadonlyMap<string, ReviewLedger>): unknown {
  return [...ledgers].slice(-MAX_LEDGERS).map(([unit, ledger]) => {
    const round = ledger.round.map(({ reviewer, verdict, reason = "" }) => ({
      reviewer: excerpt(reviewer, MAX_TEXT),
      verdict,
      reason: excerpt(reason, MAX_TEXT),
    }));
    return [unit, { ...ledger, round: round.slice(-MAX_ROUND) }];
  });
}

/** @throws ZodError for what {@link keepLedgers} did not write */
export function restoreLedgers(saved: unknown): Map<string, ReviewLedger> {
  const kept = ledgersSchema().parse(saved);
  return new Map(
    kept.map(([unit, ledger]) => [
      unit,
      { ...ledger, round: ledger.round.map(({ reason = "", ...outcome }) => ({ ...outcome, reason })) },
    ]),
  );
}

/** What follows from one reviewer's outcome; `noted`: nothing that was not decided before. */
export type LedgerDecision = Exclude<ReviewDecision, { kind: "proceed" }> | { kind: "noted" };

/** The project was changed for this work. What was found before the first change is not about the change. */
export function noteChange(ledger: ReviewLedger): ReviewLedger {
  return ledger.changed ? { ...ledger, reworked: true } : { ...NEW_WORK, changed: true };
}

/** A new wave is new work, unless it is opened to fix what was rejected in the last one. */
export function beginWave(ledger: ReviewLedger): ReviewLedger {
  return mergeOutcomes(ledger.round).verdict === "APPROVE" ? forgetReviews(ledger) : ledger;
}

/** The user spoke: what was rejected before is settled between them and GAIA. */
export function forgetReviews({ changed }: ReviewLedger): ReviewLedger {
  return { ...NEW_WORK, changed };
}

/**
 * Adds one outcome. Reviewers who look at the same change make one round; a change, or the same reviewer once more, begins
 * the next. So two rejections side by side are one, and asking again without a fix is a second.
 */
export function addReview(
  ledger: ReviewLedger,
  outcome: ReviewerOutcome,
): { ledger: ReviewLedger; decision: LedgerDecision } {
  const again = ledger.round.find(({ reviewer }) => reviewer === outcome.reviewer);
  const before = decide(ledger, ledger.round);
  const begins = ledger.reworked || again !== undefined;
  const state = begins ? before.state : ledger.state;
  const round = begins ? [outcome] : [...ledger.round, outcome];
  const next: ReviewLedger = { ...ledger, state, round, reworked: false };
  const decision = ledger.changed
    ? decide(next, round)
    : decideUnchanged(next, again?.verdict === "REJECT" && outcome.verdict === "REJECT");
  const isNew = begins || decision.kind !== before.kind;
  return { ledger: next, decision: decision.kind === "proceed" || !isNew ? { kind: "noted" } : decision };
}

function decide({ state }: ReviewLedger, round: readonly ReviewerOutcome[]): ReviewDecision {
  return decideAfterReview(state, round);
}

/** Where nothing was changed there is nothing to fix: a finding is the result, and asking for it twice is a loop. */
function decideUnchanged({ state, round }: ReviewLedger, twice: boolean): ReviewDecision {
  const counts = twice ? round : round.filter(({ verdict }) => verdict !== "REJECT");
  return decideAfterReview(state, counts, "verify");
}

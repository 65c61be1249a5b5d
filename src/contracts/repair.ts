import type { Answer } from "./contract.ts";
import type { Evaluation } from "./evaluate.ts";
import { MALFORMED, type Outcome, type Settled } from "./verdict/settle.ts";
import { worst } from "./verdict/words.ts";

/** What came of an answer and, where it needed one, of its repair. */
export type Repaired =
  | { readonly status: "valid"; readonly answer: Answer; readonly note: string | null }
  | { readonly status: "invalid"; readonly salvage: Answer | null; readonly problems: readonly string[] };

const SILENT = "no verdict was given, even when asked for; it counts as APPROVE";
const NOT_PLAIN = "the verdict was no plain approval and counts as REJECT";

/**
 * Makes one result of an answer and its repair: the first where it fits, for then only its verdict was asked for, else the
 * second. An objection counts wherever it stood, for nothing was changed between the two. Where both name no verdict none is
 * held against the work (SPEC 4).
 * @param second null where there was none, or it brought no answer at all
 */
export function combineRepair(first: Evaluation, second: Evaluation | null): Repaired {
  const verdicts = [first.verdict, second?.verdict ?? null].filter((each) => each !== null);
  const outcome = outcomeOf(verdicts);
  const note = noteOf(verdicts, outcome);
  const whole = first.status === "valid" || second?.status !== "valid" ? first : second;
  if (whole.status === "valid") return { status: "valid", answer: withOutcome(whole.answer, outcome), note };
  const last = second?.status === "invalid" ? second : whole;
  const salvage = last.salvage ?? whole.salvage;
  return {
    status: "invalid",
    salvage: salvage === null ? null : withOutcome(salvage, outcome),
    problems: note === null ? last.problems : [...last.problems, note],
  };
}

function outcomeOf(verdicts: readonly Settled[]): Outcome | undefined {
  const last = verdicts.at(-1);
  // What was in doubt at first may have been made plain.
  const counting = verdicts.filter(
    (each) => each.kind === "named" || (each.kind === "doubtful" && each === last),
  );
  const heard = counting.length > 0 ? counting : verdicts;
  const outcomes = heard.flatMap((each) => (each.kind === "missing" ? [] : [each.outcome]));
  const verdict = outcomes.map((each) => each.verdict).reduce<Outcome["verdict"]>(worst, "APPROVE");
  return outcomes.findLast((each) => each.verdict === verdict);
}

function noteOf(verdicts: readonly Settled[], outcome: Outcome | undefined): string | null {
  if (verdicts.length === 0) return null;
  if (outcome === undefined) {
    return verdicts.some((each) => each.kind === "missing" && each.malformed) ? MALFORMED : SILENT;
  }
  const source = verdicts.find((each) => each.kind !== "missing" && each.outcome === outcome);
  if (source?.kind === "doubtful") return NOT_PLAIN;
  return source?.kind === "named" ? source.note : null;
}

function withOutcome(answer: Answer, outcome: Outcome | undefined): Answer {
  return outcome === undefined ? answer : { ...answer, outcome };
}

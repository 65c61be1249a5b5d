import { excerpt } from "../../lib/text.ts";
import { toUser } from "../../lib/for-person.ts";
import { NOT_REVIEWED, type ReviewVerdict as Verdict } from "../../plan/review/outcome.ts";

/** The newest verdict of one reviewer on one work unit. */
export interface StandingVerdict {
  /** Empty for work without a unit. */
  readonly workUnit: string;
  readonly reviewer: string;
  /** What the reviewer is there for: another of the same role may look again in its place. */
  readonly role: string;
  /** null: not reviewed. It holds the work up until a reviewer of the same role gives a verdict, or the user goes on without. */
  readonly verdict: Verdict | null;
  readonly reason: string;
  /** What an objection is about, a line each; empty for anything else. */
  readonly findings: readonly string[];
  readonly at: number;
  /** `open`: it holds the work up; `fixed`: so still, but there is something new to look at; else how it was settled. */
  readonly standing: "open" | "fixed" | "settled" | "overruled";
}
export type NewVerdict = Omit<StandingVerdict, "at" | "standing">;

/** Verdicts that are kept; of those that hold nothing up the oldest go first. */
const MAX_VERDICTS = 24;
const MAX_REASON = 300;
const MAX_FINDING = 160;
const MAX_NAME = 80;

export function isOpen({ standing }: StandingVerdict): boolean {
  return standing === "open" || standing === "fixed";
}

/** The verdicts that hold up a work unit, empty for none; null for those of the whole conversation. */
export function openObjections(
  verdicts: readonly StandingVerdict[],
  workUnit: string | null,
): readonly StandingVerdict[] {
  return verdicts.filter((each) => isOpen(each) && (workUnit === null || each.workUnit === workUnit));
}

/** An objection stands until something was changed and a reviewer of the same role approves; asking again takes it from nobody. */
export function addVerdict(
  verdicts: readonly StandingVerdict[],
  given: NewVerdict,
  at: number,
): readonly StandingVerdict[] {
  const isTheirs = (each: StandingVerdict): boolean =>
    each.workUnit === given.workUnit && each.role === given.role;
  const settled = verdicts
    .filter((each) => given.verdict === null || each.verdict !== null || !isTheirs(each))
    .map((each): StandingVerdict => {
      const isSettled = given.verdict === "APPROVE" && isTheirs(each) && each.standing === "fixed";
      return isSettled ? { ...each, standing: "settled", findings: [] } : each;
    });
  const mine = settled.find((each) => each.workUnit === given.workUnit && each.reviewer === given.reviewer);
  const isObjection = given.verdict === "REJECT" || given.verdict === "BLOCKED";
  // Neither an approval without a change nor silence takes the place of an objection.
  if (!isObjection && mine !== undefined && mine.verdict !== null && isOpen(mine)) return settled;
  const fresh: StandingVerdict = {
    ...given,
    workUnit: excerpt(given.workUnit, MAX_NAME),
    reviewer: excerpt(given.reviewer, MAX_NAME),
    reason: excerpt(given.reason, MAX_REASON),
    findings: given.findings.map((each) => excerpt(each, MAX_FINDING)),
    at,
    standing: given.verdict === "APPROVE" ? "settled" : "open",
  };
  return bounded([...settled.filter((each) => each !== mine), fresh]);
}

export function noteFix(verdicts: readonly StandingVerdict[], workUnit: string): readonly StandingVerdict[] {
  return verdicts.map((each) =>
    each.standing === "open" && each.verdict !== null && each.workUnit === workUnit
      ? { ...each, standing: "fixed" }
      : each,
  );
}

/** The user spoke: what held a reviewer up may be out of the way without a change of the project. */
export function noteAnswer(verdicts: readonly StandingVerdict[]): readonly StandingVerdict[] {
  return verdicts.map((each) =>
    each.standing === "open" && each.verdict === "BLOCKED" ? { ...each, standing: "fixed" } : each,
  );
}

export function overrule(
  verdicts: readonly StandingVerdict[],
  overruled: readonly StandingVerdict[],
): readonly StandingVerdict[] {
  return verdicts.map((each) => (overruled.includes(each) ? { ...each, standing: "overruled" } : each));
}

export function renderVerdict({ verdict, reviewer, reason, standing }: StandingVerdict): string {
  const why = reason === "" ? "" : `: ${reason}`;
  if (verdict === null)
    return `${NOT_REVIEWED} by ${reviewer}${standing === "overruled" ? " (you went on without it)" : ""}${toUser(why)}`;
  const how = {
    open: " (not fixed)",
    // What held a reviewer up is not a change of the project.
    fixed: verdict === "BLOCKED" ? " (not looked at again)" : " (changed since, not looked at again)",
    settled: verdict === "APPROVE" ? "" : " (fixed)",
    overruled: " (overruled by you)",
  }[standing];
  return `${verdict} by ${reviewer}${how}${why}`;
}

function bounded(verdicts: readonly StandingVerdict[]): readonly StandingVerdict[] {
  const surplus = verdicts.length - MAX_VERDICTS;
  if (surplus <= 0) return verdicts;
  const idle = new Set(verdicts.filter((each) => !isOpen(each)).slice(0, surplus));
  return verdicts.filter((each) => !idle.has(each)).slice(-MAX_VERDICTS);
}

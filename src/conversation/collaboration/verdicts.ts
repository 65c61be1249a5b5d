import { excerpt } from "../../lib/excerpt.ts";

/** The newest verdict of one reviewer on one work unit; plain JSON, for it survives a restart. */
export interface StandingVerdict {
  /** Empty for work without a unit. */
  readonly workUnit: string;
  readonly reviewer: string;
  /** What the reviewer is there for: another of the same role may look again in its place. */
  readonly role: string;
  readonly verdict: "APPROVE" | "REJECT" | "BLOCKED";
  readonly reason: string;
  /** Milliseconds. */
  readonly at: number;
  /** `open`: it holds the work up; `fixed`: so still, but there is something new to look at; else how it was settled. */
  readonly standing: "open" | "fixed" | "settled" | "overruled";
  /** Nothing was said, even when asked for, and so counts as an approval. */
  readonly assumed: boolean;
}

/** What a reviewer said, as it comes in. */
export type NewVerdict = Omit<StandingVerdict, "at" | "standing">;

/** Verdicts that are kept; of those that hold nothing up the oldest go first. */
const MAX_VERDICTS = 24;
const MAX_REASON = 300;
const MAX_NAME = 80;

/** Whether a verdict holds its work up. */
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

/**
 * Takes a verdict in. An objection stands until something was changed and a reviewer of the same role, who says so, approves;
 * asking again, or a reviewer who says nothing, takes it from nobody.
 */
export function addVerdict(
  verdicts: readonly StandingVerdict[],
  given: NewVerdict,
  at: number,
): readonly StandingVerdict[] {
  const isYes = given.verdict === "APPROVE" && !given.assumed;
  const settled = verdicts.map((each): StandingVerdict => {
    const isTheirs = each.workUnit === given.workUnit && each.role === given.role;
    return isYes && isTheirs && each.standing === "fixed" ? { ...each, standing: "settled" } : each;
  });
  const mine = settled.find((each) => each.workUnit === given.workUnit && each.reviewer === given.reviewer);
  // An approval without a change, or out of silence, does not take the place of an objection.
  if (given.verdict === "APPROVE" && mine !== undefined && isOpen(mine)) return settled;
  const fresh: StandingVerdict = {
    ...given,
    workUnit: excerpt(given.workUnit, MAX_NAME),
    reviewer: excerpt(given.reviewer, MAX_NAME),
    reason: excerpt(given.reason, MAX_REASON),
    at,
    standing: given.verdict === "APPROVE" ? "settled" : "open",
  };
  return bounded([...settled.filter((each) => each !== mine), fresh]);
}

/** The work was changed: what was said against it is to be looked at again. */
export function noteFix(verdicts: readonly StandingVerdict[], workUnit: string): readonly StandingVerdict[] {
  return verdicts.map((each) =>
    each.standing === "open" && each.workUnit === workUnit ? { ...each, standing: "fixed" } : each,
  );
}

/** The user spoke: what held a reviewer up may be out of the way without a change of the project. */
export function noteAnswer(verdicts: readonly StandingVerdict[]): readonly StandingVerdict[] {
  return verdicts.map((each) =>
    each.standing === "open" && each.verdict === "BLOCKED" ? { ...each, standing: "fixed" } : each,
  );
}

/** The user overruled these. */
export function overrule(
  verdicts: readonly StandingVerdict[],
  overruled: readonly StandingVerdict[],
): readonly StandingVerdict[] {
  return verdicts.map((each) => (overruled.includes(each) ? { ...each, standing: "overruled" } : each));
}

/** A verdict in one line, for a person. */
export function renderVerdict({ verdict, reviewer, reason, standing, assumed }: StandingVerdict): string {
  const how = {
    open: " (not fixed)",
    // What held a reviewer up is none of the project's changes.
    fixed: verdict === "BLOCKED" ? " (not looked at again)" : " (changed since, not looked at again)",
    settled: verdict === "APPROVE" ? "" : " (fixed)",
    overruled: " (overruled by you)",
  }[standing];
  const silent = assumed ? " (named no verdict)" : "";
  return `${verdict} by ${reviewer}${how}${silent}${reason === "" ? "" : `: ${reason}`}`;
}

function bounded(verdicts: readonly StandingVerdict[]): readonly StandingVerdict[] {
  const surplus = verdicts.length - MAX_VERDICTS;
  if (surplus <= 0) return verdicts;
  const idle = new Set(verdicts.filter((each) => !isOpen(each)).slice(0, surplus));
  return verdicts.filter((each) => !idle.has(each)).slice(-MAX_VERDICTS);
}

import { GRAVE } from "../contracts/fields.ts";
import { listOf, recordOf, textOf } from "../lib/json.ts";

/** One thing that a reviewer found, as its contract has it; what it does not say is empty. */
export interface ReviewFinding {
  readonly issue: string;
  /** `path:line`. */
  readonly where: string;
  /** `low`, `medium`, `high` or `critical`. */
  readonly severity: string;
  /** Who is to fix it. */
  readonly agent: string;
  /** The situation and what should happen in it, for a test. */
  readonly scenario: string;
}

const MAX_FINDINGS = 40;

/** Whether a finding is a reason to reject. */
export function isGrave({ severity }: ReviewFinding): boolean {
  return GRAVE.has(severity);
}

/** The findings in the `data` of a reviewer's contract: every entry of a list that names an `issue`, and texts listed as `findings`. */
export function findingsIn(data: unknown): ReviewFinding[] {
  const found = Object.entries(recordOf(data)).flatMap(([name, list]) =>
    listOf(list).map((each) => (name === "findings" && typeof each === "string" ? { issue: each } : each)),
  );
  return found
    .map((each) => {
      const text = (key: string): string => textOf(recordOf(each)[key])?.trim() ?? "";
      return {
        issue: text("issue"),
        where: text("where"),
        severity: text("severity").toLowerCase(),
        agent: text("suggested_fix_agent"),
        scenario: text("testable_scenario"),
      };
    })
    .filter(({ issue }) => issue !== "")
    .slice(0, MAX_FINDINGS);
}

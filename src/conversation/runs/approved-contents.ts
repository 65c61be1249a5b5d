import { listOf, recordOf, textOf } from "../../lib/json.ts";

/** What a reviewer of a unit approved last; plain JSON, for it survives a restart. */
export interface Approval {
  readonly unit: string;
  readonly reviewer: string;
  /** By name; see `contentsOf`. */
  readonly contents: string;
}

/** Approvals that are remembered, the newest, and characters of each text of one. */
const MAX_APPROVALS = 5;
const MAX_TEXT = 80;

/** The list with another one, in place of what that reviewer approved of the unit before. */
export function addApproval(approvals: readonly Approval[], given: Approval): readonly Approval[] {
  const isSame = ({ unit, reviewer }: Approval): boolean =>
    unit === given.unit && reviewer === given.reviewer;
  return [...approvals.filter((each) => !isSame(each)), given].slice(-MAX_APPROVALS);
}

/** What of it was kept; what is none is left out. */
export function readApprovals(saved: unknown): readonly Approval[] {
  const read = listOf(saved).flatMap((value): Approval[] => {
    const { unit, reviewer, contents } = recordOf(value);
    const texts = [unit, reviewer, contents].map((text) => textOf(text) ?? "");
    const [of = "", by = "", what = ""] = texts;
    const isOne = texts.every((text) => text !== "" && text.length <= MAX_TEXT);
    return isOne ? [{ unit: of, reviewer: by, contents: what }] : [];
  });
  return read.slice(-MAX_APPROVALS);
}

import { renderDuration } from "../../../lib/duration.ts";
import { excerpt } from "../../../lib/excerpt.ts";
import type { Judged } from "./evidence.ts";

const MAX_CELL = 160;

/** What a candidate took, as far as OpenCode tells. */
export interface Spent {
  readonly ms: number;
  readonly cost: number;
}

/** One candidate as its row shows it. */
export interface Row {
  readonly judged: Judged;
  readonly agent: string;
  /** What its new tests say of the chosen one; empty for nothing. */
  readonly tests: string;
  readonly spent: Spent | null;
}

/** The candidates side by side, the best first. @param chosen which, and why; null where none is */
export function renderRows(
  rows: readonly Row[],
  chosen: { readonly candidate: number; readonly why: string } | null,
): string[] {
  return rows.map(({ judged, agent, tests, spent }) => {
    const { candidate, files, added, removed, outside } = judged;
    const isChosen = chosen?.candidate === candidate;
    return [
      `${candidate} ${agent}`,
      checksOf(judged),
      `${files} ${files === 1 ? "file" : "files"}${outside === 0 ? "" : `, ${outside} of them not in the plan`}`,
      `+${added} −${removed}`,
      excerpt(tests, MAX_CELL),
      spent === null ? "" : `${renderDuration(spent.ms)}, $${spent.cost.toFixed(2)}`,
      isChosen ? `chosen: ${chosen.why}` : "",
    ]
      .filter(Boolean)
      .join(" · ");
  });
}

function checksOf({ fails, passed, red, newErrors, leansOn, leftOut }: Judged): string {
  const more = [
    newErrors === null ? "no server tells of its errors" : newErrors === 0 ? "" : errorsOf(newErrors),
    red === 0 ? "" : `${red} red as before`,
    leansOn.length === 0 ? "" : `with its own ${leansOn.join(", ")}`,
    leftOut.length === 0 ? "" : `its changes to ${leftOut.join(", ")} do not count`,
  ].filter(Boolean);
  const head = fails.length > 0 ? fails.join(", ") : passed === 0 ? "no check" : `passes ${passed}`;
  return excerpt([head, ...more].join("; "), MAX_CELL);
}

function errorsOf(count: number): string {
  return `${count} new ${count === 1 ? "error" : "errors"}`;
}

import { claimName, renderDoubts, renderTally, unproven } from "../../checks/evidence/claims.ts";
import { counted, renderDelta, renderSpent } from "../../lib/figures.ts";
import { excerpt } from "../../lib/text.ts";
import { toUser } from "../../lib/for-person.ts";
import type { Changes } from "../../snapshot/vcs.ts";
import { renderVerdict, type StandingVerdict } from "../collaboration/verdicts.ts";
import type { Left, UnitFacts } from "./unit-facts.ts";

const MAX_FILES = 8;
/** So many stand in one line. */
const FEW_FILES = 3;
const MAX_DENIED = 6;
const MAX_FINDINGS = 8;
const MAX_LINE = 160;

/** What was done, what of it is shown, and what it took, for the person it was done for. Pure. */
export function renderFinalReport(facts: UnitFacts): string {
  const { unit, title, claims, checks, verdicts, findings, tasks } = facts;
  const doubts = renderDoubts(claims.filter(({ standing }) => standing === "passes"));
  const took = renderSpent(tasks.length, facts.ms, facts.spent);
  const lines = [
    `Report of ${unit}${title === "" ? "" : `: ${excerpt(title, MAX_LINE)}`}`,
    ...changed(facts.changes),
    ...(facts.verdict === "" ? [`Shown: ${renderTally(claims) || "nothing"}`] : []),
    ...doubts.map((each) => `- ${each}`),
    `Checks: ${checks === "" ? "not run" : excerpt(checks, MAX_LINE)}`,
    ...renderReviews(verdicts),
    ...findings.slice(-MAX_FINDINGS).map((each) => `Not fixed: ${excerpt(each, MAX_LINE)}`),
    ...notAllowed(tasks),
    `Left for you: ${leftOf(facts).join("; ") || "nothing"}`,
    ...(facts.verdict === "" ? [] : [`GAIA: ${facts.verdict} · ${took}`]),
  ];
  return lines.join("\n");
}

/** Reviewers who say the same share a line. */
function renderReviews(verdicts: readonly StandingVerdict[]): string[] {
  const said = new Map<string, StandingVerdict>();
  for (const each of verdicts) {
    const key = renderVerdict({ ...each, reviewer: "" });
    const other = said.get(key);
    said.set(key, other === undefined ? each : { ...each, reviewer: `${other.reviewer}, ${each.reviewer}` });
  }
  return [...said.values()].map((each) => `Review: ${excerpt(renderVerdict(each), MAX_LINE)}`);
}

/** All that the work leaves open, in the words of who has to see to it. */
export function leftOf({ left, uncommitted, findings, claims, checks, hasChecks }: Left): string[] {
  const open = claims.filter(({ standing }) => standing === "open").map(claimName);
  const doubts = renderDoubts(unproven(claims));
  return [
    ...left.map((each) => excerpt(each, MAX_LINE)),
    ...(findings.length === 0 ? [] : [`${counted(findings.length, "finding")} not fixed`]),
    ...(open.length === 0 ? [] : [`not done: ${excerpt(open.join(", "), MAX_LINE)}`]),
    ...doubts.map((each) => excerpt(each, MAX_LINE)),
    ...(checks === "" && hasChecks ? ["checks not run: /gaia-check"] : []),
    ...(uncommitted.length === 0
      ? []
      : [`${counted(uncommitted.length, "file")} to commit: ${excerpt(uncommitted.join(", "), MAX_LINE)}`]),
  ];
}

function changed({ files, failed }: Changes): string[] {
  if (failed !== undefined)
    return [`Changed: version control does not tell; it says: ${excerpt(failed, MAX_LINE)}`];
  const sum = (of: "added" | "removed"): number => files.reduce((total, file) => total + file[of], 0);
  const more = files.length - MAX_FILES;
  const all = `Changed: ${counted(files.length, "file")} (+${sum("added")} −${sum("removed")})`;
  if (files.length <= FEW_FILES) return [[all, ...files.map(renderDelta)].join(" · ")];
  return [
    all,
    ...files.slice(0, MAX_FILES).map((file) => `- ${renderDelta(file)}`),
    ...(more > 0 ? [`- … ${more} more`] : []),
  ];
}

function notAllowed(tasks: UnitFacts["tasks"]): string[] {
  const lines = tasks.flatMap(({ agent, outcome }) =>
    outcome?.denied === undefined ? [] : [`${agent}: ${toUser(outcome.denied)}`],
  );
  return [...new Set(lines)].slice(-MAX_DENIED).map((each) => `Not allowed: ${excerpt(each, MAX_LINE)}`);
}

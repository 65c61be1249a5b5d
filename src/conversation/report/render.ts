import {
  isBareApproval,
  isSameSubject,
  OVERTURNED,
  settleDecisions,
} from "../../record/documents/decision.ts";
import type { Workspace } from "../../record/workspace.ts";
import { claimName, renderTallied, tally, unproven, type JudgedClaim } from "../../checks/evidence/claims.ts";
import type { Task } from "../../delegation/task.ts";
import { tokensOf, type Amount } from "../../lib/amount.ts";
import { renderDuration, shortCount } from "../../lib/figures.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { toUser } from "../../lib/for-person.ts";
import type { Changes } from "../../snapshot/vcs.ts";
import { renderVerdict, type StandingVerdict } from "../collaboration/verdicts.ts";

const MAX_FILES = 8;
const MAX_DOUBTS = 6;
const MAX_DECISIONS = 6;
const MAX_DENIED = 6;
const MAX_FINDINGS = 8;
const MAX_LINE = 160;

/** What a report of finished work is made of; nothing of it is what a model says of its own work. */
export interface ReportFacts {
  readonly unit: string;
  readonly title: string;
  readonly changes: Changes;
  readonly claims: readonly JudgedClaim[];
  readonly checks: string;
  readonly verdicts: readonly StandingVerdict[];
  /** `question → choice`. */
  readonly decisions: readonly string[];
  /** What was approved without a word more, in the order of the answers. */
  readonly approvals: readonly string[];
  readonly left: readonly string[];
  /** Changed files that no commit holds. */
  readonly uncommitted: readonly string[];
  /** Whether the project has checks of its own. */
  readonly hasChecks: boolean;
  readonly findings: readonly string[];
  readonly tasks: readonly Task[];
  /** What the unit came to, GAIA's own requests included. */
  readonly spent: Amount;
  readonly now: number;
  /** The last line; empty where it stands elsewhere. */
  readonly verdict: string;
}

/** What was done, what of it is shown, and what it took, for the person it was done for. Pure. */
export function renderFinalReport(facts: ReportFacts): string {
  const { unit, title, claims, checks, verdicts, findings, decisions, approvals, tasks } = facts;
  const doubts = claims.filter(({ standing }) => standing !== "proven");
  const lines = [
    `Report of ${unit}${title === "" ? "" : `: ${excerpt(title, MAX_LINE)}`}`,
    ...changed(facts.changes),
    ...(facts.verdict === "" || doubts.length > 0
      ? [`Shown: ${renderTallied(tally(claims), " · ") || "nothing"}`]
      : []),
    ...doubts
      .slice(0, MAX_DOUBTS)
      .map(
        (claim) =>
          `- ${claimName(claim)} ${claim.standing}${claim.why === "" ? "" : `: ${excerpt(claim.why, MAX_LINE)}`}`,
      ),
    `Checks: ${checks === "" ? "not run" : excerpt(checks, MAX_LINE)}`,
    ...renderReviews(verdicts),
    ...findings.slice(-MAX_FINDINGS).map((each) => `Not fixed: ${excerpt(each, MAX_LINE)}`),
    ...(approvals.length === 0
      ? []
      : [`Approved by you: ${excerpt([...new Set(approvals)].join(", "), MAX_LINE)}`]),
    ...decisions.slice(-MAX_DECISIONS).map((each) => `Decided: ${excerpt(each, MAX_LINE)}`),
    ...notAllowed(tasks),
    `Left for you: ${leftOf(facts).join("; ") || "nothing"}`,
    facts.verdict === "" ? `Took: ${took(facts)}` : `GAIA: ${facts.verdict} · ${took(facts)}`,
  ];
  return lines.join("\n");
}

/** What the user said of a unit, as its record has it. */
export function answersIn(
  read: Awaited<ReturnType<Workspace["readDecisions"]>>,
): Pick<ReportFacts, "decisions" | "approvals"> {
  if (!read.ok) return { decisions: [], approvals: [] };
  const rows = settleDecisions(read.decisions, read.approvals);
  const overturned = rows.filter(({ choice }) => choice === OVERTURNED);
  const lasting = rows.filter((row) => !isBareApproval(row) && row.choice !== OVERTURNED);
  // Of a record from before they had a place in the log.
  const early = rows.filter((row) => isBareApproval(row) && row.choice === "approved");
  return {
    decisions: lasting.map(({ question, choice }) => `${question} → ${choice}`),
    approvals: [...early, ...read.approvals].map(({ question }) => {
      const name = question.replace(/^Approve (?:the )?|\?$/gu, "").replace(/^Adopt as/u, "as");
      const isLate = overturned.some((no) => isSameSubject(no.question, question));
      return isLate ? `${name} (rejected first)` : name;
    }),
  };
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
function leftOf({ left, uncommitted, findings, claims, checks, hasChecks }: ReportFacts): string[] {
  const open = unproven(claims).map(claimName);
  return [
    ...left.map((each) => excerpt(each, MAX_LINE)),
    ...(findings.length === 0 ? [] : [`${counted(findings.length, "finding")} not fixed`]),
    ...(open.length === 0 ? [] : [`not proven: ${excerpt(open.join(", "), MAX_LINE)}`]),
    ...(checks === "" && hasChecks ? ["checks not run: /gaia-check"] : []),
    ...(uncommitted.length === 0
      ? []
      : [`${counted(uncommitted.length, "file")} to commit: ${excerpt(uncommitted.join(", "), MAX_LINE)}`]),
  ];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function changed({ files, known, failed }: Changes): string[] {
  const without = failed === undefined ? "no version control" : `it says: ${excerpt(failed, MAX_LINE)}`;
  if (!known && files.length === 0)
    return [
      failed === undefined
        ? "Changed: cannot be told without version control"
        : `Changed: version control does not tell; ${without}`,
    ];
  const sum = (of: "added" | "removed"): number => files.reduce((total, file) => total + file[of], 0);
  const more = files.length - MAX_FILES;
  return [
    `${known ? "Changed" : `Seen to change (${without}; not what was before OpenCode was started)`}: ${files.length} ${files.length === 1 ? "file" : "files"} (+${sum("added")} −${sum("removed")})`,
    ...files.slice(0, MAX_FILES).map(({ path, added, removed }) => `- ${path} +${added} −${removed}`),
    ...(more > 0 ? [`- … ${more} more`] : []),
  ];
}

function notAllowed(tasks: ReportFacts["tasks"]): string[] {
  const lines = tasks.flatMap(({ agent, outcome }) =>
    outcome?.denied === undefined ? [] : [`${agent}: ${toUser(outcome.denied)}`],
  );
  return [...new Set(lines)].slice(-MAX_DENIED).map((each) => `Not allowed: ${excerpt(each, MAX_LINE)}`);
}

function took({ tasks, spent, now }: ReportFacts): string {
  const begin = Math.min(now, ...tasks.map(({ queuedAt }) => queuedAt));
  const count = counted(tasks.length, "delegation");
  return `${renderDuration(now - begin)} · ${count} · ${shortCount(tokensOf(spent))} tokens · $${spent.cost.toFixed(2)}`;
}

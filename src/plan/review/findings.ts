import { GRAVE, SEVERITIES } from "../../contracts/fields.ts";
import { excerpt } from "../../lib/text.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";

/** One thing that a reviewer found, as its contract has it; what it does not say is empty. */
export interface ReviewFinding {
  readonly issue: string;
  readonly where: string;
  readonly severity: string;
  readonly agent: string;
  readonly scenario: string;
}

const MAX_FINDINGS = 40;

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

interface Fix {
  readonly agent: string;
  readonly findings: readonly ReviewFinding[];
  readonly scenarios: readonly ReviewFinding[];
}

export interface Fixers {
  isEditor(agent: string): boolean;
  readonly tester: string | null;
  /** Who made the file at a place; null where that is not known. */
  makerOf(where: string): string | null;
  readonly maker: string;
}

const MAX_LINE = 300;

/** Who fixes what (SPEC 8): the agent that a finding names, else the maker of its place. The gravest first; tests come last. */
export function routeFixes(findings: readonly ReviewFinding[], fixers: Fixers): Fix[] {
  const { tester, maker } = fixers;
  const agentOf = ({ agent, where }: ReviewFinding): string =>
    [agent, fixers.makerOf(where) ?? ""].find((each) => fixers.isEditor(each)) ?? maker;
  const groups = new Map<string, ReviewFinding[]>();
  for (const each of findings.toSorted((one, other) => rankOf(one) - rankOf(other)))
    groups.set(agentOf(each), [...(groups.get(agentOf(each)) ?? []), each]);
  const fixes = [...groups].map(([agent, found]): Fix => ({ agent, findings: found, scenarios: [] }));
  const others = fixes.filter(({ agent }) => agent !== tester);
  const scenarios = others.flatMap((fix) => fix.findings).filter(({ scenario }) => scenario !== "");
  const own = fixes.find(({ agent }) => agent === tester)?.findings ?? [];
  if (tester === null || own.length + scenarios.length === 0) return others;
  return [...others, { agent: tester, findings: own, scenarios }];
}

export function renderReviewFinding({ severity, where, issue }: ReviewFinding): string {
  return excerpt([severity, where, issue].filter(Boolean).join(": "), MAX_LINE);
}

export function renderFixes({ findings, scenarios }: Fix): string {
  const lines = findings.flatMap((each) => [
    `- ${renderReviewFinding(each)}`,
    ...(each.scenario === "" ? [] : [`  ${excerpt(each.scenario, MAX_LINE)}`]),
  ]);
  const tests = scenarios.map(
    (each) => `- ${excerpt(each.scenario, MAX_LINE)} (${each.where || each.issue})`,
  );
  return [
    ...lines,
    ...(tests.length === 0 ? [] : ["Write a test for each of these situations:", ...tests]),
  ].join("\n");
}

function rankOf({ severity }: ReviewFinding): number {
  return -SEVERITIES.findIndex((each) => each === severity);
}

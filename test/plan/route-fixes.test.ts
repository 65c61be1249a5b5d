import { describe, expect, it } from "vitest";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import {
  findingsIn,
  type ReviewFinding,
  renderFixes,
  routeFixes,
  type Fixers,
} from "../../src/plan/review/findings.ts";

const EDITORS = new Set(["eleuthia", "hephaestus", "artemis", "poseidon"]);
const fixers: Fixers = {
  isEditor: (agent) => EDITORS.has(agent),
  tester: "artemis",
  makerOf: (where) => (where.startsWith("ci/") ? "poseidon" : null),
  maker: "hephaestus",
};
const finding = (rest: Partial<ReviewFinding> = {}): ReviewFinding => ({
  issue: "it races",
  where: "src/a.ts:3",
  severity: "high",
  agent: "",
  scenario: "",
  ...rest,
});
const routed = (...findings: readonly Partial<ReviewFinding>[]): [string, number, number][] =>
  routeFixes(findings.map(finding), fixers).map((fix) => [
    fix.agent,
    fix.findings.length,
    fix.scenarios.length,
  ]);

const SEVERITIES = ["low", "medium", "high", "critical", ""];
const AGENTS = [...SPECIALISTS.map(({ name }) => name), "gaia", "nobody", ""];

describe("who fixes what a reviewer found", () => {
  it.each(AGENTS.flatMap((agent) => SEVERITIES.map((severity) => [agent, severity] as const)))(
    "%j, %j: the agent that the finding names, where that may edit",
    (agent, severity) => {
      const expected = EDITORS.has(agent) ? agent : "hephaestus";
      expect(routed({ agent, severity })).toEqual([[expected, 1, 0]]);
      // A place that someone made is theirs, unless the finding names another.
      const maker = EDITORS.has(agent) ? agent : "poseidon";
      expect(routed({ agent, severity, where: "ci/build.yml:1" })).toEqual([[maker, 1, 0]]);
    },
  );

  it("has the tester write the test of what the others fix", () => {
    const scenario = "Two writers at once: both rows stand";
    const found = [finding({ agent: "hephaestus", scenario })];
    const fixes = routeFixes(found, fixers);
    expect(fixes.map(({ agent, scenarios }) => [agent, scenarios.length])).toEqual([
      ["hephaestus", 0],
      ["artemis", 1],
    ]);
    expect(renderFixes(fixes[1]!)).toBe(
      `Write a test for each of these situations:\n- ${scenario} (src/a.ts:3)`,
    );
    expect(renderFixes(fixes[0]!)).toBe(`- high: src/a.ts:3: it races\n  ${scenario}`);
    expect(routeFixes(found, { ...fixers, tester: null }).map(({ agent }) => agent)).toEqual(["hephaestus"]);
  });
});

it("the findings of a contract are the entries that name an issue, and texts that are listed as findings", () => {
  const vulnerabilities = [
    {
      issue: "it races",
      where: "a.ts:1",
      severity: " HIGH",
      testable_scenario: "s",
      suggested_fix_agent: "artemis",
    },
    { title: "no issue" },
    7,
  ];
  expect(findingsIn({ vulnerabilities, findings: ["It says one."], failures: ["npm test: a.ts:1"] })).toEqual(
    [
      { issue: "it races", where: "a.ts:1", severity: "high", scenario: "s", agent: "artemis" },
      { issue: "It says one.", where: "", severity: "", scenario: "", agent: "" },
    ],
  );
  expect(findingsIn(null)).toEqual([]);
});

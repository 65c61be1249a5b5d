import { renderProblem, type ConfigProblem } from "../../../config/problem.ts";
import type { Facts } from "../facts.ts";
import { error, ok, warn, type Diagnosis } from "../finding.ts";

/** These lose nothing that someone asked for. */
const HARMLESS: ReadonlySet<ConfigProblem["kind"]> = new Set(["duplicate-key", "more-problems"]);

export function checkConfiguration({ config }: Facts): Diagnosis | Diagnosis[] {
  if (config.problems.length === 0) return ok(describeSources(config.provenance));
  return config.problems.map(diagnose);
}

export function checkSpecialists({ customProblems }: Facts): Diagnosis | Diagnosis[] {
  return customProblems.map(diagnose);
}

/** What of the project's rules reaches nobody; the others do. */
export function checkRules({ rules }: Facts): Diagnosis[] {
  if (rules === null) return [];
  if (rules.problems.length === 0) return [ok(`Rules of the project: ${rules.rules.length}.`)];
  return rules.problems.map((problem) => ({ ...diagnose(problem), level: "warn" }));
}

/** A problem's own words, split into what is wrong and what would be right. */
function diagnose(problem: ConfigProblem): Diagnosis {
  const { allowed: _allowed, suggestion: _suggestion, ...bare } = problem;
  const what = renderProblem(bare);
  const fix = renderProblem(problem).slice(what.length).trim() || "Correct it there.";
  return HARMLESS.has(problem.kind) ? warn(what, fix) : error(what, fix);
}

function describeSources(provenance: Facts["config"]["provenance"]): string {
  const own = [...new Set(provenance.values())].filter(
    (source) => source !== "default" && source !== "preset",
  );
  const from = own.length === 0 ? "only defaults" : `values from ${own.join(", ")}`;
  return `Configuration without problems: ${from}. --verbose shows it.`;
}

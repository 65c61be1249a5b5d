import type { CheckDefinition } from "../../config/definition-of-done.ts";
import type { SkippedCheck } from "./report.ts";

/** The checks that a run executes, and what it says about those it does not. */
export interface Selection {
  scope: string;
  selected: CheckDefinition[];
  skipped: SkippedCheck[];
  notes: string[];
}

/**
 * Chooses the checks for a scope (SPEC 11).
 * - `full` (also absent, or `unknown`): every check, the documentation ones too.
 * - `doc`: only checks marked `doc`; none marked means that no command runs.
 * - anything else names a part of the project, such as `frontend` or `frontend_only`: checks with that word in their
 *   id or folder. A part that no check knows runs everything, so that a made-up scope cannot empty the gate.
 */
export function selectChecks(checks: readonly CheckDefinition[], requested?: string): Selection {
  const scope = normaliseScope(requested);
  if (scope === "full") return { scope, selected: [...checks], skipped: [], notes: [] };
  if (scope === "doc") return selectDocumentation(checks);
  return selectPart(checks, scope);
}

function normaliseScope(requested: string | undefined): string {
  const word = (requested ?? "")
    .trim()
    .slice(0, 60)
    .toLowerCase()
    .replace(/[\s_-]*only$/, "");
  if (word === "" || word === "unknown") return "full";
  return word === "docs" || word === "documentation" ? "doc" : word;
}

function selectDocumentation(checks: readonly CheckDefinition[]): Selection {
  const selected = checks.filter((check) => check.scope === "doc");
  const notes =
    selected.length === 0 && checks.length > 0
      ? ["No check has the scope doc, so no command was run; only artifacts count."]
      : [];
  return { scope: "doc", selected, skipped: skippedFrom(checks, selected, "scope is not doc"), notes };
}

function selectPart(checks: readonly CheckDefinition[], scope: string): Selection {
  const selected = checks.filter((check) => words(`${check.id} ${check.cwd ?? ""}`).has(scope));
  if (selected.length > 0) {
    return {
      scope,
      selected,
      skipped: skippedFrom(checks, selected, `does not belong to ${scope}`),
      notes: [],
    };
  }
  const note = `No check belongs to the scope ${scope}, so all of them were run.`;
  return { scope: "full", selected: [...checks], skipped: [], notes: checks.length > 0 ? [note] : [] };
}

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().split(/[^\p{L}\p{N}]+/u));
}

function skippedFrom(
  all: readonly CheckDefinition[],
  selected: readonly CheckDefinition[],
  reason: string,
): SkippedCheck[] {
  return all.filter((check) => !selected.includes(check)).map((check) => ({ id: check.id, reason }));
}

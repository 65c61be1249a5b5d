import type { CheckDefinition } from "../../config/definition-of-done.ts";
import type { DefinitionOfDoneReport } from "./report.ts";

export interface Selection extends Pick<DefinitionOfDoneReport, "scope" | "skipped" | "notes"> {
  selected: CheckDefinition[];
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
  const isDocumentation = scope === "doc";
  const all = { scope: isDocumentation ? scope : "full", selected: [...checks], skipped: [], notes: [] };
  if (scope === "full" || checks.length === 0) return all;
  const belongs = (check: CheckDefinition): boolean =>
    isDocumentation ? check.scope === "doc" : words(`${check.id} ${check.cwd ?? ""}`).has(scope);
  const selected = checks.filter(belongs);
  if (selected.length === 0 && !isDocumentation) {
    return { ...all, notes: [`No check belongs to the scope ${scope}, so all of them were run.`] };
  }
  const reason = isDocumentation ? "scope is not doc" : `does not belong to ${scope}`;
  const skipped = checks.filter((check) => !belongs(check)).map(({ id }) => ({ id, reason }));
  const note = "No check has the scope doc, so no command was run; only artifacts count.";
  return { scope, selected, skipped, notes: selected.length === 0 ? [note] : [] };
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

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().split(/[^\p{L}\p{N}]+/u));
}

import type { Decision } from "../workspace/documents/decision.ts";
import type { PlanStatus } from "../workspace/documents/plan-header.ts";
import type { PlanTask } from "../workspace/documents/plan-tasks.ts";
import { parseMarkdown } from "../workspace/markdown/document.ts";
import { sectionsOf } from "../workspace/markdown/section.ts";
import type { Workspace } from "../workspace/workspace.ts";

/** The heading under which a hand-over stands in a log, behind its time. */
export const HANDOVER_TITLE = "Hand-over";

/** Where a work unit stands. */
export interface WorkState {
  readonly slug: string;
  readonly title: string;
  readonly status: PlanStatus | null;
  readonly tasks: readonly PlanTask[];
  /** Oldest first. */
  readonly decisions: readonly Pick<Decision, "question" | "choice">[];
  /** The newest hand-over, when nothing was logged after it; else empty. */
  readonly handover: string;
}

/**
 * Reads where a unit stands, or, without a slug, the active one; null when none is active, it is finished, or it cannot be
 * read.
 */
export async function loadWorkState(workspace: Workspace, slug?: string): Promise<WorkState | null> {
  const unit = await workspace.readWorkUnit(slug === undefined ? {} : { slug });
  if (!unit.ok || unit.status === "complete") return null;
  const read = await workspace.readDecisions({ slug: unit.slug });
  return {
    slug: unit.slug,
    title: unit.title,
    status: unit.status,
    tasks: unit.tasks,
    decisions: read.ok ? read.decisions : [],
    handover: lastHandover(unit.content.log_md),
  };
}

function lastHandover(log: string): string {
  const document = parseMarkdown(log);
  const last = sectionsOf(document).findLast(({ heading }) => heading.level === 2);
  if (last === undefined || !last.heading.text.endsWith(HANDOVER_TITLE)) return "";
  const lines = document.lines.slice(last.start, last.end).map(({ text }) => text);
  return lines.join("\n").trim();
}

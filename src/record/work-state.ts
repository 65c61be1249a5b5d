import { isBareApproval, settleDecisions, type RecordedDecision } from "./documents/decision.ts";
import type { PlanStatus, PlanTask } from "../plan/task.ts";
import { isTitled, isTitledBy, lastSession, MAKER_TITLE, RECON_TITLE, workTitle } from "./documents/log.ts";
import { parseMarkdown, textIn, type Section } from "../lib/markdown.ts";
import type { Workspace } from "./workspace.ts";

/** The heading of a hand-over in a log, behind its time. @param root the session that hands over */
export const handoverTitle = (root: string): string => `Hand-over of ${root}`;
/** Those that older versions wrote name no session. */
const HANDOVER = /— Hand-over(?: of (?<root>\S+))?$/;

/** Where a work unit stands. */
export interface WorkState {
  readonly slug: string;
  readonly title: string;
  readonly status: PlanStatus | null;
  readonly tasks: readonly PlanTask[];
  /** Oldest first. */
  readonly decisions: readonly Pick<RecordedDecision, "question" | "choice">[];
  /** The newest hand-over, when nothing was logged after it but the end of work that was running then; else empty. */
  readonly handover: string;
  /** What the newest session was asked, did and left; empty for none. */
  readonly lastSession: string;
}

/**
 * Reads where a unit stands, or, without a slug, the active one; null when none is active, it is finished, or it cannot be
 * read.
 */
export async function loadWorkState(workspace: Workspace, slug?: string): Promise<WorkState | null> {
  const unit = await workspace.readWorkUnit(slug === undefined ? {} : { slug });
  if (!unit.ok || unit.status === "complete") return null;
  const [read, sessions] = await Promise.all([
    workspace.readDecisions({ slug: unit.slug }),
    workspace.readDocument({ path: `${unit.slug}/sessions.md` }),
  ]);
  return {
    slug: unit.slug,
    title: unit.title,
    status: unit.status,
    tasks: unit.tasks,
    decisions: read.ok
      ? settleDecisions(read.decisions, read.approvals).filter((row) => !isBareApproval(row))
      : [],
    handover: lastHandover(unit.content.log_md),
    lastSession: sessions.ok ? lastSession(sessions.text) : "",
  };
}

function lastHandover(log: string): string {
  const document = parseMarkdown(log);
  const sections = document.sections.filter(({ level }) => level === 2);
  const at = sections.findLastIndex(({ title }) => HANDOVER.test(title));
  const last = sections[at];
  if (last === undefined) return "";
  const root = HANDOVER.exec(last.title)?.groups?.["root"] ?? "";
  const isBeside = (section: Section): boolean =>
    isTitled(section, workTitle(root)) ||
    [RECON_TITLE, MAKER_TITLE].some((each) => isTitledBy(section, each));
  if (!sections.slice(at + 1).every(isBeside)) return "";
  return textIn(document, last);
}

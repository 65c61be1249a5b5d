import type { RecordedDecision } from "./documents/decision.ts";
import type { PlanStatus, PlanTask } from "../plan/task.ts";
import { HANDOVER_TITLE, newestSection, SESSION_TITLE } from "./documents/log.ts";
import type { Workspace } from "./workspace.ts";
import { excerpt, head } from "../lib/text.ts";
import { tagged } from "../lib/quoting.ts";

export interface WorkState {
  readonly slug: string;
  readonly title: string;
  readonly status: PlanStatus | null;
  readonly tasks: readonly PlanTask[];
  readonly decisions: readonly Pick<RecordedDecision, "question" | "choice">[];
  /** The newest hand-over, where no other session has worked on the unit since; else empty. */
  readonly handover: string;
  /** What the newest session was asked, did and left; empty for none. */
  readonly lastSession: string;
}

/** Where a unit stands, by default the active one; null when there is none, it is finished or unreadable. */
export async function loadWorkState(workspace: Workspace, slug?: string): Promise<WorkState | null> {
  const unit = await workspace.readWorkUnit(slug === undefined ? {} : { slug });
  if (!unit.ok || unit.status === "complete") return null;
  const [read, sessions] = await Promise.all([
    workspace.readDecisions({ slug: unit.slug }),
    workspace.readDocument({ path: `${unit.slug}/sessions.md` }),
  ]);
  const handover = newestSection(unit.content.log_md, HANDOVER_TITLE);
  const session = sessions.ok ? newestSection(sessions.text, SESSION_TITLE) : null;
  const isNewest = session === null || session.of === handover?.of;
  return {
    slug: unit.slug,
    title: unit.title,
    status: unit.status,
    tasks: unit.tasks,
    decisions: read.ok ? read.decisions : [],
    handover: isNewest ? (handover?.text ?? "") : "",
    lastSession: session?.text ?? "",
  };
}

/** 600 tokens of four characters (SPEC 2.6, issue: continuity). */
const MAX_CHARACTERS = 2_400;
const MAX_TASKS = 10;
const MAX_DECISIONS = 5;
const MAX_LINE = 130;
const MAX_HANDOVER = 600;
const MAX_SESSION = 500;

/** What GAIA has to know to go on: at most 600 tokens; the same state gives the same bytes. */
export function renderResume(state: WorkState): string {
  const open = state.tasks.filter(({ done }) => !done);
  const done = state.tasks.length - open.length;
  const wave = open.find((task) => task.wave !== undefined)?.wave;
  const facts = [
    `Active work unit: ${state.slug} (${excerpt(state.title, 80)})`,
    state.status ?? "",
    state.tasks.length === 0 ? "no tasks yet" : `${done} of ${state.tasks.length} tasks done`,
    wave === undefined ? "" : `wave ${wave}`,
  ];
  const body = [
    facts.filter(Boolean).join(" · "),
    ...list("Open tasks:", open.slice(0, MAX_TASKS).map(renderTask), open.length - MAX_TASKS),
    ...list(
      "Last decisions:",
      state.decisions.slice(-MAX_DECISIONS).map(({ question, choice }) => `${question} → ${choice}`),
      0,
    ),
    ...lastWords(state),
  ].join("\n");
  return tagged("gaia-resume", `${head(body, MAX_CHARACTERS)}\nMore: plan_gaia read_work_unit.`);
}

function lastWords({ handover, lastSession }: WorkState): string[] {
  if (handover !== "") return ["Handed over:", head(handover, MAX_HANDOVER)];
  return lastSession === "" ? [] : ["Last session:", head(lastSession, MAX_SESSION)];
}

function renderTask({ number, text, agent, wave }: PlanTask): string {
  const who = [agent, wave === undefined ? "" : `wave ${wave}`].filter(Boolean).join(", ");
  return `${number}. ${excerpt(text, MAX_LINE)}${who === "" ? "" : ` (${who})`}`;
}

function list(title: string, items: readonly string[], more: number): string[] {
  if (items.length === 0) return [];
  const lines = items.map((item) => `- ${excerpt(item, MAX_LINE + 30)}`);
  return [title, ...lines, ...(more > 0 ? [`- and ${more} more`] : [])];
}

import type { ResolvedConfig } from "../../config/schema.ts";
import type { Knowledge } from "../knowledge.ts";
import { bounded, type Clock } from "../../lib/async.ts";
import { describeError, type Logger } from "../../lib/error.ts";
import { excerpt, head } from "../../lib/text.ts";
import { tagged } from "../../lib/quoting.ts";
import type { Redactor } from "../../lib/redaction.ts";
import type { WorkspaceResult, Workspace } from "../workspace.ts";
import type { PlanStatus, PlanTask } from "../../plan/task.ts";
import type { RecordedDecision } from "../documents/decision.ts";
import { HANDOVER_TITLE, sectionsBy, SESSION_TITLE } from "../documents/log.ts";
import { recallKey, type RecallKind } from "./entry.ts";
import { createRecall, type Recall } from "./recall.ts";
import { type RelevantLimits, renderRelevant, selectRelevant } from "./relevant.ts";

interface WorkState {
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

/** Where a unit stands; null when there is none, it is finished or unreadable. @param slug null for the active one */
async function loadWorkState(workspace: Workspace, slug: string | null): Promise<WorkState | null> {
  const unit = await workspace.readWorkUnit(slug === null ? {} : { slug });
  if (!unit.ok || unit.status === "complete") return null;
  const [read, sessions] = await Promise.all([
    workspace.readDecisions({ slug: unit.slug }),
    workspace.readDocument({ path: `${unit.slug}/sessions.md` }),
  ]);
  const handover = sectionsBy(unit.content.log_md, HANDOVER_TITLE).at(-1);
  const session = sectionsBy(sessions.ok ? sessions.text : "", SESSION_TITLE).at(-1);
  const isNewest =
    session === undefined ||
    session.title.slice(SESSION_TITLE.length) === handover?.title.slice(HANDOVER_TITLE.length);
  return {
    ...unit,
    decisions: read.ok ? read.decisions : [],
    handover: isNewest ? (handover?.markdown ?? "") : "",
    lastSession: session?.markdown ?? "",
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

interface HandingOver {
  readonly root: string;
  readonly running: readonly {
    readonly agent: string;
    readonly sessionId: string;
    readonly activity: string;
  }[];
  readonly words: string;
  /** What the user asked for in the session. */
  readonly asked: readonly string[];
}

/** One session's hand-over to the next, under a heading of its own. @param now ISO time in UTC */
function renderHandover(state: WorkState, { root, running, words, asked }: HandingOver, now: string): string {
  const open = state.tasks.filter(({ done }) => !done);
  const next = open[0];
  const lines = [
    words.trim() === "" ? "" : `- From the user: ${excerpt(words, 400)}`,
    ...(state.tasks.length > 0
      ? [`- Tasks: ${state.tasks.length - open.length} of ${state.tasks.length} done`]
      : asked.map((text) => `- Asked: ${excerpt(text, 200)}`)),
    next === undefined ? "" : `- Next: ${next.number}. ${excerpt(next.text, 200)}`,
    ...running.map(
      ({ agent, sessionId, activity }) =>
        `- Was running: ${agent} in ${sessionId}${activity === "" ? "" : `, last: ${excerpt(activity, 80)}`}`,
    ),
  ];
  const time = now.slice(0, 16).replace("T", " ");
  return [`## ${time} — ${HANDOVER_TITLE}${root}`, "", ...lines.filter(Boolean)].join("\n");
}

/** A turn waits no longer than this for what is worth knowing. */
const PATIENCE_MS = 1_000;
/** What is brought up by itself; logs and plans are only searched when GAIA asks. */
const INJECTED = new Set<RecallKind>(["learning", "decision"]);

export type Memory = ReturnType<typeof createMemory>;

export interface MemoryOptions {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly redact: Redactor;
  readonly useLearnings: boolean;
  readonly limits: RelevantLimits & Pick<ResolvedConfig["knowledge"], "inject">;
  readonly knowledge?: Pick<Knowledge, "accepted">;
}

export function createMemory(options: MemoryOptions) {
  const { workspace, clock, logger, redact, useLearnings, limits, knowledge } = options;
  const recall = createRecall(workspace, logger, knowledge);
  const kinds = new Set(limits.inject ? INJECTED : [...INJECTED].filter((kind) => kind !== "learning"));

  /** What only helps must not hold up a turn, nor one of them take the other down (SPEC 2.4, 2.5). */
  const patiently = async <T>(what: string, work: Promise<T>): Promise<T | null> => {
    try {
      return await bounded(work, PATIENCE_MS, clock, what);
    } catch (error) {
      logger.log("warn", "memory", describeError(error));
      return null;
    }
  };
  const freshHits = async (told: ReadonlySet<string>, text: string): ReturnType<Recall["search"]> => {
    const hits = await recall.search(text, kinds);
    return hits.filter(({ entry }) => !told.has(recallKey(entry)));
  };

  return {
    recall,
    redact,
    /** The learnings and decisions that matter for a message. @param told adds what is chosen @param unit told elsewhere */
    async relevant(
      told: Set<string>,
      text: string,
      files: readonly string[],
      unit: string | null = null,
    ): Promise<string> {
      if (!useLearnings) return "";
      const query = [...files, text].join(" ");
      const found = (await patiently("recall", freshHits(told, query))) ?? [];
      const hits = found.filter(
        ({ entry }) => unit === null || entry.kind !== "decision" || entry.unit !== unit,
      );
      const chosen = selectRelevant(hits, [...files, ...filesIn(text)], recall.size, limits);
      for (const entry of chosen) told.add(recallKey(entry));
      return redact(renderRelevant(chosen));
    },
    /** Where the work stands, at most 600 tokens; empty when none is open. @param unit by default the active one */
    async resume(unit: string | null = null): Promise<string> {
      const state = await patiently("the work unit", loadWorkState(workspace, unit));
      return state === null ? "" : redact(renderResume(state));
    },
    /** Writes a hand-over into a unit's log, for `/handoff`. @param unit that of the conversation; null for none, a unit is made for it then */
    async handOver(
      unit: string | null,
      handing: HandingOver,
    ): Promise<WorkspaceResult<{ slug: string; path: string; markdown: string }>> {
      const now = new Date(clock.now()).toISOString();
      const slug = unit ?? `handoff-${now.slice(0, 10)}`;
      if (unit === null) {
        // A second one of a day goes on in it.
        const made = await workspace.createWorkUnit({ slug, title: "Hand-over" });
        const active = made.ok ? made : await workspace.setActive({ slug });
        if (!active.ok) return active;
      }
      const state = await loadWorkState(workspace, slug);
      if (state === null)
        return { ok: false, error: `${slug} is complete.`, hint: "There is nothing to hand over." };
      const markdown = redact(renderHandover(state, handing, now));
      const written = await workspace.appendLog({ slug: state.slug, markdown });
      return written.ok ? { ok: true, slug: state.slug, path: written.path, markdown } : written;
    },
  };
}

function filesIn(text: string): string[] {
  return text.slice(0, 4_000).match(/[\w@-][\w@./-]{0,120}\.[a-z]\w{0,7}\b/gi) ?? [];
}

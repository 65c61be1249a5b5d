import { excerpt } from "../lib/excerpt.ts";
import { tagged } from "../lib/tagged.ts";
import type { PlanTask } from "../plan/task.ts";
import type { WorkState } from "./work-state.ts";

/** 600 tokens of four characters (SPEC 2.6, issue: continuity). */
const MAX_CHARACTERS = 2_400;
const MAX_TASKS = 10;
const MAX_DECISIONS = 5;
const MAX_LINE = 130;
const MAX_HANDOVER = 600;
const MAX_SESSION = 500;

/**
 * What GAIA has to know to go on with a work unit: for a new session, and for one whose history was compacted. At most 600
 * tokens; the same state gives the same bytes.
 */
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
  return tagged("gaia-resume", `${cut(body, MAX_CHARACTERS)}\nMore: plan_gaia read_work_unit.`);
}

/** A hand-over says more than what the plugin noted of the session. */
function lastWords({ handover, lastSession }: WorkState): string[] {
  if (handover !== "") return ["Handed over:", cut(handover, MAX_HANDOVER)];
  return lastSession === "" ? [] : ["Last session:", cut(lastSession, MAX_SESSION)];
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

/** Keeps the lines; the beginning says most. */
function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

import { excerpt } from "../lib/text.ts";
import type { PlanTask } from "./task.ts";
import { wavesOf } from "./waves.ts";
import { sectionText } from "./update.ts";

const MAX_TASKS = 60;

/** Tasks by wave, one line each. */
export function renderTasks(tasks: readonly PlanTask[]): string {
  let room = MAX_TASKS;
  const blocks = wavesOf(tasks).flatMap(({ id, tasks: all }) => {
    const lines = all.slice(0, room).map(renderTask);
    room -= lines.length;
    return lines.length === 0 ? [] : [[`Wave ${id}`, ...lines].join("\n")];
  });
  const more = tasks.length - MAX_TASKS;
  return [...blocks, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n");
}

/** Who changes what, in a few words: `builder src/a.ts; tester test/a.test.ts`. */
export function renderScope(tasks: readonly PlanTask[]): string {
  const scopes = tasks.map(({ number, agent = `task ${number}`, candidates = [], files = [] }) =>
    [agent, candidates.length === 0 ? "" : tries(candidates), excerpt(files.join(", "), 80)]
      .filter(Boolean)
      .join(" "),
  );
  return [...new Set(scopes)].join("; ");
}

function tries(candidates: readonly string[]): string {
  const names = candidates.filter((name) => name !== "").join(", ");
  return `tried ${candidates.length} times${names === "" ? "" : `, by ${names}`}`;
}

function whoIn({ agent = "", candidates = [] }: PlanTask): string[] {
  return [agent, candidates.length === 0 ? "" : tries(candidates)].filter(Boolean);
}

function renderTask(task: PlanTask): string {
  const { number, text, files = [], needs, verify } = task;
  const facts = [
    ...whoIn(task),
    excerpt(files.join(", "), 200),
    needs.length === 0 ? "" : `needs ${needs.join(", ")}`,
    verify === undefined ? "" : `verify: ${excerpt(verify, 120)}`,
  ].filter(Boolean);
  return `- ${number}. ${excerpt(text, 240)}${facts.length === 0 ? "" : ` (${facts.join("; ")})`}`;
}

/** What OpenCode's dialog leaves of a terminal of 80 × 24: tasks of a line each, and characters in it. */
const SHOWN_TASKS = 9;
const LINE = 72;
const MAX_TITLE = 44;
const MIN_FILES = 16;

/** A task in one line, longer where there are few. */
function renderInLine(task: PlanTask, wave: string, lines: number): string {
  const title = `- ${task.number}. ${excerpt(task.text, MAX_TITLE + LINE * (lines - 1))}`;
  const who = [...whoIn(task), `wave ${wave}`].join(", ");
  const room = LINE * lines - title.length - who.length;
  const files = room < MIN_FILES ? "" : excerpt((task.files ?? []).join(", "), room);
  return `${title} (${[who, files].filter(Boolean).join("; ")})`;
}

/** The commands that a yes allows to be run as they are, whole. */
function renderCommands(tasks: readonly PlanTask[]): string {
  const commands = new Map<string, number[]>();
  for (const { number, verify = "" } of tasks)
    commands.set(verify, [...(commands.get(verify) ?? []), number]);
  commands.delete("");
  return [...commands].map(([command, numbers]) => `${numbers.join(", ")} \`${command}\``).join("; ");
}

/** A plan for the person who is asked to approve it: what matters most stands last, right above the dialog. @param warnings what it leaves open */
export function renderPlanForApproval(
  plan: { slug: string; title: string; tasks: readonly PlanTask[]; plan_md: string },
  warnings: readonly string[] = [],
): string {
  const file = `.gaia/${plan.slug}/plan.md`;
  /** A list in one line; nothing of it is done yet, so that its boxes say nothing. */
  const section = (title: string): string =>
    sectionText(plan.plan_md, title)
      .replaceAll(/^\s*[-*+] (?:\[ \] )?/gm, "")
      .replaceAll("\n", "; ");
  const field = (name: string, text: string): string[] => (text === "" ? [] : [`${name}: ${text}`]);
  const all = wavesOf(plan.tasks).flatMap(({ id, tasks }) => tasks.map((task) => ({ id, task })));
  const shown = all.length > SHOWN_TASKS ? all.slice(0, SHOWN_TASKS - 1) : all;
  const lines = Math.max(1, Math.floor(SHOWN_TASKS / shown.length));
  return [
    `Plan of ${plan.slug}: ${plan.title} (${file})`,
    ...field("Guardrails", section("Guardrails")),
    ...field("Shown by", renderCommands(plan.tasks)),
    ...field("Goal", excerpt(section("Goal"), LINE * 2)),
    ...shown.map(({ id, task }) => renderInLine(task, id, lines)),
    ...(all.length > shown.length ? [`… ${all.length - shown.length} more tasks in ${file}`] : []),
    ...field("Done When", section("Done When")),
    ...field("Left open", warnings.join("; ")),
  ].join("\n");
}

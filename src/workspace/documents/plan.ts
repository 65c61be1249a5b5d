import { editLines, parseMarkdown, renderMarkdown, type MarkdownDocument } from "../markdown/document.ts";
import { foreignLine, foreignLines } from "../markdown/foreign-text.ts";
import { replaceWithin } from "../markdown/section.ts";
import { refuseBroken, refuseChange, type Change, type Refusal } from "./change.ts";
import { readPlanHeader, setStatus, statusOf, type PlanStatus } from "./plan-header.ts";
import { findLosses, keepTicks, renderLosses } from "./plan-losses.ts";
import { findPlanSection } from "./plan-sections.ts";
import { hintAtTasks } from "./plan-syntax.ts";
import { withHeadedTasks } from "./headed-tasks.ts";
import { withoutWholeFence } from "./whole-fence.ts";
import { readTasks, setTask, splitTitle, type PlacedTask, type PlanTask } from "./plan-tasks.ts";

/** What a plan says of itself. */
export interface Plan {
  readonly title: string;
  /** Null when the plan has no status line, or one that we do not know. */
  readonly status: PlanStatus | null;
  readonly tasks: readonly PlanTask[];
}

/** What to change in a plan; applied in this order. */
export interface PlanUpdate {
  /** Replaces the plan below its title and status lines, or, with `section`, what stands under that heading. */
  readonly markdown?: string;
  readonly section?: string;
  /** Whether the new text may leave out tasks and conditions, and take ticks away. */
  readonly replace?: boolean;
  /** Tasks by number or by their exact text. */
  readonly tick?: readonly (number | string)[];
  readonly untick?: readonly (number | string)[];
  readonly status?: PlanStatus;
}

/** A plan after an update, in short. */
export interface PlanState {
  readonly status: PlanStatus | null;
  readonly tasks_total: number;
  readonly tasks_done: number;
  /** What of a new text was not read as a task, and how one is written. */
  readonly hint?: string;
}

type Step = { readonly ok: true; readonly document: MarkdownDocument } | Refusal;

/** Reads what can be read; a plan that a person wrote freely is a plan without status and tasks. */
export function parsePlan(text: string): Plan {
  return planOf(parseMarkdown(text));
}

function planOf(document: MarkdownDocument): Plan {
  const header = readPlanHeader(document);
  return {
    title: header.title?.text ?? "",
    status: statusOf(header),
    tasks: readTasks(document).map(({ task }) => task),
  };
}

/**
 * Changes a plan and nothing in it that the update does not name. A spec has the same form, without tasks.
 * @param what the document's name in refusals
 */
export function updatePlan(text: string, given: PlanUpdate, what = "plan"): Change<PlanState> {
  const isPlan = what === "plan";
  const { markdown } = given;
  const update =
    isPlan && markdown !== undefined
      ? { ...given, markdown: withHeadedTasks(withoutWholeFence(markdown)) }
      : given;
  const parsed = parseMarkdown(text);
  const broken = refuseBroken(parsed);
  if (broken !== null) return broken;
  let step: Step =
    update.markdown === undefined ? { ok: true, document: parsed } : replaceBody(parsed, update, what);
  if (step.ok && isPlan && update.markdown !== undefined && update.replace !== true) {
    step = keepWhatWasThere(parsed, step.document);
  }
  if (step.ok) step = tickAll(step.document, update.tick ?? [], true);
  if (step.ok) step = tickAll(step.document, update.untick ?? [], false);
  if (!step.ok) return step;
  let { document } = step;
  if (update.status !== undefined) document = setStatus(document, update.status);
  const hint = isPlan && update.markdown !== undefined ? hintAtTasks(document) : null;
  const state = stateOfPlan(planOf(document));
  return { ok: true, text: renderMarkdown(document), result: hint === null ? state : { ...state, hint } };
}

/** A text that is written again leaves nothing out by mistake, and takes no tick away. */
function keepWhatWasThere(before: MarkdownDocument, after: MarkdownDocument): Step {
  const losses = findLosses(before, after);
  if (losses.length === 0) return { ok: true, document: keepTicks(before, after) };
  return refuseChange(
    `This would remove from the plan: ${renderLosses(losses)}.`,
    "Pass the whole plan with them, or replace: true if they are to go.",
  );
}

/** A plan in short. */
export function stateOfPlan({ status, tasks }: Plan): PlanState {
  return { status, tasks_total: tasks.length, tasks_done: tasks.filter(({ done }) => done).length };
}

function replaceBody(document: MarkdownDocument, { markdown = "", section }: PlanUpdate, what: string): Step {
  const lines = foreignLines(markdown);
  if (lines.length === 0) return refuseChange(`The new ${what} is empty.`, "Pass it as markdown.");
  if (section !== undefined) {
    const found = findPlanSection(document, section);
    if (found === null || found.start <= readPlanHeader(document).end) {
      return refuseChange(`The ${what} has no section "${section}".`, "Name one of its ## headings.");
    }
    return { ok: true, document: replaceWithin(document, found, lines) };
  }
  const fresh = parseMarkdown(lines.join("\n"));
  const header = readPlanHeader(fresh);
  const start = header.title?.start ?? header.fields[0]?.line ?? header.end;
  // Title and text are the caller's; a status line is not, for only `status` says what was approved.
  const body = foreignLines(renderMarkdown(editLines(fresh, start, header.end - start, [])));
  if (body.length === 0) return refuseChange(`The new ${what} has no body.`, "Add its sections.");
  const { title, end } = readPlanHeader(document);
  const replaced = replaceWithin(document, { start: end, end: document.lines.length }, body);
  if (header.title === null || header.title.text === title?.text) return { ok: true, document: replaced };
  const titleLine = `# ${header.title.text}`;
  if (title === null) return { ok: true, document: editLines(replaced, 0, 0, [titleLine, ""]) };
  return { ok: true, document: editLines(replaced, title.start, title.end - title.start, [titleLine]) };
}

function tickAll(document: MarkdownDocument, wanted: readonly (number | string)[], done: boolean): Step {
  let edited = document;
  for (const key of wanted) {
    const tasks = readTasks(edited);
    const found = tasks.filter((placed) => matches(placed, key));
    const [only] = found;
    if (only === undefined || found.length > 1) return refuseTick(key, found, tasks);
    edited = setTask(edited, only.block, done);
  }
  return { ok: true, document: edited };
}

function matches({ task, block }: PlacedTask, key: number | string): boolean {
  const text = typeof key === "number" ? String(key) : foreignLine(key);
  if (text === task.text || text === foreignLine(block.text)) return true;
  const number = /^(?:task )?#?(\d{1,4})[.):]?$/i.exec(text)?.[1];
  // Where several tasks show one number, neither it nor the place alone says which is meant.
  return number !== undefined && [task.number, splitTitle(block.text).number].includes(Number(number));
}

function refuseTick(key: number | string, found: readonly PlacedTask[], all: readonly PlacedTask[]): Refusal {
  const numbers = (tasks: readonly PlacedTask[]): string => tasks.map(({ task }) => task.number).join(", ");
  if (found.length > 1) {
    const other = /\d/.test(String(key)) ? "its text" : "its number";
    return refuseChange(`Tasks ${numbers(found)} all read "${key}".`, `Name the task by ${other}.`);
  }
  const hint = all.length === 0 ? "The plan has no tasks." : `The plan has the tasks ${numbers(all)}.`;
  return refuseChange(`No task is "${key}".`, hint);
}

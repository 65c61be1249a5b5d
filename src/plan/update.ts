import { createHash } from "node:crypto";
import { excerpt } from "../lib/excerpt.ts";
import { withoutComments } from "../lib/without-comments.ts";
import { correctPlan, renderErrors } from "./errors.ts";
import { parsePlan } from "./grammar.ts";
import { statusIn } from "./marks.ts";
import { readLines, sectionsOf, splice, type Lines, type Section } from "./lines.ts";
import { TASK_SYNTAX } from "./syntax.ts";
import type { Plan, PlanError, PlanStatus } from "./task.ts";

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
}

interface Refusal {
  readonly ok: false;
  readonly error: string;
  readonly hint: string;
}
type Changed<T> = { readonly ok: true; readonly text: string; readonly result: T } | Refusal;

const MAX_SECTION = 2_000;
const MAX_LOSSES = 12;
/** What an approval covers beside the tasks; context and notes may change. */
const APPROVED = ["Goal", "Done When", "Guardrails"] as const;

export function stateOfPlan({ status, tasks }: Plan): PlanState {
  return { status, tasks_total: tasks.length, tasks_done: tasks.filter(({ done }) => done).length };
}

/** Changes a plan and nothing in it that the update does not name; what would not parse is refused with all errors. */
export function updatePlan(text: string, update: PlanUpdate): Changed<PlanState> {
  const before = parsePlan(text);
  let plan = before;
  let next = text;
  if (update.markdown !== undefined) {
    const composed = compose(text, update.markdown, update.section, "plan");
    if (!composed.ok) return composed;
    next = composed.text;
    plan = parsePlan(next);
    if (plan.errors.length > 0) return refuseWrong("The new text", plan.errors, composed.offset);
    if (update.replace !== true) {
      const old = before.errors.length === 0 ? before : parsePlan(correctPlan(text));
      const losses = lossesOf(old, plan);
      if (losses !== "")
        return refuse(
          `This would remove from the plan: ${losses}.`,
          "Pass the whole plan with them, or replace: true if they are to go.",
        );
      const ticked = new Set(old.tasks.filter(({ done }) => done).map(({ text: title }) => keyOf(title)));
      next = mark(
        next,
        plan,
        plan.tasks.flatMap((task) => (ticked.has(keyOf(task.text)) ? task.number : [])),
        true,
      );
    }
  } else if (before.errors.length > 0) return refuseWrong("The plan", before.errors);
  for (const done of [true, false]) {
    const numbers: number[] = [];
    for (const key of (done ? update.tick : update.untick) ?? []) {
      const found = plan.tasks.filter(({ number, text: title }) =>
        [String(number), title].includes(String(key).trim()),
      );
      const [only] = found;
      if (only === undefined || found.length > 1)
        return refuse(
          `No one task is "${key}".`,
          `Name it by its number: ${plan.tasks.map(({ number }) => number).join(", ") || "the plan has no tasks"}.`,
        );
      numbers.push(only.number);
    }
    next = mark(next, plan, numbers, done);
  }
  if (update.status !== undefined) next = setStatus(next, update.status);
  return { ok: true, text: next, result: stateOfPlan(parsePlan(next)) };
}

/** Changes a document that has the form of a plan and no tasks: a spec. */
export function updateDocument(
  text: string,
  { markdown, section, status }: Pick<PlanUpdate, "markdown" | "section" | "status">,
): Changed<Pick<PlanState, "status">> {
  const composed =
    markdown === undefined ? { ok: true as const, text } : compose(text, markdown, section, "spec");
  if (!composed.ok) return composed;
  const [open] = readLines(composed.text).unclosed;
  if (open !== undefined)
    return refuse(`A fence or comment is never closed (line ${open + 1}).`, "Close it.");
  const next = status === undefined ? composed.text : setStatus(composed.text, status);
  return { ok: true, text: next, result: { status: parsePlan(next).status } };
}

/** What stands under a heading, at most 2,000 characters and without comments; empty for nothing. */
export function sectionText(text: string, title: string): string {
  const lines = readLines(text);
  const found = findSection(lines, title);
  if (found === null) return "";
  const raw = lines.raw.slice(found.start, found.end).map((line) => line.replace("\r", ""));
  const said = withoutComments(raw.join("\n")).trim();
  return said.length <= MAX_SECTION ? said : `${said.slice(0, MAX_SECTION)}…`;
}

/**
 * A short name for what a plan says is to be done. Ticks, status and notes do not change it, so that an approval holds
 * while the work goes on; anything else does. A plan with errors has the name of all its text.
 */
export function digestPlan(text: string): string {
  const { tasks, errors } = parsePlan(text);
  const sections = APPROVED.map((title) => sectionText(text, title).replaceAll(/^- \[[ xX]\] /gmu, "- "));
  const said = { tasks: tasks.map(({ done: _done, ...task }) => task), sections };
  const substance = errors.length === 0 ? JSON.stringify(said) : `with errors\n${text}`;
  return createHash("sha256").update(substance).digest("hex").slice(0, 32);
}

function refuseWrong(what: string, errors: readonly PlanError[], offset = 0): Refusal {
  const count = `${errors.length} ${errors.length === 1 ? "error" : "errors"}`;
  return refuse(
    `${what} is not in the grammar of plans, and nothing was changed: ${count} (line:column).\n${renderErrors(errors, offset)}`,
    `Correct all of them and call again. ${TASK_SYNTAX}`,
  );
}

function refuse(error: string, hint: string): Refusal {
  return { ok: false, error, hint };
}

/** Sets boxes: one character each, and none where it is set so already. */
function mark(text: string, { tasks, places }: Plan, numbers: readonly number[], done: boolean): string {
  const raw = text.split("\n");
  for (const [at, task] of tasks.entries()) {
    const { start = 0 } = places[at] ?? {};
    const line = raw[start] ?? "";
    const isSet = line.charAt(3) !== " ";
    if (numbers.includes(task.number) && isSet !== done)
      raw[start] = `${line.slice(0, 3)}${done ? "x" : " "}${line.slice(4)}`;
  }
  return raw.join("\n");
}

interface Header {
  readonly title: Section | null;
  /** Zero-based lines of what is said of it, `> Created: …`. */
  readonly fields: readonly number[];
  readonly status: number | null;
  /** The line on which the body begins. */
  readonly end: number;
}

function headerOf(lines: Lines): Header {
  const [first] = sectionsOf(lines);
  const title = first?.level === 1 ? first : null;
  const start = title?.start ?? lines.seen.findIndex((line) => line !== null);
  const fields: number[] = [];
  let status: number | null = null;
  let end = start;
  for (let at = start; at < lines.seen.length; at += 1) {
    const line = lines.seen[at]?.trim() ?? "";
    if (line !== "" && !line.startsWith(">")) break;
    if (line !== "") end = at + 1;
    if (statusIn(line) !== null) status ??= at;
    if (statusIn(line) !== null || line.slice(1).trimStart().startsWith("Created:")) fields.push(at);
  }
  return { title, fields, status, end: fields.length > 0 ? end : Math.max(0, start) };
}

/** Writes the status line, in the place of the one that is there or after the last field; two blanks at its end stay. */
function setStatus(text: string, status: PlanStatus): string {
  const lines = readLines(text);
  const { fields, status: at, end } = headerOf(lines);
  const line = `> Status: ${status}`;
  if (at !== null) {
    const old = lines.seen[at] ?? "";
    return splice(lines, { start: at, end: at + 1 }, [line + old.slice(old.trimEnd().length)]);
  }
  const last = fields.at(-1);
  if (last !== undefined) return splice(lines, { start: last + 1, end: last + 1 }, [line]);
  const behind = (lines.seen[end] ?? "").trim() === "" ? [] : [""];
  return splice(lines, { start: end, end }, [...(end === 0 ? [] : [""]), line, ...behind]);
}

/** A document with a new text. `offset` is by how much its lines stand lower than in what was given. */
function compose(
  text: string,
  markdown: string,
  section: string | undefined,
  what: string,
): { readonly ok: true; readonly text: string; readonly offset: number } | Refusal {
  const lines = readLines(text);
  const given = readLines(markdown.replaceAll("\0", "\uFFFD"));
  const header = headerOf(lines);
  const found = section === undefined ? null : findSection(lines, section);
  if (section !== undefined && found === null)
    return refuse(`The ${what} has no section "${section}".`, "Name one of its ## headings.");
  const fresh = found === null ? headerOf(given) : null;
  let from = fresh?.end ?? 0;
  let to = given.raw.length;
  const isBlank = (at: number): boolean => (given.raw[at] ?? "").trim() === "";
  while (from < to && isBlank(from)) from += 1;
  // Models repeat the heading of the section.
  if (found !== null && given.seen[from] === lines.seen[found.start - 1]) from += 1;
  while (from < to && isBlank(from)) from += 1;
  while (to > from && isBlank(to - 1)) to -= 1;
  if (from === to) return refuse(`The new ${what} is empty.`, "Pass it as markdown.");
  const body = given.raw.slice(from, to).map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const start = found?.start ?? header.end;
  const above = start === 0 ? [] : [""];
  const replaced = splice(lines, { start, end: found?.end ?? lines.raw.length }, [...above, ...body, ""]);
  const offset = start + above.length - from;
  const title = fresh?.title?.title ?? "";
  if (title === "" || title === header.title?.title) return { ok: true, text: replaced, offset };
  const at = header.title === null ? 0 : header.title.start - 1;
  const heading = header.title === null ? [`# ${title}`, ""] : [`# ${title}`];
  const titled = splice(readLines(replaced), { start: at, end: header.title?.start ?? 0 }, heading);
  return { ok: true, text: titled, offset: offset + (header.title === null ? 2 : 0) };
}

function findSection(lines: Lines, title: string): Section | null {
  const wanted = plainTitle(title);
  return sectionsOf(lines).find((each) => each.level > 1 && plainTitle(each.title) === wanted) ?? null;
}

function plainTitle(title: string): string {
  return title.replaceAll("#", "").trim().toLowerCase();
}

/** What a new text leaves out of a plan, as people read it; empty for nothing. What only moved is still there. */
function lossesOf(before: Plan, after: Plan): string {
  const said = ({ tasks, conditions }: Plan): { readonly key: string; readonly shown: string }[] => [
    ...tasks.map(({ number, text }) => ({ key: `task ${keyOf(text)}`, shown: `task ${number}. ${text}` })),
    ...conditions.map(({ text }) => ({ key: `done ${keyOf(text)}`, shown: `done when: ${text}` })),
  ];
  const left = said(after).map(({ key }) => key);
  const lost = said(before).filter(({ key }) => {
    const at = left.indexOf(key);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const more = lost.length - MAX_LOSSES;
  const shown = lost.slice(0, MAX_LOSSES).map((each) => excerpt(each.shown, 120));
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

/** The numbers of tasks that are done after a change and were not before. */
export function newlyDone(before: string, after: string): number[] {
  const old = parsePlan(before).tasks.filter((task) => task.done);
  const done = new Set(old.map((task) => keyOf(task.text)));
  return parsePlan(after)
    .tasks.filter((task) => task.done && !done.has(keyOf(task.text)))
    .map(({ number }) => number);
}

/** A title as it is compared: case, blanks and the final point do not count. */
function keyOf(text: string): string {
  const words = text.toLowerCase().split(/\s+/u).join(" ").trim();
  return words.endsWith(".") ? words.slice(0, -1) : words;
}

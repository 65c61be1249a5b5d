import { createHash } from "node:crypto";
import { excerpt, head } from "../lib/text.ts";
import {
  editLines,
  parseMarkdown,
  renderMarkdown,
  textIn,
  type Markdown,
  type Section,
  withoutComments,
} from "../lib/markdown.ts";
import { renderErrors, parsePlan, statusIn } from "./grammar.ts";
import { TASK_SYNTAX, type Plan, type PlanError, type PlanStatus, type PlanTask } from "./task.ts";

/** What to change in a plan; applied in this order. */
export interface PlanUpdate {
  /** Replaces the plan below its title and status lines, or, with `section`, what stands under that heading. */
  readonly markdown?: string;
  readonly section?: string;
  /** Whether the new text may leave out tasks and conditions, and take ticks away. */
  readonly replace?: boolean;
  readonly tick?: readonly (number | string)[];
  readonly status?: PlanStatus;
}

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
  let next = text;
  if (update.markdown !== undefined) {
    const composed = compose(text, update.markdown, update.section, "plan");
    if (!composed.ok) return composed;
    next = composed.text;
    const plan = parsePlan(next);
    if (plan.errors.length > 0) return refuseWrong("The new text", plan.errors, composed.offset);
    if (update.replace !== true) {
      // What cannot be read cannot be compared.
      if (before.errors.length > 0)
        return refuse(
          `The plan that stands there is not in the grammar of plans:\n${renderErrors(before.errors)}`,
          "Keep what it asks for in yours, and pass it with replace: true.",
        );
      const losses = lossesOf(before, plan);
      if (losses !== "")
        return refuse(
          `This would remove from the plan: ${losses}.`,
          "Pass the whole plan with them, or replace: true if they are to go.",
        );
      const ticked = titlesOf(before, true);
      next = tick(next, ({ text: title }) => ticked.includes(keyOf(title)));
    }
  } else if (before.errors.length > 0) return refuseWrong("The plan", before.errors);
  const keys = (update.tick ?? []).map((key) => String(key).trim());
  const { tasks } = parsePlan(next);
  const isMeant = (task: PlanTask, key: string): boolean => key === String(task.number) || key === task.text;
  const wrong = keys.find((key) => tasks.filter((task) => isMeant(task, key)).length !== 1);
  if (wrong !== undefined)
    return refuse(
      `No one task is "${wrong}".`,
      `Name it by its number: ${tasks.map(({ number }) => number).join(", ") || "the plan has no tasks"}.`,
    );
  next = tick(next, (task) => keys.some((key) => isMeant(task, key)));
  if (update.status !== undefined) next = setStatus(next, update.status);
  return { ok: true, text: next, result: stateOfPlan(parsePlan(next)) };
}

export function updateDocument(
  text: string,
  { markdown, section, status }: Pick<PlanUpdate, "markdown" | "section" | "status">,
): Changed<Pick<PlanState, "status">> {
  const composed =
    markdown === undefined ? { ok: true as const, text } : compose(text, markdown, section, "spec");
  if (!composed.ok) return composed;
  const { unclosed } = parseMarkdown(composed.text);
  if (unclosed !== null)
    return refuse(`A fence or comment is never closed (line ${unclosed.line + 1}).`, "Close it.");
  const next = status === undefined ? composed.text : setStatus(composed.text, status);
  return { ok: true, text: next, result: { status: parsePlan(next).status } };
}

/** What stands under a heading, at most 2,000 characters and without comments; empty for nothing. */
export function sectionText(text: string, title: string): string {
  const doc = parseMarkdown(text);
  const found = findSection(doc, title);
  const said = found === null ? "" : withoutComments(textIn(doc, found)).trim();
  return head(said, MAX_SECTION);
}

/** A short name for what a plan says is to be done: ticks, status and notes do not change it. With errors, of all its text. */
export function digestPlan(text: string): string {
  const { tasks, errors } = parsePlan(text);
  const sections = APPROVED.map((title) => sectionText(text, title).replaceAll(/^- \[[ xX]\] /gmu, "- "));
  const said = { tasks: tasks.map(({ done: _done, ...task }) => task), sections };
  const substance = errors.length === 0 ? JSON.stringify(said) : `with errors\n${text}`;
  return createHash("sha256").update(substance).digest("hex").slice(0, 32);
}

export function newlyDone(before: string, after: string): number[] {
  const old = new Set(titlesOf(parsePlan(before), true));
  const { tasks } = parsePlan(after);
  return tasks.filter(({ done, text }) => done && !old.has(keyOf(text))).map(({ number }) => number);
}

function refuseWrong(what: string, errors: readonly PlanError[], offset = 0): Refusal {
  const count = `${errors.length} ${errors.length === 1 ? "error" : "errors"}`;
  return refuse(
    `${what} is not in the grammar of plans, and nothing was changed: ${count}.\n${renderErrors(errors, offset)}`,
    `Correct all of them and call again. ${TASK_SYNTAX}`,
  );
}

function refuse(error: string, hint: string): Refusal {
  return { ok: false, error, hint };
}

/** Ticks boxes: one character each. */
function tick(text: string, isMeant: (task: PlanTask) => boolean): string {
  const { bom, lines } = parseMarkdown(text);
  const { tasks, places } = parsePlan(text);
  const edited = [...lines];
  for (const [at, task] of tasks.entries()) {
    const { start = 0 } = places[at] ?? {};
    const { text: line = "", end = "" } = lines[start] ?? {};
    if (!task.done && isMeant(task)) edited[start] = { text: `- [x${line.slice(4)}`, end };
  }
  return renderMarkdown({ bom, lines: edited });
}

interface Header {
  readonly title: Section | null;
  /** Zero-based lines of what is said of it, `> Created: …`. */
  readonly fields: readonly number[];
  /** The line on which the body begins. */
  readonly end: number;
}

function headerOf({ lines, kinds, sections }: Markdown): Header {
  const title = sections[0]?.level === 1 ? sections[0] : null;
  const first = kinds.findIndex((kind) => kind !== "code" && kind !== "comment");
  const start = title?.start ?? Math.max(0, first);
  const fields: number[] = [];
  let end = start;
  for (let at = start; at < lines.length; at += 1) {
    const { text = "" } = lines[at] ?? {};
    if (!/^\s*(?:>|$)/u.test(text)) break;
    if (text.trim() !== "") end = at + 1;
    if (/^\s*>\s*(?:Created|Status)\s*:/u.test(text)) fields.push(at);
  }
  return { title, fields, end: fields.length > 0 ? end : start };
}

/** Writes the status line, in the place of the one that is there or after the last field; two blanks at its end stay. */
function setStatus(text: string, status: PlanStatus): string {
  const doc = parseMarkdown(text);
  const { fields, end } = headerOf(doc);
  const line = `> Status: ${status}`;
  const textAt = (at: number): string => doc.lines[at]?.text ?? "";
  const at = fields.find((field) => statusIn(textAt(field)) !== null);
  const last = fields.at(-1);
  if (at !== undefined)
    return renderMarkdown(editLines(doc, at, 1, [line + textAt(at).slice(textAt(at).trimEnd().length)]));
  if (last !== undefined) return renderMarkdown(editLines(doc, last + 1, 0, [line]));
  const added = [...(end === 0 ? [] : [""]), line, ...(textAt(end).trim() === "" ? [] : [""])];
  return renderMarkdown(editLines(doc, end, 0, added));
}

/** A document with a new text. `offset` is by how much its lines stand lower than in what was given. */
function compose(
  text: string,
  markdown: string,
  section: string | undefined,
  what: string,
): { readonly ok: true; readonly text: string; readonly offset: number } | Refusal {
  const doc = parseMarkdown(text);
  const given = parseMarkdown(markdown.replaceAll("\0", "\uFFFD"));
  const [header, fresh] = [headerOf(doc), headerOf(given)];
  const found = section === undefined ? null : findSection(doc, section);
  if (section !== undefined && found === null)
    return refuse(`The ${what} has no section "${section}".`, "Name one of its ## headings.");
  const lines = given.lines.map((line) => line.text);
  const next = (at: number): number => lines.findIndex((line, index) => index >= at && line.trim() !== "");
  let from = next(found === null ? fresh.end : 0);
  // Models repeat the heading of the section.
  if (found !== null && lines[from] === doc.lines[found.start - 1]?.text) from = next(from + 1);
  if (from < 0) return refuse(`The new ${what} is empty.`, "Pass it as markdown.");
  const body = lines.slice(from, lines.findLastIndex((line) => line.trim() !== "") + 1);
  const start = found?.start ?? header.end;
  const end = found?.end ?? doc.lines.length;
  const above = start === 0 ? [] : [""];
  const below = end < doc.lines.length ? [""] : [];
  const title = found === null ? (fresh.title?.title ?? "") : "";
  const offset = start + above.length - from;
  const replaced = editLines(doc, start, end - start, [...above, ...body, ...below]);
  if (title === "" || title === header.title?.title)
    return { ok: true, text: renderMarkdown(replaced), offset };
  const isNew = header.title === null;
  const heading = isNew ? [`# ${title}`, ""] : [`# ${title}`];
  const titled = editLines(replaced, (header.title?.start ?? 1) - 1, isNew ? 0 : 1, heading);
  return { ok: true, text: renderMarkdown(titled), offset: offset + (isNew ? 2 : 0) };
}

function findSection({ sections }: Markdown, title: string): Section | null {
  const plain = (of: string): string => of.replaceAll("#", "").trim().toLowerCase();
  return sections.find((each) => each.level > 1 && plain(each.title) === plain(title)) ?? null;
}

/** What a new text leaves out of a plan, as people read it; empty for nothing. What only moved is still there. */
function lossesOf(before: Plan, after: Plan): string {
  const said = ({ tasks, conditions }: Plan) => [
    ...tasks.map(({ number, text }) => ({ key: keyOf(text), said: `task ${number}. ${text}` })),
    ...conditions.map(({ text }) => ({ key: `done when: ${keyOf(text)}`, said: `done when: ${text}` })),
  ];
  const left = said(after).map(({ key }) => key);
  const lost = said(before).filter(({ key }) => {
    const at = left.indexOf(key);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  const more = lost.length - MAX_LOSSES;
  const shown = lost.slice(0, MAX_LOSSES).map((each) => excerpt(each.said, 120));
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}

function titlesOf({ tasks }: Plan, isDone = false): string[] {
  return tasks.filter(({ done }) => done || !isDone).map(({ text }) => keyOf(text));
}

/** Case, blanks and the final point do not count. */
function keyOf(title: string): string {
  return title.toLowerCase().replaceAll(/\s+/gu, " ").trim().replace(/\.$/u, "");
}

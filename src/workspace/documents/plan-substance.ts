import { createHash } from "node:crypto";
import { parseMarkdown, type MarkdownDocument } from "../markdown/document.ts";
import { isBlank } from "../markdown/lines.ts";
import { sharedFiles } from "./plan-files.ts";
import { findPlanSection } from "./plan-sections.ts";
import { inShort, readTasks } from "./plan-tasks.ts";

/** What an approval covers beside the tasks; context and notes may change. */
const APPROVED_SECTIONS = ["Goal", "Done When", "Guardrails"] as const;
/** Marks an unfilled place in the template's own words. */
const COMMENT = /^\s*<!--[^]*?-->\s*$/;

/**
 * A short name for what a plan says is to be done. Ticks, status and notes do not change it, so that an approval holds
 * while the work goes on; any other goal, task or condition does.
 */
export function digestPlan(text: string): string {
  const document = parseMarkdown(text);
  // What a task does not say changes no approval that was given before it could be said.
  const tasks = readTasks(document).map(({ task: { done: _done, ...task } }) => ({
    ...inShort(task),
    ...(task.details === "" ? {} : { details: task.details }),
  }));
  const sections = APPROVED_SECTIONS.map((title) => linesOf(document, title));
  return createHash("sha256").update(JSON.stringify({ tasks, sections })).digest("hex").slice(0, 32);
}

/** The lines of a section that say something, without ticks; none when it is missing or empty. */
function linesOf(document: MarkdownDocument, title: string): string[] {
  const section = findPlanSection(document, title);
  if (section === null) return [];
  const lines = document.lines.slice(section.start, section.end).map(({ text }) => text);
  return lines
    .filter((line) => !isBlank(line) && !COMMENT.test(line))
    .map((line) => line.replace(/^(\s*[-*+]\s+)\[[ xX]\]/, "$1[ ]").trim());
}

/** The conditions of a plan, one line each, without ticks. */
export function conditionsOf(document: MarkdownDocument): string[] {
  return linesOf(document, "Done When");
}

/** Who can be given a task, and whether they change files. */
export type PlanAgents = ReadonlyMap<string, { readonly mutates: boolean }>;

/**
 * What keeps a plan from being carried out by somebody else, one sentence each; empty for a complete plan. Whether it is
 * a good plan is for a reviewer.
 * @param agents who can be given a task, and whether they change files, which then have to be named
 */
export function findPlanGaps(text: string, agents: PlanAgents): string[] {
  const document = parseMarkdown(text);
  const tasks = readTasks(document).map(({ task }) => task);
  const without = (what: string, has: (task: (typeof tasks)[number]) => boolean): string[] => {
    const missing = tasks.filter((task) => !has(task)).map(({ number }) => number);
    return missing.length === 0 ? [] : [`no ${what}: task ${missing.join(", ")}`];
  };
  return [
    ...(linesOf(document, "Goal").length === 0 ? ["## Goal is empty"] : []),
    ...(linesOf(document, "Done When").length === 0 ? ["## Done When is empty"] : []),
    ...(tasks.length === 0 ? ["## Tasks holds no `- [ ]` task"] : []),
    ...without("wave", ({ wave }) => wave !== undefined),
    ...without(`agent of ${[...agents.keys()].join(", ")}`, ({ agent }) => agents.has(agent ?? "")),
    ...without("files", ({ agent, files }) => files !== undefined || !agents.get(agent ?? "")?.mutates),
    ...without("verify", ({ verify }) => verify !== undefined),
  ];
}

/** Files that would be changed by two tasks at once, one sentence each; empty for none. */
export function findCollisions(text: string, agents: PlanAgents): string[] {
  const tasks = readTasks(parseMarkdown(text)).map(({ task }) => task);
  return sharedFiles(tasks, ({ agent }) => agents.get(agent ?? "")?.mutates !== false).map(
    ({ path, wave, tasks: numbers }) =>
      `${path} is planned for tasks ${numbers.join(" and ")} of wave ${wave}`,
  );
}

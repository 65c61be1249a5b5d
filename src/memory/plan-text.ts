import { excerpt } from "../lib/excerpt.ts";
import type { PlanTask } from "../workspace/documents/plan-tasks.ts";
import type { StandingPlan } from "../workspace/operations/approvals.ts";
import { parseMarkdown } from "../workspace/markdown/document.ts";
import { findPlanSection } from "../workspace/documents/plan-sections.ts";

const MAX_TASKS = 60;
const MAX_SECTION = 2_000;

/** What stands under a heading of a document, at most 2,000 characters and without comments; empty for nothing. */
export function sectionText(markdown: string, title: string): string {
  const document = parseMarkdown(markdown);
  const section = findPlanSection(document, title);
  if (section === null) return "";
  const lines = document.lines.slice(section.start, section.end).map(({ text }) => text);
  const text = lines
    .join("\n")
    .replaceAll(/<!--[^]*?-->/g, "")
    .trim();
  return text.length <= MAX_SECTION ? text : `${text.slice(0, MAX_SECTION)}…`;
}

/** Tasks by wave, one line each, as a person or a model reads them. */
export function renderTasks(tasks: readonly PlanTask[]): string {
  const shown = tasks.slice(0, MAX_TASKS);
  const waves = [...new Set(shown.map(({ wave }) => wave))];
  const blocks = waves.map((wave) => {
    const lines = shown.filter((task) => task.wave === wave).map(renderTask);
    return [wave === undefined ? "Without a wave" : `Wave ${wave}`, ...lines].join("\n");
  });
  const more = tasks.length - shown.length;
  return [...blocks, ...(more > 0 ? [`… and ${more} more`] : [])].join("\n");
}

function renderTask({ number, text, agent, files, verify }: PlanTask): string {
  const facts = [
    agent ?? "",
    files === undefined ? "" : excerpt(files.join(", "), 200),
    verify === undefined ? "" : `verify: ${excerpt(verify, 120)}`,
  ].filter(Boolean);
  return `- ${number}. ${excerpt(text, 240)}${facts.length === 0 ? "" : ` (${facts.join("; ")})`}`;
}

/** A whole plan for the person who is asked to approve it. */
export function renderPlanForApproval(
  plan: Pick<StandingPlan, "slug" | "title" | "tasks" | "plan_md">,
): string {
  const section = (title: string): string[] => {
    const text = sectionText(plan.plan_md, title);
    return text === "" ? [] : [`${title}:\n${text}`];
  };
  return [
    `Plan of ${plan.slug}: ${plan.title}`,
    ...section("Goal"),
    ...(plan.tasks.length === 0 ? [] : [renderTasks(plan.tasks)]),
    ...section("Done When"),
    ...section("Guardrails"),
    `All of it: .gaia/${plan.slug}/plan.md`,
  ].join("\n\n");
}

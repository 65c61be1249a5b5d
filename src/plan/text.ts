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

function renderTask({ number, text, agent, candidates = [], files = [], needs, verify }: PlanTask): string {
  const facts = [
    agent ?? "",
    candidates.length === 0 ? "" : tries(candidates),
    excerpt(files.join(", "), 200),
    needs.length === 0 ? "" : `needs ${needs.join(", ")}`,
    verify === undefined ? "" : `verify: ${excerpt(verify, 120)}`,
  ].filter(Boolean);
  return `- ${number}. ${excerpt(text, 240)}${facts.length === 0 ? "" : ` (${facts.join("; ")})`}`;
}

/** A whole plan for the person who is asked to approve it. @param warnings what it leaves open */
export function renderPlanForApproval(
  plan: { slug: string; title: string; tasks: readonly PlanTask[]; plan_md: string },
  warnings: readonly string[] = [],
): string {
  const section = (title: string): string[] => {
    // Nothing of it is done yet, so that its boxes say nothing.
    const text = sectionText(plan.plan_md, title).replaceAll(/^(\s*[-*+] )\[ \] /gm, "$1");
    return text === "" ? [] : [`${title}:${text.includes("\n") ? "\n" : " "}${text}`];
  };
  return [
    `Plan of ${plan.slug}: ${plan.title} (.gaia/${plan.slug}/plan.md)`,
    ...section("Goal"),
    ...(plan.tasks.length === 0 ? [] : [renderTasks(plan.tasks)]),
    ...section("Done When"),
    ...section("Guardrails"),
    ...(warnings.length === 0 ? [] : [`Left open: ${warnings.join("; ")}`]),
  ].join("\n\n");
}

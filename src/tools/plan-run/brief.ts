import { posix } from "node:path";
import { excerpt, head } from "../../lib/excerpt.ts";
import type { PlanTask } from "../../plan/task.ts";

/** What a worker is told beside the task itself; each may be empty. */
export interface BriefContext {
  /** The folder of plan and spec, from the project's. */
  readonly folder: string;
  readonly goal: string;
  readonly doneWhen: string;
  readonly guardrails: string;
  readonly spec: string;
  /** What was found out about the project for this unit: what its plan says of it first. */
  readonly recon: string;
  /** `question → choice`, the newest last. */
  readonly decisions: readonly string[];
  /** Learnings and constraints that fit the task. */
  readonly relevant: string;
  /** The project's checks, by which the work will be judged. */
  readonly checks: readonly string[];
  /** The task's files as they are now. */
  readonly now: string;
  /** Tasks that others work on at the same time. */
  readonly beside: readonly PlanTask[];
  /** For one who judges: what the makers say of their work. */
  readonly notes?: readonly string[];
}

/** What comes first for one who judges; the diff stands at the end of what they are given. */
export const JUDGE_ORDER =
  "Judge in this order: what was asked for and the conditions; what its makers noted; then the diff. Only what must be fixed first rejects. What failed before this work is no reason to reject: name it apart.";

const MAX_DETAILS = 8_000;
const MAX_GOAL = 600;
const MAX_SPEC = 1_500;
const MAX_RECON = 2_400;
const MAX_DONE_WHEN = 800;
const MAX_GUARDRAILS = 600;
const MAX_LINE = 200;
const MAX_DECISIONS = 6;
/** Of more tasks beside one another only the files are named, which is what matters of them. */
const MAX_TITLES = 6;
const MAX_PLACE = 100;
const MAX_PLACES = 2_400;

/** The prompt of one task of a plan: everything that its specialist has to know, nothing twice, at most about 21,000 characters beside the text of its files. */
export function renderBrief(task: PlanTask, context: BriefContext): string {
  const { files = [], verify, details } = task;
  const { beside, decisions, checks, notes, folder } = context;
  const upTo = (max: number, text: string, file = "plan.md"): string =>
    text.length <= max ? text : `${head(text, max)} [cut here; all of it: ${folder}/${file} of the project]`;
  // What all workers of a plan share comes first, so that what a provider keeps of it serves each of them.
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    [
      "CONTEXT",
      [
        labelled("Goal of the whole", upTo(MAX_GOAL, context.goal)),
        labelled("The whole is judged by", checks.map((check) => `\`${check}\``).join(", ")),
        labelled("Done when", upTo(MAX_DONE_WHEN, context.doneWhen)),
        labelled("Never", upTo(MAX_GUARDRAILS, context.guardrails)),
        labelled("Spec", upTo(MAX_SPEC, context.spec, "spec.md")),
        labelled("Known of the project", head(context.recon, MAX_RECON)),
        labelled(
          "Decided",
          decisions
            .slice(-MAX_DECISIONS)
            .map((line) => excerpt(line, MAX_LINE))
            .join("; "),
        ),
      ],
    ],
    [
      "",
      [
        `TASK: ${task.text}`,
        upTo(MAX_DETAILS, details.trim()),
        labelled("Its files", files.join(", ")),
        context.now,
        context.relevant,
      ],
    ],
    ["NOTES OF THE MAKERS", notes ?? []],
    [
      "EXPECTED",
      [
        notes === undefined ? "" : JUDGE_ORDER,
        verify === undefined
          ? ""
          : `\`${verify}\` passes. It is run for you once all of this wave have handed over, and comes back where it fails.`,
      ],
    ],
    [
      "MUST NOT",
      beside.length === 0
        ? []
        : [
            "Repair what others work on beside you:",
            ...(beside.length > MAX_TITLES ? placesOf(beside) : beside.map(describe)),
          ],
    ],
  ];
  return sections
    .map(([title, lines]) => [title, lines.filter((line) => line.trim() !== "")] as const)
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => [title, ...lines].filter((line) => line !== "").join("\n"))
    .join("\n\n");
}

/** For a session that has begun the task and was interrupted. */
export function renderGoOn(task: PlanTask): string {
  return `TASK: ${task.text}\nYou had begun this and were interrupted. Look at what stands in the files, finish what is missing, and hand over the whole.`;
}

/** For a reviewer whose findings were sent back. */
export const LOOK_AGAIN =
  "TASK: Look again: what you found was sent back and changed since. Judge it as it is now.";

/** For a reviewer who may not know any more what they found, or for another in their place; empty for nothing. */
export function renderFound(found: string): string {
  return found === "" ? "" : `FOUND BEFORE, by you or another in your place\n${found}`;
}

/** For the session that wrote what fails. @param problem what failed and what it said */
export function renderFix(task: PlanTask, problem: string): string {
  return `TASK: ${task.text}\nIt is not done yet. Find the cause, fix it within the task, and hand over again.\n${problem}`;
}

function labelled(label: string, text: string): string {
  return text.trim() === "" ? "" : `${label}: ${text.trim()}`;
}

function describe(task: PlanTask): string {
  const named = task.files === undefined || task.files.length === 0 ? "" : ` (${placeOf(task)})`;
  return `- ${task.number}. ${excerpt(task.text, MAX_LINE)}${named}`;
}

/** Where all of them work, by folder. */
function placesOf(tasks: readonly PlanTask[]): string[] {
  const folders = new Map<string, string[]>();
  for (const path of tasks.flatMap(({ files = [] }) => files)) {
    const folder = posix.dirname(path);
    folders.set(folder, [...(folders.get(folder) ?? []), posix.basename(path)]);
  }
  const named = [...folders].map(([folder, names]) => `- ${folder}/: ${names.join(", ")}`);
  const others = tasks.filter(({ files = [] }) => files.length === 0).map((task) => `- ${placeOf(task)}`);
  return head([...named, ...others].join("\n"), MAX_PLACES).split("\n");
}

/** Where someone works: the files, or what it is about where the plan names none. */
function placeOf({ text, files = [] }: PlanTask): string {
  return excerpt(files.length === 0 ? text : files.join(", "), MAX_PLACE);
}

import { nearestName, sameName } from "../../config/nearest-name.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { parseMarkdown } from "../markdown/document.ts";
import { sharedFiles } from "./plan-files.ts";
import { findNeedProblems } from "./plan-needs.ts";
import { findUnreadTasks } from "./plan-syntax.ts";
import { sectionLines } from "./plan-substance.ts";
import { MAX_TASKS, readTasks, type PlanTask } from "./plan-tasks.ts";
import { isCommand } from "./task-command.ts";

/** Who can be given a task, and whether they change files. */
export type PlanAgents = ReadonlyMap<string, { readonly mutates: boolean }>;

/** What is known around a plan when it is looked at. */
export interface PlanSurroundings {
  readonly agents: PlanAgents;
  /** Specialists that the configuration has switched off. */
  readonly disabled?: readonly string[];
  /** Files that it changes and that are not there, one sentence each. */
  readonly absent?: readonly string[];
  /** Something shows in the end whether it worked: checks of the project, or a condition with a command. */
  readonly isVerifiable?: boolean;
  /** What keeps tasks from being tried by several, one sentence each. */
  readonly untried?: readonly string[];
  /** Skills that it names and nobody has, one sentence each. */
  readonly unskilled?: readonly string[];
  /** It was asked for as a plan, so that each task says all that someone else has to know. */
  readonly isStrict?: boolean;
}

/** What is wrong with a plan, one sentence each; both are empty for a complete one. Whether it is good is for a reviewer. */
export interface PlanProblems {
  /** It cannot be carried out as it reads. */
  readonly faults: readonly string[];
  /** Something is left to the one who carries it out; a person may want it so. */
  readonly gaps: readonly string[];
}

/** An absolute path, one of Windows, or one that leads out of the project: not seen to be another task's file as well. */
const OUTSIDE = /^(?:[\\/~]|[a-z]:[\\/]|\.\.(?:[\\/]|$))/i;

/** Looks at all that is open in a plan at once; tasks that are done need nothing more. */
export function findPlanProblems(text: string, around: PlanSurroundings): PlanProblems {
  const all = readTasks(parseMarkdown(text)).map(({ task }) => task);
  const tasks = all.filter(({ done }) => !done);
  return {
    faults: [
      ...(all.length < MAX_TASKS ? [] : [`no more than ${MAX_TASKS} tasks are read: divide the plan`]),
      ...findStrangers(tasks, around),
      ...findNeedProblems(all),
      ...findCollisions(tasks, around.agents),
      ...(around.absent ?? []),
    ],
    gaps: findGaps(text, tasks, around),
  };
}

function findGaps(text: string, tasks: readonly PlanTask[], around: PlanSurroundings): string[] {
  const { agents, isStrict = false, isVerifiable = true, untried = [], unskilled = [] } = around;
  const document = parseMarkdown(text);
  const empty = ["Goal", "Done When"].filter((title) => sectionLines(document, title).length === 0);
  const without = (what: string, isMissing: (task: PlanTask) => boolean): string[] => {
    const missing = tasks.filter(isMissing).map(({ number }) => number);
    return missing.length === 0 ? [] : [`no ${what}: task ${missing.join(", ")}`];
  };
  const isReader = ({ agent = "" }: PlanTask): boolean => agents.get(agent)?.mutates === false;
  const unshown = (task: PlanTask): boolean => !isReader(task) && !hasCommand(task);
  return [
    ...(isStrict ? empty.map((title) => `## ${title} is empty`) : []),
    ...(isStrict && readTasks(document).length === 0 ? ["## Tasks holds no `- [ ]` task"] : []),
    ...findUnreadTasks(document),
    ...without(`agent of ${[...agents.keys()].join(", ")}`, ({ agent }) => agent === undefined),
    ...(isStrict ? without("files", (task) => task.files === undefined && !isReader(task)) : []),
    ...(isStrict ? without("verify", unshown) : []),
    ...tasks.flatMap(({ number, files = [] }) => {
      const outside = files.filter((path) => OUTSIDE.test(path));
      return outside.length === 0
        ? []
        : [
            `files are named from the project's folder: task ${number} names ${excerpt(outside.join(", "), 120)}`,
          ];
    }),
    ...(isStrict || isVerifiable ? [] : without("verify, and no command under ## Done When", unshown)),
    ...untried,
    ...unskilled,
  ];
}

/** Whether a task names a command that verifies it. */
export function hasCommand({ verify = "" }: Pick<PlanTask, "verify">): boolean {
  return isCommand(verify);
}

/** Everyone whom a task names for its work. */
function namesIn({ agent, candidates = [] }: PlanTask): string[] {
  return [agent ?? "", ...candidates].filter((name) => name !== "");
}

/** Agents that nobody can call, each once. */
function findStrangers(tasks: readonly PlanTask[], { agents, disabled = [] }: PlanSurroundings): string[] {
  const roster = [...agents.keys()];
  const strange = new Set(tasks.flatMap((task) => namesIn(task).filter((agent) => !agents.has(agent))));
  const found = [...strange].map((agent) => {
    const of = tasks.filter((task) => namesIn(task).includes(agent));
    const who = `task ${of.map(({ number }) => number).join(", ")}`;
    const off = sameName(agent, disabled);
    if (off !== undefined) return `${who}: ${off} is disabled in the config`;
    const words = agent.split(/[^\w-]+/).flatMap((word) => sameName(word, roster) ?? []);
    if (words.length > 1) return `${who}: one agent per task, not ${words.join(" and ")}`;
    const near = words[0] ?? sameName(agent, roster) ?? nearestName(agent, roster);
    return `${who}: there is no agent "${excerpt(agent, 60)}"${near === undefined ? "" : `, did you mean "${near}"?`}`;
  });
  return found.length === 0 ? [] : [...found, `the agents are ${roster.join(", ")}`];
}

/** Files that would be changed by two tasks at once. */
function findCollisions(tasks: readonly PlanTask[], agents: PlanAgents): string[] {
  return sharedFiles(tasks, ({ agent }) => agents.get(agent ?? "")?.mutates !== false).map(
    ({ path, wave, tasks: numbers }) =>
      `${path} is planned for tasks ${numbers.join(" and ")} of wave ${wave}`,
  );
}

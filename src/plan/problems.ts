import { nearestName, sameName } from "../config/nearest-name.ts";
import { excerpt } from "../lib/excerpt.ts";
import { createCommonPaths } from "./files.ts";
import { parsePlan } from "./grammar.ts";
import type { PlanTask } from "./task.ts";
import { sectionText } from "./update.ts";
import { wavesOf } from "./waves.ts";

/** Who can be given a task, and whether they change files. */
type PlanAgents = ReadonlyMap<string, { readonly mutates: boolean }>;

/** What is known around a plan when it is looked at. */
export interface PlanSurroundings {
  readonly agents: PlanAgents;
  /** Specialists that the configuration has switched off. */
  readonly disabled?: readonly string[];
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

/** A longer plan is not carried out. */
const MAX_TASKS = 500;
const MAX_NAME = 60;
const MAX_LIST = 300;

/** Looks at all that is open in a plan at once; tasks that are done need nothing more. */
export function findPlanProblems(text: string, around: PlanSurroundings): PlanProblems {
  const { tasks: all } = parsePlan(text);
  if (all.length > MAX_TASKS)
    return { faults: [`a plan has at most ${MAX_TASKS} tasks: divide it`], gaps: [] };
  const tasks = all.filter(({ done }) => !done);
  return {
    faults: [
      ...findStrangers(tasks, around),
      ...findNeedProblems(all),
      ...findCollisions(tasks, around.agents),
    ],
    gaps: findGaps(text, all, around),
  };
}

/**
 * What keeps a plan's order from being carried out, one sentence each, empty for nothing: needs that name no task, circles,
 * and tasks that need one of a later wave.
 */
export function findNeedProblems(tasks: readonly PlanTask[]): string[] {
  const known = new Set(tasks.map(({ number }) => number));
  const circle = circular(tasks);
  const placed = new Map(
    wavesOf(tasks).flatMap((wave, at) => wave.tasks.map(({ number }) => [number, { at, id: wave.id }])),
  );
  return [
    ...tasks.flatMap(({ number, needs }) =>
      needs
        .filter((need) => !known.has(need))
        .map((need) => `task ${number} needs ${need}, which is no task`),
    ),
    ...(circle.size === 0 ? [] : [`tasks ${[...circle].join(", ")} need each other in a circle`]),
    ...tasks.flatMap(({ number, needs }) =>
      needs.flatMap((need) => {
        const [own, other] = [placed.get(number), placed.get(need)];
        // Within a wave what is needed is worked on first.
        if (own === undefined || other === undefined || other.at <= own.at) return [];
        if (circle.has(number) && circle.has(need)) return [];
        return [
          `task ${number} of wave ${own.id} needs task ${need} of wave ${other.id}, which comes after it`,
        ];
      }),
    ),
  ];
}

/** The tasks that stand in a circle of needs, or between two of them. */
function circular(tasks: readonly PlanTask[]): ReadonlySet<number> {
  let left = new Map(tasks.map(({ number, needs }) => [number, needs]));
  for (let size = -1; size !== left.size;) {
    size = left.size;
    const needed = new Set([...left.values()].flat());
    const inside = new Set(left.keys());
    left = new Map(
      [...left].filter(([number, needs]) => needed.has(number) && needs.some((need) => inside.has(need))),
    );
  }
  return new Set(left.keys());
}

function findGaps(text: string, all: readonly PlanTask[], around: PlanSurroundings): string[] {
  const { agents, isStrict = false, isVerifiable = true, untried = [], unskilled = [] } = around;
  const tasks = all.filter(({ done }) => !done);
  const empty = ["Goal", "Done When"].filter((title) => sectionText(text, title) === "");
  const without = (what: string, isMissing: (task: PlanTask) => boolean): string[] => {
    const missing = tasks.filter(isMissing).map(({ number }) => number);
    return missing.length === 0 ? [] : [`no ${what}: task ${missing.join(", ")}`];
  };
  const isReader = ({ agent = "" }: PlanTask): boolean => agents.get(agent)?.mutates === false;
  const unshown = (task: PlanTask): boolean => !isReader(task) && task.verify === undefined;
  return [
    ...(isStrict ? empty.map((title) => `## ${title} is empty`) : []),
    ...(isStrict && all.length === 0 ? ["## Tasks holds no `- [ ] 1.` task"] : []),
    ...without(`agent of ${[...agents.keys()].join(", ")}`, ({ agent }) => agent === undefined),
    ...(isStrict ? without("files", (task) => task.files === undefined && !isReader(task)) : []),
    ...(isStrict ? without("verify", unshown) : []),
    ...tasks.flatMap(({ number, files = [] }) => {
      const outside = files.filter(isOutside);
      if (outside.length === 0) return [];
      return [
        `files are named from the project's folder: task ${number} names ${excerpt(outside.join(", "), 120)}`,
      ];
    }),
    ...(isStrict || isVerifiable ? [] : without("verify, and no command under ## Done When", unshown)),
    ...untried,
    ...unskilled,
  ];
}

/** An absolute path, one of Windows, or one that leads out of the project: not seen to be another task's file as well. */
function isOutside(path: string): boolean {
  return ["/", "\\", "~", "../", "..\\"].some((begin) => path.startsWith(begin)) || path.charAt(1) === ":";
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
    return `${who}: there is no agent "${excerpt(agent, MAX_NAME)}"${didYouMean(agent, roster)}`;
  });
  return found.length === 0 ? [] : [...found, `the agents are ${roster.join(", ")}`];
}

/** Skills that tasks name and nobody finds, each once, and those that there are. @param known their names */
export function findUnknownSkills(tasks: readonly PlanTask[], known: readonly string[]): string[] {
  const unknown = new Set(tasks.flatMap(({ skills }) => skills).filter((name) => !known.includes(name)));
  const found = [...unknown].map((name) => {
    const of = tasks.filter(({ skills }) => skills.includes(name)).map(({ number }) => number);
    return `task ${of.join(", ")}: there is no skill "${excerpt(name, MAX_NAME)}"${didYouMean(name, known)}`;
  });
  return found.length === 0 ? [] : [...found, `the skills are ${excerpt(known.join(", "), MAX_LIST)}`];
}

function didYouMean(name: string, known: readonly string[]): string {
  const near = sameName(name, known) ?? nearestName(name, known);
  return near === undefined ? "" : `, did you mean "${near}"?`;
}

/** Files that two tasks of a wave would change at once. */
function findCollisions(tasks: readonly PlanTask[], agents: PlanAgents): string[] {
  const editing = tasks.filter(({ agent }) => agents.get(agent ?? "")?.mutates !== false);
  const commonPaths = createCommonPaths();
  const shared = new Map<string, Set<number>>();
  for (const [at, task] of editing.entries()) {
    for (const other of editing.slice(at + 1)) {
      if (task.wave === undefined || task.wave !== other.wave) continue;
      for (const path of commonPaths(task, other)) {
        const key = `of wave ${task.wave}\n${path}`;
        shared.set(key, (shared.get(key) ?? new Set()).add(task.number).add(other.number));
      }
    }
  }
  return [...shared].map(([key, numbers]) => {
    const [wave = "", path = ""] = key.split("\n");
    return `${path} is planned for tasks ${[...numbers].join(" and ")} ${wave}`;
  });
}

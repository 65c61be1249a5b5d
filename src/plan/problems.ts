import { nearestName, sameName } from "../lib/nearest-name.ts";
import { excerpt } from "../lib/text.ts";
import { parsePlan } from "./grammar.ts";
import type { PlanTask } from "./task.ts";
import { sectionText } from "./update.ts";
import { wavesOf } from "./waves.ts";

export interface PlanSurroundings {
  readonly agents: ReadonlyMap<string, { readonly mutates: boolean }>;
  readonly disabled?: readonly string[];
  /** Checks of the project judge candidates too. */
  readonly hasChecks?: boolean;
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

const MAX_TASKS = 500;
const CANDIDATES = { least: 2, most: 4 };
const MAX_NAME = 60;
const MAX_LIST = 300;

/** Looks at all that is open in a plan at once; tasks that are done need nothing more. */
export function findPlanProblems(text: string, around: PlanSurroundings): PlanProblems {
  const { tasks: all } = parsePlan(text);
  if (all.length > MAX_TASKS)
    return { faults: [`a plan has at most ${MAX_TASKS} tasks: divide it`], gaps: [] };
  const tasks = all.filter(({ done }) => !done);
  const { agents, disabled = [] } = around;
  const workers = ({ agent = "", candidates = [] }: PlanTask): string[] =>
    [agent, ...candidates].filter((name) => name !== "");
  return {
    faults: [...findUnknown(tasks, workers, [...agents.keys()], disabled), ...findNeedProblems(all)],
    gaps: [...findGaps(text, all, around), ...tasks.flatMap((task) => findCandidateGaps(task, around))],
  };
}

/** Needs that name no task, circles, and tasks that need one of a later wave, one sentence each. */
export function findNeedProblems(tasks: readonly PlanTask[]): string[] {
  const circle = circular(tasks);
  const placed = new Map(
    wavesOf(tasks).flatMap(({ id, tasks: of }, at) => of.map(({ number }) => [number, { at, id }])),
  );
  const isCut = (number: number): boolean => circle.has(number);
  const late = tasks.flatMap(({ number, needs }) =>
    needs.flatMap((need) => {
      const [own, other] = [placed.get(number), placed.get(need)];
      if (other === undefined) return [`task ${number} needs ${need}, which is no task`];
      // Within a wave what is needed is worked on first.
      if (own === undefined || other.at <= own.at || (isCut(number) && isCut(need))) return [];
      return [
        `task ${number} of wave ${own.id} needs task ${need} of wave ${other.id}, which comes after it`,
      ];
    }),
  );
  return circle.size === 0 ? late : [...late, `tasks ${[...circle].join(", ")} need each other in a circle`];
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
  const { agents, isStrict = false } = around;
  const isReader = ({ agent = "" }: PlanTask): boolean => agents.get(agent)?.mutates === false;
  const tasks = all.filter(({ done }) => !done);
  const makers = tasks.filter((task) => !isReader(task));
  const without = (what: string, of: readonly PlanTask[], key: "agent" | "files" | "verify"): string[] => {
    const missing = of.filter((task) => task[key] === undefined).map(({ number }) => number);
    return missing.length === 0 ? [] : [`no ${what}: task ${missing.join(", ")}`];
  };
  const strict = (): string[] => [
    ...["Goal", "Done When"].flatMap((title) =>
      sectionText(text, title) === "" ? `## ${title} is empty` : [],
    ),
    ...(all.length === 0 ? ["## Tasks holds no `- [ ] 1.` task"] : []),
    ...without("files", makers, "files"),
    ...without("verify", makers, "verify"),
  ];
  return [
    ...without(`agent of ${[...agents.keys()].join(", ")}`, tasks, "agent"),
    ...(isStrict ? strict() : []),
  ];
}

function findCandidateGaps(
  { number, candidates = [], verify }: PlanTask,
  { hasChecks = false }: PlanSurroundings,
): string[] {
  if (candidates.length === 0) return [];
  const { least, most } = CANDIDATES;
  const isJudged = verify !== undefined || hasChecks;
  const isMany = candidates.length < least || candidates.length > most;
  return [
    ...(isMany ? [`candidates of task ${number}: ${least} to ${most}, not ${candidates.length}`] : []),
    ...(isJudged ? [] : [`candidates of task ${number} are judged by its verify: it needs one`]),
  ];
}

/** Agents that tasks name and that there are not, each once, and those that there are. */
function findUnknown(
  tasks: readonly PlanTask[],
  namesIn: (task: PlanTask) => readonly string[],
  known: readonly string[],
  disabled: readonly string[],
): string[] {
  const unknown = new Set(tasks.flatMap(namesIn).filter((name) => !known.includes(name)));
  const found = [...unknown].map((name) => {
    const of = tasks.filter((task) => namesIn(task).includes(name)).map(({ number }) => number);
    const off = sameName(name, disabled);
    if (off !== undefined) return `task ${of.join(", ")}: ${off} is disabled in the config`;
    const near = sameName(name, known) ?? nearestName(name, known);
    const meant = near === undefined ? "" : `, did you mean "${near}"?`;
    return `task ${of.join(", ")}: there is no agent "${excerpt(name, MAX_NAME)}"${meant}`;
  });
  return found.length === 0 ? [] : [...found, `the agents are ${excerpt(known.join(", "), MAX_LIST)}`];
}

import { copyFile, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { findArtifacts } from "../../checks/definition-of-done/artifacts.ts";
import type { CheckDefinition, DefinitionOfDone } from "../../config/definition-of-done.ts";
import type { Workplace } from "../../conversation/worktrees/worktrees.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { excerptOutput } from "../../process/excerpt.ts";
import type { TaskLanes } from "../lanes/place.ts";
import { checkOfTask, inThrowaway, runHere, setUp, type Ended } from "../lanes/together.ts";
import { isPlanByPerson, type Run } from "../run/run.ts";
import type { PlanTask } from "../task.ts";

export interface Jury {
  /** What shows that the task is done; null where it says nothing of that. */
  readonly verify: CheckDefinition | null;
  /** The same that no candidate is told of; null for none. */
  readonly hidden: CheckDefinition | null;
  readonly definition: DefinitionOfDone | null;
  readonly isByPerson: boolean;
}

/** What a tree shows of itself: how checks end on it, and artifacts that are not there. */
export interface TriedOut {
  readonly ends: ReadonlyMap<string, Ended>;
  readonly missing: readonly string[];
}

export async function juryOf(run: Run, { number, verify, hidden }: PlanTask): Promise<Jury> {
  const { verifier, config } = run.runtime;
  const check = (name: string, command = ""): CheckDefinition | null =>
    command === "" ? null : checkOfTask(`${name} of task ${number}`, command);
  const isManual = config.wavePolicy.boundaryRule === "manual";
  return {
    verify: check("verify", verify),
    hidden: check("hidden check", hidden),
    definition: isManual ? null : await verifier.definition(),
    isByPerson: await isPlanByPerson(run),
  };
}

/** What is hidden comes last: its files take the places of others. */
export function checksOfJury({ verify, hidden, definition }: Jury): CheckDefinition[] {
  return [verify, ...(definition?.checks ?? []), hidden].filter((check) => check !== null);
}

/** Runs `wanted` on a tree in a throwaway place. @param first what is looked at there before */
export async function tryOut(
  run: Run,
  lanes: TaskLanes,
  jury: Jury,
  tree: string,
  wanted: readonly CheckDefinition[],
  first?: (workplace: Workplace) => Promise<void>,
): Promise<TriedOut> {
  const { hidden, definition } = jury;
  const ends = new Map<string, Ended>();
  let missing: readonly string[] = [];
  await inThrowaway(run, lanes, tree, async (workplace) => {
    await first?.(workplace);
    const ready = wanted.length === 0 ? null : await setUp(run, workplace);
    const look = async (check: CheckDefinition): Promise<void> => {
      const isByPerson = jury.isByPerson || definition?.checks.includes(check) === true;
      const isReady = ready === null || ready.kind === "fine";
      const end = isReady ? await runHere(run, workplace, check, isByPerson) : ready;
      ends.set(check.id, isReady ? end : { kind: "failed", said: `lanes.setup: ${ready.said}` });
    };
    for (const check of wanted) if (check !== hidden) await look(check);
    // After the checks, because a build among them may be what makes one.
    const { project } = workplace.place;
    const artifacts = await findArtifacts(project, definition?.artifacts ?? [], run.call.abort);
    missing = artifacts.filter(({ found, optional }) => !found && !optional).map(({ path }) => path);
    if (hidden === null || !wanted.includes(hidden)) return;
    await layHidden(run, workplace, lanes.engine);
    await look(hidden);
  });
  return { ends, missing };
}

/** Lays the unit's folder `hidden` over the project; where a candidate's link leads elsewhere a file is left out, and the check misses it. */
async function layHidden(
  { runtime, unit }: Run,
  { to, place }: Workplace,
  { isOpen }: TaskLanes["engine"],
): Promise<void> {
  const from = join(runtime.host.project, ".gaia", unit, "hidden");
  for (const name of await readdir(from, { recursive: true }).catch(() => [])) {
    const [source, target] = [join(from, name), join(place.project, name)];
    if (!(await lstat(source)).isFile() || !(await isOpen(to, relative(to, target)))) continue;
    await rm(target, { recursive: true, force: true });
    await mkdir(dirname(target), { recursive: true });
    await copyFile(source, target);
  }
}

const MAX_COMMAND = 80;
const MAX_SAID = 1_500;

export interface TreeVerdict {
  readonly fails: readonly string[];
  /** The same with what it said, for the one who is to fix it. */
  readonly said: readonly string[];
  readonly red: number;
  readonly passed: number;
}

/** Its task's verify, checks that passed before, artifacts that were there. Pure. @param before the same on the tree it began with */
export function judgeTree(
  { verify, hidden, definition }: Jury,
  seen: TriedOut,
  before: TriedOut,
): TreeVerdict {
  const name = (check: CheckDefinition): string =>
    check === hidden ? "the hidden check" : `\`${excerpt(check.command, MAX_COMMAND)}\``;
  const failed = (tree: TriedOut, { id }: CheckDefinition): boolean => tree.ends.get(id)?.kind === "failed";
  const { checks = [], gate = "all" } = definition ?? {};
  const failing = checks.filter((check) => failed(seen, check));
  const fresh = failing.filter((check) => !failed(before, check));
  // With any of them being enough the others say nothing; with none nothing does.
  const isEnough = gate === "none" || (gate === "any" && failing.length < checks.length);
  const asked = [verify, hidden].filter((check) => check !== null);
  const against = [...asked.filter((check) => failed(seen, check)), ...(isEnough ? [] : fresh)];
  const counted = [...asked, ...(isEnough ? [] : checks)];
  const passed = counted.filter(({ id }) => seen.ends.get(id)?.kind === "fine").length;
  const refused = counted.flatMap((check) => {
    const end = seen.ends.get(check.id);
    return end?.kind === "refused" ? [`${name(check)} was not run: ${end.said}`] : [];
  });
  const missing = seen.missing.filter((path) => !before.missing.includes(path));
  return {
    fails: [
      ...against.map((check) => `${name(check)} fails`),
      ...missing.map((path) => `${path} is gone`),
      ...(passed + against.length === 0 ? refused : []),
    ],
    said: against.map((check) => {
      if (check === hidden)
        return "A check that you are not told of fails: look at all that the task asks for.";
      const end = seen.ends.get(check.id);
      return `$ ${check.command}\n${end === undefined || end.kind === "fine" ? "" : excerptOutput(end.said, { maxCharacters: MAX_SAID })}`;
    }),
    red: failing.length - fresh.length,
    passed,
  };
}

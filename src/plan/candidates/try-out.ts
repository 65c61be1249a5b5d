import { copyFile, lstat, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { findArtifacts } from "../../checks/definition-of-done/artifacts.ts";
import type { OwnFile } from "../../checks/evidence/evidence.ts";
import { ownFilesOf } from "../../checks/evidence/own-files.ts";
import type { CheckDefinition, DefinitionOfDone } from "../../config/definition-of-done.ts";
import type { Workplace } from "../../conversation/worktrees/worktrees.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { excerptOutput } from "../../process/excerpt.ts";
import type { isOpen } from "../../snapshot/lanes/engine.ts";
import type { TaskLanes } from "../lanes/place.ts";
import { inThrowaway, runHere, setUp, type Ended } from "../lanes/together.ts";
import { isPlanByPerson, type Run } from "../run/run.ts";
import type { PlanTask } from "../task.ts";

const COMMAND_SECONDS = 300;
const FINE: Ended = { kind: "fine" };
const NOT_READY = ({ said }: Exclude<Ended, { kind: "fine" }>): Ended => ({
  kind: "failed",
  said: `lanes.setup: ${said}`,
});

export interface Jury {
  /** What shows that the task is done; null where it says nothing of that. */
  readonly verify: CheckDefinition | null;
  /** The same that no candidate is told of; null for none. */
  readonly hidden: CheckDefinition | null;
  readonly definition: DefinitionOfDone | null;
  readonly files: readonly string[];
  readonly isByPerson: boolean;
  readonly runCheck: typeof runHere;
}
/** What is run, without how. */
export type JuryChecks = Omit<Jury, "runCheck">;

export interface TriedOut {
  readonly ends: ReadonlyMap<string, Ended>;
  /** The checks' own files there, but for those that the plan gives to the task. */
  readonly ownFiles: ReadonlyMap<string, readonly OwnFile[]>;
  readonly missing: readonly string[];
}

export const UNSEEN: TriedOut = { ends: new Map(), ownFiles: new Map(), missing: [] };

export async function juryOf(run: Run, task: PlanTask, runCheck = runHere): Promise<Jury> {
  const { runtime } = run;
  const { verifier, config } = runtime;
  const { verify: command = "", hidden = "", number } = task;
  const isManual = config.wavePolicy.boundaryRule === "manual";
  const full = { scope: "full" as const, timeoutSeconds: COMMAND_SECONDS };
  return {
    verify: task.verify !== undefined ? { id: `verify of task ${number}`, command, ...full } : null,
    hidden: hidden === "" ? null : { id: `hidden check of task ${number}`, command: hidden, ...full },
    definition: isManual ? null : await verifier.definition(),
    runCheck,
    files: task.files ?? [],
    isByPerson: await isPlanByPerson(run),
  };
}

/** What is hidden comes last: its files take the places of others. */
export function checksOfJury({ verify, hidden, definition }: JuryChecks): CheckDefinition[] {
  return [verify, ...(definition?.checks ?? []), hidden].filter((check) => check !== null);
}

/** Runs `wanted` on a tree in a throwaway place; the own files of all checks are looked up. */
export async function tryOut(
  run: Run,
  lanes: TaskLanes,
  jury: Jury,
  tree: string,
  wanted: readonly CheckDefinition[],
): Promise<TriedOut> {
  const ends = new Map<string, Ended>();
  const ownFiles = new Map<string, readonly OwnFile[]>();
  let missing: readonly string[] = [];
  await inThrowaway(run, lanes, tree, async (workplace) => {
    const { project } = workplace.place;
    for (const { id, command, cwd = "." } of checksOfJury(jury)) {
      const own = await ownFilesOf(command, join(project, cwd), project);
      ownFiles.set(
        id,
        own.filter(({ name }) => !jury.files.includes(name)),
      );
    }
    const ready = wanted.length === 0 ? FINE : await setUp(run, workplace);
    const look = async (check: CheckDefinition): Promise<void> => {
      const isByPerson = jury.isByPerson || jury.definition?.checks.includes(check) === true;
      const isReady = ready.kind === "fine";
      ends.set(check.id, isReady ? await jury.runCheck(run, workplace, check, isByPerson) : NOT_READY(ready));
    };
    for (const check of wanted) if (check !== jury.hidden) await look(check);
    // After the checks, because a build among them may be what makes one.
    const artifacts = await findArtifacts(project, jury.definition?.artifacts ?? [], run.call.abort);
    missing = artifacts.filter(({ found, optional }) => !found && !optional).map(({ path }) => path);
    if (jury.hidden !== null && wanted.includes(jury.hidden)) {
      await layHidden(run, workplace, lanes.engine.isOpen);
      await look(jury.hidden);
    }
  });
  return { ends, ownFiles, missing };
}

/** Lays the unit's folder `hidden` over the project; where a candidate's link leads elsewhere a file is left out, and the check misses it. */
async function layHidden(
  { runtime, unit }: Run,
  { to, place }: Workplace,
  isPlain: typeof isOpen,
): Promise<void> {
  const from = join(runtime.host.project, ".gaia", unit, "hidden");
  for (const name of await readdir(from, { recursive: true }).catch(() => [])) {
    const [source, target] = [join(from, name), join(place.project, name)];
    if (!(await lstat(source)).isFile() || !(await isPlain(to, relative(to, target)))) continue;
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
  readonly hollowed: readonly string[];
  readonly red: number;
  readonly passed: number;
}

/** Its task's verify, checks that passed before, artifacts that were there. Pure. @param before the same on the tree it began with */
export function judgeTree(
  { verify, hidden, definition }: JuryChecks,
  seen: TriedOut,
  before: TriedOut,
): TreeVerdict {
  const name = (check: CheckDefinition): string =>
    check === hidden ? "the hidden check" : `\`${excerpt(check.command, MAX_COMMAND)}\``;
  const failed = (tree: TriedOut, { id }: CheckDefinition): boolean => tree.ends.get(id)?.kind === "failed";
  const checks = definition?.checks ?? [];
  const gate = definition?.gate ?? "all";
  const [red, fresh] = [
    checks.filter((check) => failed(seen, check) && failed(before, check)),
    checks.filter((check) => failed(seen, check) && !failed(before, check)),
  ];
  // With any of them being enough the others say nothing; with none nothing does.
  const isEnough = gate === "none" || (gate === "any" && fresh.length + red.length < checks.length);
  const asked = [verify, hidden].filter((check) => check !== null);
  const against = [...asked.filter((check) => failed(seen, check)), ...(isEnough ? [] : fresh)];
  const counted = [...asked, ...(isEnough ? [] : checks)];
  // Nobody sees what is hidden, and its files are none of the tree's.
  const changed = counted.filter((check) => {
    const { id } = check;
    if (check === hidden) return false;
    const now = new Map((seen.ownFiles.get(id) ?? []).map((file) => [file.name, file.digest]));
    // What was not there yet is the work.
    return (before.ownFiles.get(id) ?? []).some((file) => now.get(file.name) !== file.digest);
  });
  const missing = seen.missing.filter((path) => !before.missing.includes(path));
  const passed = counted.filter(({ id }) => seen.ends.get(id)?.kind === "fine").length;
  const refused = counted.flatMap((check) => {
    const end = seen.ends.get(check.id);
    return end?.kind === "refused" ? [`${name(check)} was not run: ${end.said}`] : [];
  });
  const unjudged = passed + against.length > 0 || counted.length === 0 ? [] : refused;
  return {
    fails: [
      ...against.map((check) => `${name(check)} fails`),
      ...missing.map((path) => `${path} is gone`),
      ...unjudged,
    ],
    said: against.map((check) => {
      if (check === hidden)
        return "A check that you are not told of fails: look at all that the task asks for.";
      const end = seen.ends.get(check.id);
      return `$ ${check.command}\n${end === undefined || end.kind === "fine" ? "" : excerptOutput(end.said, { maxCharacters: MAX_SAID })}`;
    }),
    hollowed: changed.map((check) => `what ${name(check)} runs`),
    red: red.length,
    passed,
  };
}

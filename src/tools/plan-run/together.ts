import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { excerptOutput } from "../../process/excerpt.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { RecordedLane } from "../../snapshot/lanes/engine.ts";
import type { Lanes, TaskLane } from "./lanes.ts";
import { isPlanByPerson, type Run } from "./run.ts";
import { runHere, setUp, setupOf } from "./run-here.ts";

const COMMAND_SECONDS = 300;
const MAX_SAID = 2_000;

/** A lane that is to land. */
export interface LandingLane extends TaskLane, RecordedLane {
  /** The commit of its own work alone. */
  readonly apart: string;
}

/** What lands, and where. */
export interface Landing extends Lanes {
  readonly run: Run;
  readonly tasks: readonly LandingLane[];
}

/** What fails in a merged tree, in words, and what it said. */
export interface FailsTogether {
  readonly why: string;
  readonly said: string;
}

/**
 * What passed where it was made, or before the work, and fails in the merged tree: git sees no conflict in it.
 * @returns null for nothing
 */
export async function failsTogether(
  landing: Landing,
  before: string,
  merged: string,
): Promise<FailsTogether | null> {
  const { run, tasks } = landing;
  const { definitionOfDone, wavePolicy } = run.runtime.config;
  if (wavePolicy.boundaryRule === "manual" || tasks.length === 0) return null;
  const checks: Wanted[] = (definitionOfDone?.checks ?? []).map((check) => {
    return { check, base: before, isByPerson: true };
  });
  const isByPerson = await isPlanByPerson(run);
  for (const { task, apart } of tasks) {
    const { number, verify: command } = task;
    if (command === undefined) continue;
    const check = { id: `task ${number}`, command, scope: "full" as const, timeoutSeconds: COMMAND_SECONDS };
    checks.push({ check, base: `${apart}^{tree}`, isByPerson });
  }
  if (checks.length === 0) return null;
  const setup = setupOf(run);
  const wanted: Wanted[] =
    setup === null ? checks : [{ check: setup, base: before, isByPerson: true, isSetup: true }, ...checks];
  const red = await redIn(landing, merged, wanted);
  const fresh: typeof red = [];
  for (const each of red) if ((await redIn(landing, each.base, [each])).length === 0) fresh.push(each);
  if (fresh.length === 0) return null;
  const names = fresh.map(({ check }) => `\`${excerpt(check.command, 120)}\``).join(", ");
  const maxCharacters = Math.floor(MAX_SAID / fresh.length);
  const said = fresh.map((each) => `$ ${each.check.command}\n${excerptOutput(each.said, { maxCharacters })}`);
  return {
    why: `${names} fails on all of it together, and not on its parts.`,
    said: said.join("\n"),
  };
}

/** A check with the tree on which it is to pass by itself. */
interface Wanted {
  readonly check: CheckDefinition;
  readonly base: string;
  readonly isByPerson: boolean;
  /** It is what makes a place ready for the others. */
  readonly isSetup?: true;
}

/** Which of these fail on a tree; the first where that cannot be made ready. What may not run says nothing. */
async function redIn(
  { run, engine, store, brought }: Landing,
  tree: string,
  wanted: readonly Wanted[],
): Promise<(Wanted & { readonly said: string })[]> {
  const red: (Wanted & { readonly said: string })[] = [];
  await engine.onTree(store, tree, brought, async (folder) => {
    const workplace = run.runtime.openWorkplace(store.from, folder);
    try {
      const ready = await setUp(run, workplace);
      for (const each of wanted) {
        const isRun = ready.kind === "fine" && each.isSetup !== true;
        const end = isRun ? await runHere(run, workplace, each.check, each.isByPerson) : ready;
        if (end.kind === "failed") red.push({ ...each, said: end.said });
        if (ready.kind !== "fine") break;
      }
    } finally {
      workplace.dispose();
    }
  });
  return red;
}

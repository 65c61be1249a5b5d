import { runCheck } from "../../checks/definition-of-done/check.ts";
import { createHostRuns, refuseCheck } from "../../checks/host-runs.ts";
import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { lanesOf } from "../../config/lanes.ts";
import { sandboxOf } from "../../config/sandbox.ts";
import type { Workplace } from "../../conversation/worktrees/worktrees.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { excerptOutput } from "../../process/excerpt.ts";
import type { RecordedLane } from "../../snapshot/lanes/engine.ts";
import { isPlanByPerson, type Run } from "../run/run.ts";
import type { TaskLanes, TaskLane } from "./place.ts";

const COMMAND_SECONDS = 300;
const MAX_SAID = 2_000;

export interface LandingLane extends TaskLane, RecordedLane {
  /** The commit of its own work alone. */
  readonly apart: string;
}

export interface Landing extends TaskLanes {
  readonly run: Run;
  readonly tasks: readonly LandingLane[];
}

export interface FailsTogether {
  readonly why: string;
  readonly said: string;
}

/** What passed where it was made, or before the work, and fails in the merged tree; null for nothing. */
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
    if (task.verify === undefined) continue;
    const check = checkOfTask(`task ${task.number}`, task.verify);
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

export function checkOfTask(id: string, command: string): CheckDefinition {
  return { id, command, scope: "full", timeoutSeconds: COMMAND_SECONDS };
}

interface Wanted {
  readonly check: CheckDefinition;
  readonly base: string;
  readonly isByPerson: boolean;
  readonly isSetup?: true;
}

/** Which of these fail on a tree; the first where that cannot be made ready. What may not run says nothing. */
async function redIn(
  landing: Landing,
  tree: string,
  wanted: readonly Wanted[],
): Promise<(Wanted & { readonly said: string })[]> {
  const { run } = landing;
  const red: (Wanted & { readonly said: string })[] = [];
  await inThrowaway(run, landing, tree, async (workplace) => {
    const ready = await setUp(run, workplace);
    for (const each of wanted) {
      const isRun = ready.kind === "fine" && each.isSetup !== true;
      const end = isRun ? await runHere(run, workplace, each.check, each.isByPerson) : ready;
      if (end.kind === "failed") red.push({ ...each, said: end.said });
      if (ready.kind !== "fine") break;
    }
  });
  return red;
}

export async function inThrowaway(
  { runtime }: Pick<Run, "runtime">,
  { engine, store, brought }: TaskLanes,
  tree: string,
  work: (workplace: Workplace) => Promise<void>,
): Promise<void> {
  await engine.onTree(store, tree, brought, async (folder) => {
    const workplace = runtime.openWorkplace(store.from, folder);
    try {
      await work(workplace);
    } finally {
      workplace.dispose();
    }
  });
}

export type Ended =
  | { readonly kind: "fine" }
  | { readonly kind: "refused" | "failed"; readonly said: string };

const SETUP_SECONDS = 600;

/** What makes a worktree ready for work, as a check; null for nothing. It is the user's own or trusted, and installs things. */
function setupOf({ runtime }: Pick<Run, "runtime">): CheckDefinition | null {
  const { setup, network } = lanesOf(runtime.config);
  return setup === undefined
    ? null
    : { id: "lanes.setup", command: setup, scope: "full", timeoutSeconds: SETUP_SECONDS, network };
}

/** Makes a worktree ready for work, by the rules for the checks of the configuration: both are the user's, or trusted. */
export async function setUp(
  run: Pick<Run, "runtime" | "conversation" | "call">,
  workplace: Workplace,
): Promise<Ended> {
  const setup = setupOf(run);
  return setup === null ? { kind: "fine" } : runHere(run, workplace, setup, true);
}

/** Runs a command in a worktree (SPEC 9). One that the user stops is fine. @param isByPerson a person approved exactly this command */
export async function runHere(
  { runtime, conversation, call }: Pick<Run, "runtime" | "conversation" | "call">,
  workplace: Workplace,
  check: CheckDefinition,
  isByPerson: boolean,
): Promise<Ended> {
  const refusal = refuseCheck(
    await workplace.examine("command", {
      kind: "command",
      command: check.command,
      workdir: workplace.place.project,
    }),
  );
  if (refusal !== null) return { kind: "refused", said: `it ${refusal}` };
  const runs = createHostRuns(sandboxOf(runtime.config), workplace.containment, runtime.knowledge.freely);
  const wanted = { isLocked: conversation.state.knobs.mode === "locked", isByPerson };
  const { status, output_tail, detail } = await runs.around(wanted, [check], async () =>
    runCheck(check, {
      directory: workplace.place.project,
      signal: call.abort,
      clock: runtime.clock,
      redact: runtime.memory.redact,
      program: runs.programs(wanted),
    }),
  );
  if (status === "passed" || status === "cancelled") return { kind: "fine" };
  if (status === "error") return { kind: "refused", said: detail ?? status };
  return { kind: "failed", said: [detail ?? status, output_tail].filter(Boolean).join("\n") };
}

import { join } from "node:path";
import type { OwnFile } from "../../../checks/evidence/evidence.ts";
import type { CheckDefinition, DefinitionOfDone } from "../../../config/definition-of-done.ts";
import { ownFilesOf } from "../../../checks/evidence/own-files.ts";
import { findArtifacts } from "../../../checks/definition-of-done/artifacts.ts";
import type { PlanTask } from "../../../plan/task.ts";
import type { Lanes } from "../lanes.ts";
import { isPlanByPerson, type Run } from "../run.ts";
import { type Ended, runHere, setUp } from "../run-here.ts";
import { layHidden } from "./hidden.ts";
import { newErrorsIn } from "./new-errors.ts";
import { settingsIn } from "./settings-in.ts";

const COMMAND_SECONDS = 300;
const FINE: Ended = { kind: "fine" };
const NOT_READY = ({ said }: Exclude<Ended, { kind: "fine" }>): Ended => ({
  kind: "failed",
  said: `lanes.setup: ${said}`,
});

/** The checks that judge the candidates of a task. */
export interface Checks {
  /** What shows that the task is done; null where it says nothing of that. */
  readonly verify: CheckDefinition | null;
  /** The same that no candidate is told of; null for none. */
  readonly hidden: CheckDefinition | null;
  /** The project's; null where none is run. */
  readonly definition: DefinitionOfDone | null;
  /** What the plan gives to the task. */
  readonly files: readonly string[];
  /** Whether a person has approved the plan with its commands. */
  readonly isByPerson: boolean;
}

/** What judges the candidates of a task. */
export interface Jury extends Checks {
  readonly runCheck: typeof runHere;
}

/** What the host has seen of a tree. */
export interface TriedOut {
  /** By the checks' ids. */
  readonly ends: ReadonlyMap<string, Ended>;
  /** The checks' own files there, but for those that the plan gives to the task. */
  readonly ownFiles: ReadonlyMap<string, readonly OwnFile[]>;
  /** Artifacts that should be there and are not. */
  readonly missing: readonly string[];
  /** How files that also hold other things set up the checks. */
  readonly settings: string;
  /** Errors that it has since, by the language servers; null where nobody can tell. */
  readonly newErrors: readonly string[] | null;
}

/** Nothing is known of a tree. */
export const UNSEEN: TriedOut = {
  ends: new Map(),
  ownFiles: new Map(),
  missing: [],
  settings: "",
  newErrors: [],
};

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
export function checksOf({ verify, hidden, definition }: Checks): CheckDefinition[] {
  return [verify, ...(definition?.checks ?? []), hidden].filter((check) => check !== null);
}

/**
 * Runs checks on a tree in a place that is thrown away.
 * @param wanted those that are run; the own files of all are looked up
 * @param since the tree before, where its new errors are wanted as well
 */
export async function tryOut(
  run: Run,
  lanes: Lanes,
  jury: Jury,
  tree: string,
  wanted: readonly CheckDefinition[],
  since: string | null = null,
): Promise<TriedOut> {
  const { engine, store, brought } = lanes;
  const ends = new Map<string, Ended>();
  const ownFiles = new Map<string, readonly OwnFile[]>();
  let { missing, settings, newErrors } = UNSEEN;
  await engine.onTree(store, tree, brought, async (folder) => {
    const workplace = run.runtime.openWorkplace(store.from, folder);
    const { project } = workplace.place;
    try {
      for (const { id, command, cwd = "." } of checksOf(jury)) {
        const own = await ownFilesOf(command, join(project, cwd), project);
        ownFiles.set(
          id,
          own.filter(({ name }) => !jury.files.includes(name)),
        );
      }
      settings = await settingsIn(project, [".", ...checksOf(jury).map(({ cwd = "." }) => cwd)]);
      const ready = wanted.length === 0 ? FINE : await setUp(run, workplace);
      const look = async (check: CheckDefinition): Promise<void> => {
        const isByPerson = jury.isByPerson || jury.definition?.checks.includes(check) === true;
        const isReady = ready.kind === "fine";
        const end = isReady ? await jury.runCheck(run, workplace, check, isByPerson) : NOT_READY(ready);
        ends.set(check.id, end);
      };
      for (const check of wanted) if (check !== jury.hidden) await look(check);
      // After the checks, because a build among them may be what makes one.
      const artifacts = await findArtifacts(project, jury.definition?.artifacts ?? [], run.call.abort);
      missing = artifacts.filter(({ found, optional }) => !found && !optional).map(({ path }) => path);
      if (since !== null) newErrors = await newErrorsIn(run, lanes, [since, tree], workplace);
      if (jury.hidden !== null && wanted.includes(jury.hidden)) {
        await layHidden(run, workplace, engine.isOpen);
        await look(jury.hidden);
      }
    } finally {
      workplace.dispose();
    }
  });
  return { ends, ownFiles, missing, settings, newErrors };
}

import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { runCheck } from "../../checks/definition-of-done/check.ts";
import { decideRun } from "../../checks/evidence/decide-run.ts";
import { sandboxOf } from "../../config/sandbox.ts";
import { excerpt, head } from "../../lib/excerpt.ts";
import type { RecordedLane } from "../../worktrees/engine.ts";
import type { Lanes, TaskLane } from "./lanes.ts";
import type { Run } from "./run.ts";

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
  const wanted = [
    ...(definitionOfDone?.checks ?? []).map((check) => ({ check, base: before })),
    ...tasks.flatMap(({ task, apart }) =>
      task.verify === undefined
        ? []
        : [
            {
              check: {
                id: `task ${task.number}`,
                command: task.verify,
                scope: "full" as const,
                timeoutSeconds: COMMAND_SECONDS,
              },
              base: `${apart}^{tree}`,
            },
          ],
    ),
  ];
  const red: { check: CheckDefinition; base: string; said: string }[] = [];
  await inPlace(landing, merged, async (fails) => {
    for (const each of wanted) {
      const said = await fails(each.check);
      if (said !== null) red.push({ ...each, said });
    }
  });
  const fresh: typeof red = [];
  for (const each of red)
    await inPlace(landing, each.base, async (fails) => {
      if ((await fails(each.check)) === null) fresh.push(each);
    });
  if (fresh.length === 0) return null;
  const names = fresh.map(({ check }) => `\`${excerpt(check.command, 120)}\``).join(", ");
  const said = fresh.map((each) => `$ ${each.check.command}\n${each.said}`).join("\n");
  return {
    why: `${names} fails on all of it together, and not on its parts.`,
    said: head(said, MAX_SAID),
  };
}

/** What a check that fails says; null for one that does not. */
type Fails = (check: CheckDefinition) => Promise<string | null>;

/** Runs the commands of a plan or of the project by the rules for those. What may not run says nothing. */
async function inPlace(
  { run, engine, store, copy }: Landing,
  tree: string,
  work: (fails: Fails) => Promise<void>,
): Promise<void> {
  const { runtime, call } = run;
  const { mode, network } = sandboxOf(runtime.config);
  await engine.onTree(store, tree, copy, async (folder) => {
    const workplace = runtime.openWorkplace(store.top, folder);
    const fails: Fails = async (check) => {
      const examination = await workplace.examine("bash", {
        kind: "command",
        command: check.command,
        workdir: workplace.place.project,
      });
      const decision = decideRun(examination, { isLocked: false, isCovered: true });
      if (decision.kind === "refused") return null;
      const isContained = mode === "on" || decision.contained === "only";
      const contain = async (command: string, at: string): Promise<readonly [string, ...string[]]> =>
        (await workplace.containment()).command({ project: "write", network, caches: true }, at, command);
      const report = await runCheck(check, {
        directory: workplace.place.project,
        signal: call.abort,
        clock: runtime.clock,
        redact: runtime.memory.redact,
        ...(isContained ? { contain } : {}),
      });
      const isFine = report.status === "passed" || report.status === "cancelled";
      return isFine ? null : report.output_tail || (report.detail ?? report.status);
    };
    await work(fails).finally(() => workplace.dispose());
  });
}

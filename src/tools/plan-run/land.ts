import { join } from "node:path";
import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { runCheck } from "../../checks/definition-of-done/check.ts";
import { decideRun } from "../../checks/evidence/decide-run.ts";
import { sandboxOf } from "../../config/sandbox.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { NOTHING_FURTHER } from "../../policy/examination.ts";
import { alone } from "../../project/lanes.ts";
import { isProtectedPath } from "../../policy/protected-path.ts";
import type { RecordedLane } from "../../worktrees/engine.ts";
import type { Halt } from "./halt.ts";
import type { Lanes, TaskLane } from "./lanes.ts";
import type { Run } from "./run.ts";

/** As often is a landing begun anew because the user changed one of its files meanwhile. */
const MAX_TRIES = 3;
const COMMAND_SECONDS = 300;

/** How a task has ended whose work is there to be judged. */
const ENDED = /^(?:done|failed)$/u;

/** What stands in the user's tree now, and what stands against the rest. */
export interface Landed {
  readonly halt: Halt | null;
  readonly landed: readonly TaskLane[];
}

/** What lands, and where. */
interface Landing extends Lanes {
  readonly run: Run;
  readonly tasks: readonly (TaskLane & RecordedLane)[];
}

/**
 * Brings what was done in worktrees into the user's tree, in the order of the plan, all of it or nothing: merged and checked
 * in a throwaway place first. What somebody stopped or did not finish stays in its worktree.
 */
export async function landLanes(
  run: Run,
  lanes: Lanes,
  all: readonly TaskLane[],
  mayLand: () => boolean,
): Promise<Landed> {
  const ended = all.filter(({ task }) => ENDED.test(run.ends.get(task.number)?.state ?? ""));
  if (ended.length === 0 || !mayLand()) return { halt: null, landed: [] };
  const halt = await bringTogether(run, lanes, all, ended, mayLand);
  return { halt: halt === "held" ? null : halt, landed: halt === null ? ended : [] };
}

async function bringTogether(
  run: Run,
  lanes: Lanes,
  all: readonly TaskLane[],
  ended: readonly TaskLane[],
  mayLand: () => boolean,
): Promise<Halt | "held" | null> {
  const { engine, store } = lanes;
  const tasks: (TaskLane & RecordedLane)[] = [];
  const landing: Landing = { ...lanes, run, tasks };
  const stop = (why: string): Halt => blocked(run, all, why);
  try {
    for (const each of ended) tasks.push({ ...each, commit: await engine.recordLane(store, each.lane) });
  } catch (error) {
    return stop(describeError(error));
  }
  tasks.sort((one, other) => one.task.number - other.task.number);
  return alone(store, run.runtime.host.logger, async () => {
    for (let left = MAX_TRIES; left > 0; left -= 1) {
      await engine.settleLanding(store);
      const { tree: ours } = await engine.takeSnapshot(store);
      const merged = await engine.mergeLanes(store, ours, tasks);
      if (merged.kind === "conflict")
        return stop(
          `${merged.lane.name} does not go together with another, or with the user's own: ${merged.files.join(", ")}.`,
        );
      const paths = (await engine.changesOf(store, ours, merged.tree)).map(({ path }) => path);
      const own = paths.find((path) => isProtectedPath(`/${path}`));
      if (own !== undefined) return stop(`only the user changes ${own}.`);
      const red = await failsTogether(landing, ours, merged.tree);
      if (red !== null) return stop(red);
      if (!mayLand()) return "held";
      if (await bringIn(landing, ours, merged.tree, paths)) return settle(landing);
    }
    return stop("the user is changing the same files.");
  });
}

/** As a call of the root's, so that the changes are known for GAIA's. @returns whether they stand */
async function bringIn(
  { run, engine, store }: Landing,
  from: string,
  to: string,
  paths: readonly string[],
): Promise<boolean> {
  const { ownWork } = run.conversation.parts;
  const callId = `${run.call.callId} lands`;
  const writes = paths.map((path) => join(store.top, path));
  const examination = { ...NOTHING_FURTHER, effect: "project" as const, reason: "", writes };
  await ownWork.begins(callId, examination, true, false);
  try {
    return (await engine.land(store, from, to)) === null;
  } finally {
    const { files, shared } = await ownWork.ends({ callId, examination, what: "landing", told: [] });
    const changed = [...files, ...shared];
    if (changed.length > 0) run.conversation.dispatch({ type: "files-changed", files: changed });
  }
}

async function settle({ run, engine, store, tasks }: Landing): Promise<null> {
  for (const { lane, sessions, workplace } of tasks) {
    for (const session of sessions) run.conversation.parts.worktrees.leave(session);
    workplace.dispose();
    await engine.removeLane(store, lane, true);
  }
  run.notes.push(`landed from worktrees: ${tasks.map(({ lane }) => lane.name).join(", ")}`);
  return null;
}

/**
 * What passed where it was made, or before the work, and fails in the merged tree: git sees no conflict in it.
 * @returns it in words; null for nothing
 */
async function failsTogether(landing: Landing, before: string, merged: string): Promise<string | null> {
  const { run, tasks } = landing;
  const { definitionOfDone, wavePolicy } = run.runtime.config;
  if (wavePolicy.boundaryRule === "manual" || tasks.length === 0) return null;
  const wanted = [
    ...(definitionOfDone?.checks ?? []).map((check) => ({ check, base: before })),
    ...tasks.flatMap(({ task, commit }) =>
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
              base: `${commit}^{tree}`,
            },
          ],
    ),
  ];
  const red: { check: CheckDefinition; base: string }[] = [];
  await inPlace(landing, merged, async (passes) => {
    for (const each of wanted) if (!(await passes(each.check))) red.push(each);
  });
  const fresh: string[] = [];
  for (const { check, base } of red)
    await inPlace(landing, base, async (passes) => {
      if (await passes(check)) fresh.push(`\`${excerpt(check.command, 120)}\``);
    });
  return fresh.length === 0 ? null : `${fresh.join(", ")} fails on all of it together, and not on its parts.`;
}

type Passes = (check: CheckDefinition) => Promise<boolean>;

/** Runs the commands of a plan or of the project by the rules for those. What may not run says nothing. */
async function inPlace(
  { run, engine, store, copy }: Landing,
  tree: string,
  work: (passes: Passes) => Promise<void>,
): Promise<void> {
  const { runtime, call } = run;
  const { mode, network } = sandboxOf(runtime.config);
  await engine.onTree(store, tree, copy, async (folder) => {
    const workplace = runtime.openWorkplace(store.top, folder);
    const passes: Passes = async (check) => {
      const examination = await workplace.examine("bash", {
        kind: "command",
        command: check.command,
        workdir: workplace.place.project,
      });
      const decision = decideRun(examination, { isLocked: false, isCovered: true });
      if (decision.kind === "refused") return true;
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
      return report.status === "passed" || report.status === "cancelled";
    };
    await work(passes).finally(() => workplace.dispose());
  });
}

/** Nothing lands; every worktree stays as it is. */
function blocked(run: Run, all: readonly TaskLane[], why: string): Halt {
  for (const { task } of all) {
    const end = run.ends.get(task.number);
    if (end !== undefined)
      run.ends.set(task.number, { ...end, state: "held", problem: "It stays in its worktree." });
  }
  const places = all.map(({ lane }) => `${lane.name} in ${lane.folder} (git diff ${lane.base.slice(0, 12)})`);
  return {
    status: "user",
    why: `BLOCKED: ${why} Nothing landed; the worktrees stay: ${places.join("; ")}`,
    next: `Tell the user: they change one, or take it away (npx opencode-gaia lanes remove ${all.at(-1)?.lane.name}), and run goes on.`,
  };
}

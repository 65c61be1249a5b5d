import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { relative } from "node:path";
import { runCheck } from "../../checks/definition-of-done/check.ts";
import { createHostRuns } from "../../checks/host-runs.ts";
import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { lanesOf, type LanesConfig } from "../../config/lanes.ts";
import { sandboxOf } from "../../config/sandbox.ts";
import type { Workplace } from "../../work-tree/workplace.ts";
import type { ChildWorktree } from "../../delegation/child-session.ts";
import { describeError, refuse, type Refusal } from "../../lib/error.ts";
import { isSensitivePath } from "../../policy/sensitive-path.ts";
import { alone, claim } from "../../project/lanes.ts";
import type * as Engine from "../../snapshot/lanes/engine.ts";
import type { Brought, Lane, LaneStore, UnitWork } from "../../snapshot/lanes/engine.ts";
import type { Run } from "../run/run.ts";
import type { PlanTask } from "../task.ts";

export interface TaskLane {
  readonly task: PlanTask;
  readonly lane: Lane;
  readonly workplace: Workplace;
  /** The commit that lands of it, where that is not all that was made in it. */
  readonly lands?: string;
}

export interface TaskLanes {
  /** Loaded for those who use it: most runs have no worktrees. */
  readonly engine: typeof Engine;
  readonly store: LaneStore;
  readonly brought: Brought;
  /** One at a time looks at the user's tree for lanes, and changes it; see {@link alone}. */
  one<T>(work: () => Promise<T>): Promise<T>;
}

/** The worktrees for work that gets any; where it could not, that is noted once. */
export async function findLanes(run: Run, editing: number | "asked"): Promise<TaskLanes | null> {
  const { runtime, conversation } = run;
  const { agents } = runtime;
  const ruled = [...agents.specialists.values()].find(
    ({ name, mutates }) => mutates && agents.ruledByPath.has(name),
  );
  const placement = decidePlacement(editing, {
    mode: lanesOf(runtime.config).mode,
    isStepwise: conversation.state.knobs.checkinCadence === "step",
    ruled: ruled?.name ?? null,
  });
  if (placement !== "apart") return noLanes(run, placement.why);
  const opened = await openLaneStore(runtime);
  if (typeof opened === "string") return noLanes(run, opened);
  // Where a unit has a tree of its own, its lanes begin and land there.
  const { unit } = conversation.tree.place;
  const { engine } = opened;
  const store = unit === null ? opened.store : engine.atUnitTree(opened.store, unit);
  await opened.one(async () => engine.settleLanding(store));
  return { ...opened, store };
}

/** @returns why there is none */
async function openLaneStore({ host, config }: Run["runtime"]): Promise<TaskLanes | string> {
  const engine = await import("../../snapshot/lanes/engine.ts");
  const store = await engine.openStore(host.project, process.env).catch(describeError);
  if (typeof store === "string") return store;
  const { allowSensitive } = config.policy;
  // What of the user's ignored files comes along into a worktree, as it is named from the project's folder.
  const brought = {
    globs: lanesOf(config).copy,
    below: relative(store.from, await realpath(host.project)),
    isPrivate: (path: string) => isSensitivePath(path, allowSensitive),
  };
  return { engine, store, brought, one: async (work) => alone(store, host.logger, work) };
}

/** Says once of a run why its tasks get no worktrees. @param why null where none were wanted */
export function noLanes({ notes }: Pick<Run, "notes">, why: string | null): null {
  const note = `no worktrees: ${why}`;
  if (why !== null && !notes.includes(note)) notes.push(note);
  return null;
}

/** Makes or takes up the worktrees of tasks. @returns why there are none, where none was begun and none can be made */
export async function openTaskLanes(
  run: Run,
  lanes: TaskLanes,
  editing: readonly PlanTask[],
): Promise<{ open: readonly TaskLane[]; unready: ReadonlyMap<PlanTask, string> } | string> {
  const { engine, store, brought, one } = lanes;
  const { runtime, conversation, unit } = run;
  const fresh: TaskLane[] = [];
  const names = editing.map(({ number }) => `${unit}/${number}`);
  const drop = async (lane: Lane, fate: "left" | "landed"): Promise<string | null> => {
    conversation.parts.worktrees.close(lane.name);
    return engine.removeLane(store, lane, fate);
  };
  const takeUp = async (before: readonly Lane[], ours: ReadonlySet<string>): Promise<TaskLane[]> => {
    const snapshot = await engine.takeSnapshot(store);
    const kept: TaskLane[] = [];
    for (const task of editing) {
      const name = `${unit}/${task.number}`;
      const old = before.find((lane) => lane.name === name);
      const isBegun = conversation.parts.runs.entry(unit, task) !== undefined;
      const isKept = old !== undefined && ours.has(name) && isBegun && existsSync(old.folder);
      if (old !== undefined && !isKept) {
        const bundle = await drop(old, "left");
        if (bundle !== null) run.notes.push(`an earlier worktree is kept in ${bundle}`);
      }
      const lane = isKept ? old : await engine.makeLane(store, name, snapshot, brought);
      await claim(conversation.rootId, engine.ownerOf(store, name));
      const workplace = conversation.parts.worktrees.open(name, store.from, lane.folder);
      (isKept ? kept : fresh).push({ task, lane, workplace });
    }
    return kept;
  };
  const known = await one(async () => {
    const before = await engine.listLanes(store);
    const ours = new Set<string>();
    for (const name of names) {
      const yields = (other: string): boolean =>
        runtime.conversations.peek(other)?.parts.worktrees.yield(name) ?? true;
      if (await claim(conversation.rootId, engine.ownerOf(store, name), yields)) ours.add(name);
    }
    return takeUp(before, ours).catch(async (error: unknown) => {
      // What someone has begun in one is not done once more in the user's tree.
      if (before.some(({ name }) => names.includes(name))) throw error;
      for (const name of names) await drop(engine.laneAt(store, name, ""), "landed");
      return describeError(error);
    });
  });
  if (typeof known === "string") return known;
  const unready = new Map<PlanTask, string>();
  await Promise.all(
    fresh.map(async ({ task, workplace }) => {
      const end = await setUp(run, workplace);
      if (end.kind !== "fine") unready.set(task, `lanes.setup ${end.kind}: ${end.said}`);
    }),
  );
  const begun = await one(async () => {
    const ready: TaskLane[] = [];
    for (const each of fresh) {
      if (!unready.has(each.task)) ready.push({ ...each, lane: await engine.beginHere(store, each.lane) });
      else await drop(each.lane, "landed");
    }
    return ready;
  });
  const open = [...known, ...begun];
  return { open: editing.flatMap((task) => open.find((each) => each.task === task) ?? []), unready };
}

export function worktreeOf({ conversation }: Run, { lane }: TaskLane): ChildWorktree {
  return {
    folder: lane.folder,
    enter: (sessionId) => conversation.parts.worktrees.enter(sessionId, lane.name),
  };
}

const LEAST = { off: Infinity, auto: 2, always: 1 } as const;

/**
 * @param editing how many of a batch edit; `asked` where worktrees are wanted whatever the mode: for candidates, and by hand
 * @param isStepwise the user looks at each step @param ruled who edits by permissions that name paths; null for nobody
 */
export function decidePlacement(
  editing: number | "asked",
  { mode, isStepwise, ruled }: Pick<LanesConfig, "mode"> & { isStepwise: boolean; ruled: string | null },
): "apart" | { readonly why: string | null } {
  if (editing !== "asked" && editing < LEAST[mode]) return { why: null };
  if (ruled !== null) return { why: `permissions of ${ruled} name paths` };
  return isStepwise && editing !== "asked" ? { why: "each step is looked at" } : "apart";
}

export function isAtHome({ land }: Pick<LanesConfig, "land">, isThere: boolean, edits = true): boolean {
  return isThere || (land === "branch" && edits);
}

type HomeRun = Pick<Run, "runtime" | "conversation" | "call" | "unit" | "notes">;

/** Opens the unit's tree on its branch. @returns undefined where its work stands in the user's tree; why it cannot go on */
export async function openHome(run: HomeRun): Promise<ChildWorktree | Refusal | undefined> {
  const { runtime, conversation, unit, notes } = run;
  if (!isAtHome(lanesOf(runtime.config), conversation.tree.place.unit !== null)) return undefined;
  const { worktrees } = conversation.parts;
  const lanes = await openLaneStore(runtime);
  if (typeof lanes === "string") return blocked(`${lanes}.`);
  const { engine, store, brought, one } = lanes;
  const opened = await one(async () => {
    const tree = await engine.openUnitTree(store, unit, await realpath(runtime.host.project), brought);
    if (typeof tree !== "string") await engine.settleLanding(engine.atUnitTree(store, unit));
    return tree;
  });
  if (typeof opened === "string") return blocked(opened);
  const { folder, branch, isReady } = opened;
  const workplace = worktrees.open(unit, store.from, folder);
  if (!isReady) {
    const end = await setUp(run, workplace);
    if (end.kind !== "fine") return blocked(`lanes.setup ${end.kind}: ${end.said}`);
    const left = (await runtime.vcs.uncommitted())?.length ?? 0;
    const without = `${left} ${left === 1 ? "file" : "files"} that you have not committed`;
    notes.push(`the work stands on ${branch}${left === 0 ? "" : `, which begins without ${without}`}`);
    if (left > 0) conversation.outbox.note(`${branch} begins at your commit, without ${without}.`);
    await one(async () => engine.noteUnitTree(store, unit));
  }
  return { folder, enter: (sessionId) => worktrees.enter(sessionId, unit) };
}

/** Tells where the work stands once a run is over, and how it is taken in. */
export async function tellHome(run: HomeRun): Promise<void> {
  const told = await lookHome(run, async ({ engine, store }) => engine.lookAtUnitTree(store, run.unit));
  if (told !== null) run.notes.push(told);
}

/** The same once the unit is archived; its tree goes where nothing in it is missing in the user's. @returns what is left; null for nothing */
export async function leaveHome(run: Omit<HomeRun, "call" | "notes">): Promise<string | null> {
  const then = `. Then take that away: npx opencode-gaia lanes remove ${run.unit}`;
  return lookHome(run, async ({ engine, store }) => engine.archiveUnitTree(store, run.unit), then);
}

async function lookHome(
  { runtime, conversation, unit }: Omit<HomeRun, "call" | "notes">,
  look: (lanes: TaskLanes) => Promise<UnitWork | null>,
  then = "",
): Promise<string | null> {
  const { place } = runtime.treeOf(unit);
  if (place.unit === null) return null;
  const lanes = await openLaneStore(runtime);
  const work = typeof lanes === "string" ? null : await lanes.one(async () => look(lanes));
  if (work === null) return null;
  const told = renderHome(unit, place.worktree, work) + then;
  conversation.outbox.note(`The work ${told}`);
  return told;
}

function renderHome(unit: string, folder: string, { commits, uncommitted, isThere }: UnitWork): string {
  const rest = uncommitted === 0 ? "" : `, ${uncommitted} files of it not committed`;
  const lies = isThere ? "it lies in" : "somebody deleted its folder";
  return `stands on gaia/${unit} (commits that you have not: ${commits}${rest}), nothing of it in your tree. Take it in: git merge gaia/${unit}; ${lies} ${folder}`;
}

function blocked(why: string): Refusal {
  return refuse(
    `BLOCKED: the work of this unit stands on a branch of its own, and ${why}`,
    "Tell the user; nothing was changed. Once it is settled plan_gaia run goes on.",
  );
}

type Ended = { readonly kind: "fine" } | { readonly kind: "refused" | "failed"; readonly said: string };

const SETUP_SECONDS = 600;

/** Makes a worktree ready for work, by the rules for the checks of the configuration: both are the user's, or trusted. */
export async function setUp(
  run: Pick<Run, "runtime" | "conversation" | "call">,
  workplace: Workplace,
): Promise<Ended> {
  const { setup, network } = lanesOf(run.runtime.config);
  if (setup === undefined) return { kind: "fine" };
  const check = { id: "lanes.setup", command: setup, timeoutSeconds: SETUP_SECONDS, network } as const;
  return runHere(run, workplace, { ...check, scope: "full" }, true);
}

/** Runs a command in a worktree (SPEC 9). One that the user stops is fine. @param isByPerson a person approved exactly this command */
export async function runHere(
  { runtime, conversation, call }: Pick<Run, "runtime" | "conversation" | "call">,
  workplace: Workplace,
  check: CheckDefinition,
  isByPerson: boolean,
): Promise<Ended> {
  const workdir = workplace.place.project;
  const runs = createHostRuns(
    sandboxOf(runtime.config),
    workplace.containment,
    async (command) => workplace.examine("command", { kind: "command", command, workdir }),
    runtime.knowledge.doubt,
  );
  const wanted = { isLocked: conversation.state.knobs.mode === "locked", isByPerson };
  const { status, output_tail, detail } = await runCheck(check, {
    directory: workdir,
    signal: call.abort,
    clock: runtime.clock,
    redact: runtime.memory.redact,
    program: runs.programs(wanted),
  });
  if (status === "passed" || status === "cancelled") return { kind: "fine" };
  if (status === "error") return { kind: "refused", said: detail ?? status };
  return { kind: "failed", said: [detail ?? status, output_tail].filter(Boolean).join("\n") };
}

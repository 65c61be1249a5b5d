import { realpath } from "node:fs/promises";
import { lanesOf } from "../../config/lanes.ts";
import type { ChildWorktree } from "../../delegation/child-session.ts";
import { alone } from "../../project/lanes.ts";
import type { Engine, LaneStore, UnitWork } from "../../snapshot/lanes/engine.ts";
import { isAtHome } from "./decide-placement.ts";
import type { Halt } from "./halt.ts";
import { broughtTo } from "./lanes.ts";
import { setUp } from "./run-here.ts";
import type { Run } from "./run.ts";

/** A run, as far as its unit's tree is concerned. */
export type HomeRun = Pick<Run, "runtime" | "conversation" | "call" | "unit" | "notes">;

/**
 * Opens the tree of the unit that the conversation is at, on its branch: everything that is done for it is done there, and
 * nothing in the user's tree.
 * @returns undefined where the unit's work stands in the user's tree; why it cannot go on
 */
export async function openHome(run: HomeRun): Promise<ChildWorktree | Halt | undefined> {
  const { runtime, conversation, unit, notes } = run;
  if (!isAtHome(lanesOf(runtime.config), conversation.tree.place.unit !== null)) return undefined;
  const { host } = runtime;
  const { worktrees } = conversation.parts;
  const { engine } = await import("../../snapshot/lanes/engine.ts");
  const store = await engine.openStore(host.project, process.env);
  if (typeof store === "string") return blocked(`${store}.`);
  const brought = await broughtTo(store, runtime);
  const opened = await alone(store, host.logger, async () => {
    const tree = await engine.openUnitTree(store, unit, await realpath(host.project), brought);
    if (typeof tree !== "string") await engine.settleLanding(engine.atUnitTree(store, unit));
    return tree;
  });
  if (typeof opened === "string") return blocked(opened);
  const { folder, branch, isReady } = opened;
  const workplace = worktrees.open(unit, store.from, folder);
  if (!isReady) {
    const end = await setUp(run, workplace);
    if (end.kind !== "fine") return blocked(`lanes.setup ${end.kind}: ${end.said}`);
    const left = await engine.countUncommitted(store);
    const without = `${left} ${left === 1 ? "file" : "files"} that you have not committed`;
    notes.push(`the work stands on ${branch}${left === 0 ? "" : `, which begins without ${without}`}`);
    if (left > 0) conversation.outbox.note(`${branch} begins at your commit, without ${without}.`);
    await alone(store, host.logger, async () => engine.noteUnitTree(store, unit));
  }
  return { folder, enter: (sessionId) => worktrees.enter(sessionId, unit) };
}

/** Tells where the work stands once a run is over, and how it is taken in. */
export async function tellHome(run: HomeRun): Promise<void> {
  const told = await lookHome(run, async (engine, store) => {
    await engine.noteUnitTree(store, run.unit);
    return engine.lookAtUnitTree(store, run.unit);
  });
  if (told !== null) run.notes.push(told);
}

/** The same once the unit is archived; its tree goes where nothing in it is missing in the user's. @returns what is left; null for nothing */
export async function leaveHome(run: Omit<HomeRun, "call" | "notes">): Promise<string | null> {
  const then = `. Then take that away: npx opencode-gaia lanes remove ${run.unit}`;
  return lookHome(run, async (engine, store) => engine.archiveUnitTree(store, run.unit), then);
}

async function lookHome(
  { runtime, conversation, unit }: Omit<HomeRun, "call" | "notes">,
  look: (engine: Engine, store: LaneStore) => Promise<UnitWork | null>,
  then = "",
): Promise<string | null> {
  const { place } = runtime.treeOf(unit);
  if (place.unit === null) return null;
  const { engine } = await import("../../snapshot/lanes/engine.ts");
  const store = await engine.openStore(runtime.host.project, process.env);
  const work =
    typeof store === "string"
      ? null
      : await alone(store, runtime.host.logger, async () => look(engine, store));
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

function blocked(why: string): Halt {
  return {
    status: "user",
    why: `BLOCKED: the work of this unit stands on a branch of its own, and ${why}`,
    next: "Tell the user; nothing was changed. Once it is settled plan_gaia run goes on.",
  };
}

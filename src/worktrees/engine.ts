import { listLanes, makeLane, ownerOf, recordLane, removeLane } from "./lane.ts";
import { isLanding, land, settleLanding } from "./landing.ts";
import { mergeLanes, onTree } from "./merge.ts";
import { openStore, takeSnapshot } from "./store.ts";
import { changesOf } from "./versions.ts";

export type { Lane } from "./lane.ts";
export type { RecordedLane } from "./merge.ts";
export type { LaneStore } from "./store.ts";

/** Everything that is done with worktrees, in one: it is loaded for whoever uses them. */
export const engine = {
  changesOf,
  isLanding,
  land,
  listLanes,
  makeLane,
  mergeLanes,
  onTree,
  openStore,
  ownerOf,
  recordLane,
  removeLane,
  settleLanding,
  takeSnapshot,
};

export type Engine = typeof engine;

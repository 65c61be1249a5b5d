import { diffOf, keepText, replaceTree, sizeOf, treeWithout } from "./compare.ts";
import { beginHere, listLanes, makeLane, ownerOf, recordLane } from "./lane.ts";
import { isLanding, land, settleLanding } from "./landing.ts";
import { mergeLanes, onTree } from "./merge.ts";
import { removeLane, restoreLane } from "./remove.ts";
import { beforeRework, conflictsIn, endRework, isUnjudged, startRework, takeBack } from "./rework.ts";
import { openStore, takeSnapshot } from "./store.ts";
import { changesOf, contentsOf, isOpen } from "./versions.ts";

export type { Brought } from "./bring.ts";
export type { Lane } from "./lane.ts";
export type { Merged, RecordedLane } from "./merge.ts";
export type { LaneStore } from "./store.ts";

/** Everything that is done with worktrees, in one: it is loaded for whoever uses them. */
export const engine = {
  beforeRework,
  beginHere,
  changesOf,
  conflictsIn,
  contentsOf,
  diffOf,
  endRework,
  isLanding,
  isOpen,
  isUnjudged,
  keepText,
  land,
  listLanes,
  makeLane,
  mergeLanes,
  onTree,
  openStore,
  ownerOf,
  recordLane,
  removeLane,
  replaceTree,
  restoreLane,
  settleLanding,
  sizeOf,
  startRework,
  takeBack,
  takeSnapshot,
  treeWithout,
};

export type Engine = typeof engine;

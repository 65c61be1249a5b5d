import { beginHere, laneAt, listLanes, makeLane, ownerOf, recordLane, treeWithout } from "./lane.ts";
import { isLanding, land, settleLanding } from "./landing.ts";
import { mergeLanes, onTree } from "./merge.ts";
import { removeLane, restoreLane } from "./remove.ts";
import {
  beforeRework,
  conflictsIn,
  endRework,
  isUnjudged,
  replaceTree,
  startRework,
  takeBack,
} from "./rework.ts";
import { openStore } from "./store.ts";
import { takeSnapshot, takeLaneTree } from "./take-down.ts";
import {
  archiveUnitTree,
  atUnitTree,
  countUncommitted,
  findUnitTree,
  listUnitTrees,
  lookAtUnitTree,
  noteUnitTree,
  openUnitTree,
} from "./unit-tree.ts";
import { removeUnitTree } from "./unit-removal.ts";
import { laneChanges, isUnsettled, keepText, sizeOf, unsettled } from "./versions.ts";

export type { Brought } from "./bring.ts";
export type { Lane } from "./lane.ts";
export type { Merged, RecordedLane } from "./merge.ts";
export type { LaneStore } from "./store.ts";
export type { UnitWork } from "./unit-tree.ts";

/** Everything that is done with lanes, in one: it is loaded for those who use them. */
export const engine = {
  archiveUnitTree,
  atUnitTree,
  beforeRework,
  beginHere,
  changesOf: laneChanges,
  conflictsIn,
  countUncommitted,
  endRework,
  findUnitTree,
  isLanding,
  isOpen: isUnsettled,
  isUnjudged,
  keepText,
  land,
  laneAt,
  listLanes,
  listUnitTrees,
  lookAtUnitTree,
  makeLane,
  mergeLanes,
  noteUnitTree,
  onTree,
  openStore,
  openUnitTree,
  ownerOf,
  recordLane,
  removeLane,
  removeUnitTree,
  replaceTree,
  restoreLane,
  settleLanding,
  sizeOf,
  startRework,
  takeBack,
  takeSnapshot,
  takeTree: takeLaneTree,
  treeWithout,
  unsettled,
};

export type Engine = typeof engine;

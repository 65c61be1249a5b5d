/** Everything that is done with lanes: it is loaded for those who use them. */
export { beginHere, laneAt, type Lane, listLanes, makeLane, ownerOf, recordLane } from "./lane.ts";
export type { Brought } from "./bring.ts";
export { isLanding, land, settleLanding } from "./landing.ts";
export { mergeLanes, type Merged, onTree, type RecordedLane } from "./merge.ts";
export { removeLane, restoreLane } from "./remove.ts";
export { commitTree, type LaneStore, openStore } from "./store.ts";
export { takeSnapshot, takeLaneTree as takeTree } from "./take-down.ts";
export {
  archiveUnitTree,
  atUnitTree,
  findUnitTree,
  listUnitTrees,
  lookAtUnitTree,
  noteUnitTree,
  openUnitTree,
  removeUnitTree,
  type UnitWork,
} from "./unit-tree.ts";
export { laneChanges as changesOf, sizeOf, unsettled } from "./versions.ts";

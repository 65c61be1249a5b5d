import { land } from "../../../src/snapshot/lanes/landing.ts";
import type { LaneStore } from "../../../src/snapshot/lanes/store.ts";

/** A process of its own that lands, so that it can be killed. */
const { store, from, to } = JSON.parse(process.env["LANDING"] ?? "{}") as {
  store: LaneStore;
  from: string;
  to: string;
};
await land(store, from, to);

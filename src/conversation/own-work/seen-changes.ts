import type { Changes } from "../../vcs/port.ts";
import { countLines } from "./file-deltas.ts";
import type { WorkWatch } from "./work-watch.ts";

/** The changes; where version control does not tell them, what GAIA's calls were seen to change in this process. Never throws. */
export async function orSeen(changes: Changes, watch: Pick<WorkWatch, "look" | "reader">): Promise<Changes> {
  const standing = changes.known ? null : await watch.look();
  if (standing === null || watch.reader === null) return changes;
  const seen = [...standing.ledger].map(([path, { before, after }]) => ({ path, before, after }));
  return { ...changes, files: await countLines(watch.reader, seen) };
}

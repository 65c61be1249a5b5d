import type { Vcs } from "../../vcs/port.ts";
import type { TreeChange } from "../../vcs/tree/state.ts";
import type { FileDelta } from "../collaboration/batch.ts";
import { RECORD } from "./batch-record.ts";

/** Files that a tool tells of and the tree cannot show: ignored ones, and those outside of the repository. */
export async function unseenFiles(
  told: readonly FileDelta[],
  changes: readonly TreeChange[],
  vcs: Pick<Vcs, "isIgnored">,
): Promise<FileDelta[]> {
  const shown = new Set(changes.map(({ path }) => path));
  const others = told.filter(({ path }) => !shown.has(path));
  const hidden: FileDelta[] = [];
  for (const file of others) {
    const isOutside = file.path.startsWith("/") || file.path.startsWith("..");
    if (isOutside || RECORD.test(file.path) || (await vcs.isIgnored(file.path))) hidden.push(file);
  }
  return hidden;
}

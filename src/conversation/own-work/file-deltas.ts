import type { TreeReader } from "../../vcs/tree/reader.ts";
import { type FileVersion, isFolder, isSame, NO_FILE, type TreeChange } from "../../vcs/tree/state.ts";
import { findRiskHotspots } from "../../review/risk-hotspots.ts";
import type { FileDelta } from "../collaboration/batch.ts";
import { originsOf } from "./moves.ts";
import { lineDelta } from "../tool-calls/line-delta.ts";

/** Changes whose lines are counted; of the others only the files are told. */
const MAX_COUNTED = 200;
/** Lines of a file in which risk is looked for. */
const MAX_LINES = 5_000;

/** Changes of files in lines. A file that only moved is one change, and one of whose bytes nothing is known has no lines. */
export async function countLines(
  reader: Pick<TreeReader, "bytes">,
  changes: readonly TreeChange[],
): Promise<FileDelta[]> {
  const textOf = async (path: string, version: FileVersion): Promise<string | null> => {
    const bytes = isSame(version, NO_FILE) ? Buffer.alloc(0) : await reader.bytes(path, version);
    return bytes === null || bytes.includes(0) ? null : bytes.toString("utf8");
  };
  const deltas: FileDelta[] = [];
  for (const { path, before, after, note } of withMoves(changes)) {
    const isCounted = deltas.length < MAX_COUNTED && before.id !== after.id;
    const [old, fresh] = isCounted ? [await textOf(path, before), await textOf(path, after)] : [null, null];
    const lines = old === null || fresh === null ? { added: 0, removed: 0 } : lineDelta(old, fresh);
    const risk = riskOf(path, old ?? "", fresh ?? "");
    deltas.push({
      path,
      ...lines,
      ...(note === undefined ? {} : { note }),
      ...(risk === "" ? {} : { risk }),
    });
  }
  return deltas;
}

/** What kinds of risk the path and the lines that differ speak of; the order of lines says nothing about that. */
function riskOf(path: string, old: string, fresh: string): string {
  const [before, after] = [new Set(old.split("\n")), new Set(fresh.split("\n"))];
  const linesOf = (kind: "removed" | "added", texts: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...texts].filter((text) => !others.has(text)).map((text) => ({ kind, text, line: 0 }));
  const lines = [...linesOf("removed", before, after), ...linesOf("added", after, before)].slice(
    0,
    MAX_LINES,
  );
  const file = { path, status: "modified" as const, added: 0, removed: 0, hunks: [{ header: "", lines }] };
  return findRiskHotspots([file])
    .flatMap(({ kinds }) => kinds)
    .join(", ");
}

/** Of a file that only moved one change instead of two, with what lines do not tell of any. */
export function withMoves(changes: readonly TreeChange[]): (TreeChange & { readonly note?: string })[] {
  const origin = originsOf(changes);
  const moved = new Set(origin.values());
  return changes
    .filter((change) => !moved.has(change))
    .map((change) => {
      const from = origin.get(change);
      if (from !== undefined) return { ...change, before: change.after, note: `moved from ${from.path}` };
      if (isSame(change.after, NO_FILE)) return { ...change, note: "deleted" };
      if (isFolder(change.after)) return { ...change, note: "a folder of many files" };
      const isMode = change.before.id === change.after.id;
      return isMode ? { ...change, note: `mode ${change.after.mode.slice(-3)}` } : change;
    });
}

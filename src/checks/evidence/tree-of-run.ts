import type { FilesNow } from "../../vcs/port.ts";

/** What a run says something about. */
export interface TreeOfRun {
  /** Fingerprint of the files that it is about; null where it is about none that are there now. */
  readonly tree: string | null;
  /** Files under version control that were changed meanwhile. */
  readonly written: readonly string[];
}

/**
 * Which files a run of commands says something about: those that were there when it ended, unless what version control holds
 * changed meanwhile. What a check itself writes beside that, as a report or a snapshot, is no change of the work.
 */
export function treeOfRun(before: FilesNow | null, after: FilesNow | null): TreeOfRun {
  if (before === null || after === null) return { tree: null, written: [] };
  const paths = new Set([...before.edited.keys(), ...after.edited.keys()]);
  const written = [...paths].filter((path) => before.edited.get(path) !== after.edited.get(path)).toSorted();
  const isHeld = written.length === 0 && before.index === after.index;
  const isSame = isHeld || before.fingerprint === after.fingerprint;
  return { tree: isSame ? after.fingerprint : null, written: isSame ? [] : written };
}

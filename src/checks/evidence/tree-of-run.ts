import { isRegenerable } from "../../policy/deletions.ts";
import type { FilesNow } from "../../vcs/port.ts";

/** What a run says something about. */
export interface TreeOfRun {
  /** Fingerprint of the files that it is about; null where it is about none that are there now. */
  readonly tree: string | null;
  /** Files of the work that were changed meanwhile. */
  readonly written: readonly string[];
}

/** What checks leave behind beside what every tool makes anew: reports, databases of tests, what they remember of their last run. */
const LEFT_BEHIND =
  /(?:^|\/)(?:[\w.-]*(?:report|results?|coverage|junit|lcov|output)[\w.-]*|\.[\w.-]*(?:cache|status)|[^/]*\.(?:db|sqlite3?|db-\w+|sqlite3?-\w+|xml|tap|sarif|lcov|info|trx|prof|profraw|out|cache|pid))(?:\/|$)/iu;

/**
 * Which files a run of commands says something about: those that were there when it ended, unless files of the work changed
 * meanwhile: what version control holds, and new files that were there before. What a check itself makes beside that, as a
 * report or a snapshot, is no change of the work.
 */
export function treeOfRun(before: FilesNow | null, after: FilesNow | null): TreeOfRun {
  if (before === null || after === null) return { tree: null, written: [] };
  const paths = new Set([...before.edited.keys(), ...after.edited.keys()]);
  const written = [...paths].filter((path) => before.edited.get(path) !== after.edited.get(path));
  for (const [path, content] of before.untracked) {
    const isWork = !isRegenerable(path) && !LEFT_BEHIND.test(path);
    if (isWork && !paths.has(path) && after.untracked.get(path) !== content) written.push(path);
  }
  const isHeld = written.length === 0 && before.index === after.index;
  const isSame = isHeld || before.fingerprint === after.fingerprint;
  return { tree: isSame ? after.fingerprint : null, written: isSame ? [] : written.toSorted() };
}

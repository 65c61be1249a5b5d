import { excerpt } from "../../lib/text.ts";
import { type FileVersion, isSame, type TreeChange } from "../../snapshot/version.ts";
import type { Trees } from "../../snapshot/vcs.ts";

const MAX_CALLS = 20;
/** Files of a batch that are looked at; of more it is not told what became of them. */
const MAX_CHANGES = 100;
const MAX_WORDS = 180;

/** From now on: whether a file is as it is by a call of anyone's, or because another branch is checked out. */
export type WatchOthers = () => (path: string, now: FileVersion) => boolean;

/**
 * Finds what the user refuses in a dialog, or takes back of the work. Paths are relative to the project.
 * @param found is told the files, and what the user said of it
 */
export function createUnwanted(
  trees: Pick<Trees, "versionNow">,
  watchOthers: WatchOthers,
  found: (paths: readonly string[], words: string) => void,
) {
  const edits = new Map<string, readonly string[]>();
  const asking = new Map<string, readonly string[]>();
  /** Files of the rejection that came last, which may be explained yet. */
  let unexplained: readonly string[] = [];
  /** What the last turn left, and what calls have touched since. */
  let left: readonly TreeChange[] = [];
  let isOthers = watchOthers();
  const touched = new Set<string>();
  /** Changes that were taken back: nothing of them is found twice. */
  const judged = new Set<string>();

  const wasUndone = (now: FileVersion, { before, after }: TreeChange): boolean =>
    before.id !== after.id && isSame({ ...now, mode: "" }, { ...before, mode: "" });
  const tell = (paths: readonly string[], words: string): void => {
    if (paths.length > 0 && words !== "") found(paths, excerpt(words, MAX_WORDS));
  };

  return {
    /** A call is about to edit these. */
    begins(callId: string, paths: readonly string[]): void {
      edits.set(callId, paths);
      forgetOldest(edits);
    },
    asked(requestId: string, callId: string): void {
      asking.set(requestId, edits.get(callId) ?? []);
      forgetOldest(asking);
    },
    rejected(requestId: string): void {
      unexplained = asking.get(requestId) ?? [];
      asking.delete(requestId);
    },
    explained(words: string): void {
      tell(unexplained, words);
      unexplained = [];
    },
    changed(paths: readonly string[]): void {
      for (const path of paths) touched.add(path);
    },
    /** Looks whether untouched files are as they were before. @param words what the user writes; empty for nothing */
    async look(words: string): Promise<void> {
      const back: string[] = [];
      for (const change of left) {
        if (touched.has(change.path) || judged.has(keyOf(change))) continue;
        const now = await trees.versionNow(change.path);
        if (!wasUndone(now, change) || isOthers(change.path, now)) continue;
        judged.add(keyOf(change));
        back.push(change.path);
      }
      tell(back, words);
    },
    remember(changes: readonly TreeChange[]): void {
      touched.clear();
      isOthers = watchOthers();
      left = changes.slice(0, MAX_CHANGES);
      for (const key of judged) if (!left.some((change) => keyOf(change) === key)) judged.delete(key);
    },
  };
}

function keyOf({ path, after }: TreeChange): string {
  return `${path}\n${after.id}`;
}

export function forgetOldest(map: Map<string, unknown>, most = MAX_CALLS): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

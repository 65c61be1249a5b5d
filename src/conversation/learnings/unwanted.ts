import type { Trees } from "../../snapshot/vcs.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { type FileVersion, isSame, type TreeChange } from "../../snapshot/version.ts";

const MAX_LINE = 90;
const MAX_CALLS = 20;
/** Files of a batch that are looked at; of more it is not told what became of them. */
const MAX_CHANGES = 100;
const MAX_REFUSED = 20;
const MAX_WORDS = 180;
const MAX_BYTES = 100_000;

export interface Refused {
  readonly path: string;
  /** What would have been there, or was; empty where it is not known. */
  readonly text: string;
  readonly how: "refused" | "took back";
}

/** What the user did not want of a file, and what was put there after it, as one sentence; null where both are the same. */
export function describeReplaced({ path, text, how }: Refused, instead: string): string | null {
  const [old, fresh] = [lineOf(text, instead), lineOf(instead, text)];
  if (old === "" || fresh === "") return null;
  return `In ${path} the user ${how} "${excerpt(old, MAX_LINE)}"; "${excerpt(fresh, MAX_LINE)}" came in its place.`;
}

function lineOf(text: string, other: string): string {
  const known = new Set(other.split("\n").map((line) => line.trim()));
  const lines = text.split("\n").map((line) => line.trim());
  return lines.find((line) => /[\p{L}\p{N}]/u.test(line) && !known.has(line)) ?? "";
}

/** From now on: whether a file is as it is by a call of anyone's, or because another branch is checked out. */
export type WatchOthers = () => (path: string, now: FileVersion) => boolean;

/** An edit before it is made; the path is relative to the project. */
type PlannedEdit = Pick<Refused, "path" | "text">;

/** Finds what the user refuses in a dialog, or takes back of the work. */
export function createUnwanted(
  trees: Pick<Trees, "versionNow" | "bytes">,
  watchOthers: WatchOthers,
  listener: {
    found(paths: readonly string[], words: string): void;
    replaced(refused: Refused, instead: string): void;
  },
) {
  const edits = new Map<string, readonly PlannedEdit[]>();
  const asking = new Map<string, readonly PlannedEdit[]>();
  let refused: readonly Refused[] = [];
  /** Files of the rejection that came last, which may be explained yet. */
  let unexplained: readonly string[] = [];
  /** What the last turn left, and what calls have touched since. */
  let left: readonly TreeChange[] = [];
  let isOthers = watchOthers();
  const touched = new Set<string>();
  /** Changes that were taken back: nothing of them is found twice. */
  const judged = new Set<string>();

  const textOf = async (version: FileVersion): Promise<string> => {
    const bytes = version.id === "" ? null : await trees.bytes(version);
    return bytes === null || bytes.length > MAX_BYTES || bytes.includes(0) ? "" : bytes.toString("utf8");
  };
  const wasUndone = (now: FileVersion, { before, after }: TreeChange): boolean =>
    before.id !== after.id && isSame({ ...now, mode: "" }, { ...before, mode: "" });
  const find = (fresh: readonly Refused[], words: string): void => {
    if (fresh.length === 0) return;
    refused = [...refused, ...fresh].slice(-MAX_REFUSED);
    const paths = fresh.map(({ path }) => path);
    listener.found(paths, excerpt(words, MAX_WORDS));
  };

  return {
    begins(callId: string, planned: readonly PlannedEdit[]): void {
      edits.set(callId, planned);
      forgetOldest(edits);
    },
    asked(requestId: string, callId: string): void {
      asking.set(requestId, edits.get(callId) ?? []);
      forgetOldest(asking);
    },
    rejected(requestId: string, words: string): void {
      const found = asking.get(requestId) ?? [];
      asking.delete(requestId);
      unexplained = words === "" ? found.map(({ path }) => path) : [];
      const fresh = found.map((each) => ({ ...each, how: "refused" as const }));
      find(fresh, words);
    },
    explained(words: string): void {
      if (unexplained.length > 0) listener.found(unexplained, excerpt(words, MAX_WORDS));
      unexplained = [];
    },
    changed(paths: readonly string[]): void {
      for (const path of paths) touched.add(path);
    },
    edited(path: string, text: string): void {
      touched.add(path);
      const found = refused.find((each) => each.path === path);
      refused = refused.filter((each) => each !== found);
      if (found !== undefined) listener.replaced(found, text);
    },
    /** Looks whether untouched files are as they were before. @param words what the user writes; empty for nothing */
    async look(words: string): Promise<void> {
      const back: Refused[] = [];
      for (const change of left) {
        if (touched.has(change.path) || judged.has(keyOf(change))) continue;
        const now = await trees.versionNow(change.path);
        if (!wasUndone(now, change) || isOthers(change.path, now)) continue;
        judged.add(keyOf(change));
        back.push({ path: change.path, text: await textOf(change.after), how: "took back" });
      }
      find(back, words);
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

import { excerpt } from "../../lib/excerpt.ts";
import type { TreeReader } from "../../vcs/tree/reader.ts";
import { isSame, type TreeChange } from "../../vcs/tree/state.ts";
import type { Refused } from "./replaced.ts";

const MAX_CALLS = 20;
/** Files of a batch that are looked at; of more it is not told what became of them. */
const MAX_CHANGES = 100;
const MAX_REFUSED = 20;
const MAX_WORDS = 180;
/** Of a file's text. */
const MAX_BYTES = 100_000;

/** An edit before it is made; the path is relative to the project. */
export type PlannedEdit = Pick<Refused, "path" | "text">;

/**
 * Finds what the user refuses in a dialog, and what of the work they take back by themselves.
 * @param reader null where nothing tells how files were before
 * @param listener `found`: paths, and what the user said to it, if anything; `replaced`: what was put there later
 */
export function createUnwanted(
  reader: Pick<TreeReader, "version" | "bytes"> | null,
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
  const touched = new Set<string>();

  const wasUndone = async ({ path, before, after }: TreeChange): Promise<boolean> => {
    if (reader === null || touched.has(path) || before.id === after.id) return false;
    const now = await reader.version(path, after);
    return isSame({ ...now, mode: "" }, { ...before, mode: "" });
  };
  const takenBack = async ({ path, after }: TreeChange): Promise<Refused> => {
    const bytes = (await reader?.bytes(path, after)) ?? null;
    const text = bytes === null || bytes.length > MAX_BYTES ? "" : bytes.toString("utf8");
    return { path, text, how: "took back" };
  };
  const find = (fresh: readonly Refused[], words: string): void => {
    refused = [...refused, ...fresh].slice(-MAX_REFUSED);
    const paths = fresh.map(({ path }) => path);
    listener.found(paths, excerpt(words, MAX_WORDS));
  };

  return {
    /** A call is about to make these. */
    begins(callId: string, planned: readonly PlannedEdit[]): void {
      edits.set(callId, planned);
      forgetOldest(edits);
    },
    /** The user is asked whether it may. */
    asked(requestId: string, callId: string): void {
      asking.set(requestId, edits.get(callId) ?? []);
      forgetOldest(asking);
    },
    rejected(requestId: string, words: string): void {
      const found = asking.get(requestId) ?? [];
      asking.delete(requestId);
      unexplained = words === "" ? found.map(({ path }) => path) : [];
      if (found.length === 0) return;
      find(
        found.map((each) => ({ ...each, how: "refused" as const })),
        words,
      );
    },
    /** The words for the rejection that came last. */
    explained(words: string): void {
      if (unexplained.length > 0) listener.found(unexplained, excerpt(words, MAX_WORDS));
      unexplained = [];
    },
    /** Calls have changed these files. */
    changed(paths: readonly string[]): void {
      for (const path of paths) touched.add(path);
    },
    /** A call has put this into a file. */
    edited(path: string, text: string): void {
      touched.add(path);
      const found = refused.find((each) => each.path === path);
      refused = refused.filter((each) => each !== found);
      if (found !== undefined) listener.replaced(found, text);
    },
    /**
     * Looks whether files are again as they were before the last turns, though no call touched them since.
     * @param words what the user writes just now; empty where they do not
     */
    async look(words: string): Promise<void> {
      const back: TreeChange[] = [];
      for (const change of left) if (await wasUndone(change)) back.push(change);
      left = left.filter((change) => !back.includes(change));
      if (back.length > 0) find(await Promise.all(back.map(takenBack)), words);
    },
    /** A turn is over: what it did may be taken back. */
    remember(changes: readonly TreeChange[]): void {
      touched.clear();
      left = changes.slice(0, MAX_CHANGES);
    },
  };
}

function forgetOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (map.size > MAX_CALLS && oldest !== undefined) map.delete(oldest);
}

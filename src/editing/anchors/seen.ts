import { listOf, recordOf, textOf } from "../../lib/json.ts";

/** Lines of one file that a session was shown: their hashes by number. */
export type SeenLines = ReadonlyMap<number, string>;

/** Where it is kept over a restart. */
export interface SeenStore {
  load(name: string): Promise<unknown>;
  save(name: string, content: () => object): void;
}

/**
 * What sessions were shown of files, so that nothing is replaced that its author has not seen as it is. Nothing of the files
 * themselves is kept.
 */
export interface Seen {
  /** Null for a file that the session has not read. */
  of(sessionId: string, path: string): Promise<SeenLines | null>;
  /** Lines that were shown just now. */
  add(sessionId: string, path: string, lines: SeenLines): Promise<void>;
  /** The file was changed by the session itself: what it has seen stands elsewhere now. */
  replace(sessionId: string, path: string, lines: SeenLines): Promise<void>;
}

const MAX_SESSIONS = 100;
const MAX_FILES = 60;
const HASH = 4;

export function createSeen(store: SeenStore): Seen {
  const sessions = new Map<string, Promise<Map<string, SeenLines>>>();
  const filesOf = async (sessionId: string): Promise<Map<string, SeenLines>> => {
    const known = sessions.get(sessionId) ?? store.load(nameOf(sessionId)).then(restore);
    // The newest last.
    sessions.delete(sessionId);
    sessions.set(sessionId, known);
    dropOldest(sessions, MAX_SESSIONS);
    return known;
  };
  const put = async (sessionId: string, path: string, lines: SeenLines): Promise<void> => {
    const files = await filesOf(sessionId);
    files.delete(path);
    files.set(path, lines);
    dropOldest(files, MAX_FILES);
    store.save(nameOf(sessionId), () => ({ files: [...files].map(([name, seen]) => [name, ...pack(seen)]) }));
  };
  return {
    of: async (sessionId, path) => (await filesOf(sessionId)).get(path) ?? null,
    async add(sessionId, path, lines) {
      const before = (await filesOf(sessionId)).get(path) ?? [];
      await put(sessionId, path, new Map([...before, ...lines]));
    },
    replace: put,
  };
}

const nameOf = (sessionId: string): string => `seen-${sessionId}`;

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

/** Runs of lines: the number of the first, and the hashes one behind the other. */
function pack(lines: SeenLines): [number, string][] {
  const runs: [number, string][] = [];
  for (const [line, hash] of [...lines].toSorted(([one], [other]) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] + last[1].length / HASH === line) last[1] += hash;
    else runs.push([line, hash]);
  }
  return runs;
}

function restore(saved: unknown): Map<string, SeenLines> {
  return new Map(
    listOf(recordOf(saved)["files"]).flatMap((entry): [string, SeenLines][] => {
      const [path, ...runs] = listOf(entry);
      const name = textOf(path);
      return name === undefined ? [] : [[name, new Map(runs.flatMap(unpack))]];
    }),
  );
}

function unpack(run: unknown): [number, string][] {
  const [first, hashes] = listOf(run);
  const all = textOf(hashes)?.match(/[a-z0-9]{4}/gu) ?? [];
  return typeof first === "number" ? all.map((hash, index) => [first + index, hash]) : [];
}

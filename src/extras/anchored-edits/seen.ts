import { listOf, recordOf, textOf } from "../../lib/json.ts";

/** What a session knows of one file. */
export interface SeenFile {
  /** The hashes of all its lines, as they were when it was last shown some of them. */
  readonly all: readonly string[];
  /** The numbers of those that it was shown. */
  readonly shown: ReadonlySet<number>;
}

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
  of(sessionId: string, path: string): Promise<SeenFile | null>;
  /** Lines that were shown just now. */
  add(sessionId: string, path: string, file: SeenFile): Promise<void>;
  /** The file was changed by the session itself: what it has seen stands elsewhere now. */
  replace(sessionId: string, path: string, file: SeenFile): Promise<void>;
}

/**
 * Which of the lines that a session has seen are surely the same in a file as it is now: those above the first that is
 * another one, and those below the last where no line came or went.
 */
export function stillSeen({ all: before, shown }: SeenFile, now: readonly string[]): number[] {
  let above = 0;
  while (above < now.length && before[above] === now[above]) above += 1;
  let below = 0;
  while (below < now.length - above && before.at(-1 - below) === now.at(-1 - below)) below += 1;
  const isSameLength = before.length === now.length;
  return [...shown].filter((line) => line <= above || (isSameLength && line > now.length - below));
}

const MAX_SESSIONS = 100;
const MAX_FILES = 60;
const HASH = 4;

export function createSeen(store: SeenStore): Seen {
  const sessions = new Map<string, Promise<Map<string, SeenFile>>>();
  const filesOf = async (sessionId: string): Promise<Map<string, SeenFile>> => {
    const known = sessions.get(sessionId) ?? store.load(nameOf(sessionId)).then(restore);
    // The newest last.
    sessions.delete(sessionId);
    sessions.set(sessionId, known);
    dropOldest(sessions, MAX_SESSIONS);
    return known;
  };
  const put = async (sessionId: string, path: string, file: SeenFile): Promise<void> => {
    const files = await filesOf(sessionId);
    files.delete(path);
    files.set(path, file);
    dropOldest(files, MAX_FILES);
    store.save(nameOf(sessionId), () => ({ files: [...files].map(([name, seen]) => [name, ...pack(seen)]) }));
  };
  return {
    of: async (sessionId, path) => (await filesOf(sessionId)).get(path) ?? null,
    async add(sessionId, path, { all, shown }) {
      const before = (await filesOf(sessionId)).get(path);
      const kept = before === undefined ? [] : stillSeen(before, all);
      await put(sessionId, path, { all, shown: new Set([...kept, ...shown]) });
    },
    replace: put,
  };
}

const nameOf = (sessionId: string): string => `seen-${sessionId}`;

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

/** The hashes one behind the other, and runs of lines: the number of the first, and how many there are. */
function pack({ all, shown }: SeenFile): unknown[] {
  const runs: [number, number][] = [];
  for (const line of [...shown].toSorted((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] + last[1] === line) last[1] += 1;
    else runs.push([line, 1]);
  }
  return [all.join(""), ...runs];
}

function restore(saved: unknown): Map<string, SeenFile> {
  return new Map(
    listOf(recordOf(saved)["files"]).flatMap((entry): [string, SeenFile][] => {
      const [path, hashes, ...runs] = listOf(entry);
      const name = textOf(path);
      if (name === undefined) return [];
      const all = textOf(hashes)?.match(new RegExp(`[a-z0-9]{${HASH}}`, "gu")) ?? [];
      return [[name, { all, shown: new Set(runs.flatMap((run) => unpack(run, all.length))) }]];
    }),
  );
}

function unpack(run: unknown, most: number): number[] {
  const [first, count] = listOf(run);
  if (typeof first !== "number" || typeof count !== "number") return [];
  return Array.from({ length: Math.min(count, most) }, (_, index) => first + index);
}

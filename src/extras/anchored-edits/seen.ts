import { listOf, recordOf, textOf } from "../../lib/json.ts";

export interface SeenFile {
  /** Of the file's content when it was last shown; of another content nothing is known. */
  readonly version: string;
  readonly shown: ReadonlySet<number>;
}

export interface SeenStore {
  load(name: string): Promise<unknown>;
  save(name: string, content: () => object): void;
}

/**
 * What sessions were shown of files, so that nothing is replaced that its author has not seen as it is. Nothing of the files
 * themselves is kept.
 */
interface Seen {
  /** Null for a file that the session has not read. */
  of(sessionId: string, path: string): Promise<SeenFile | null>;
  /** Lines that were shown just now, beside those of the same content. */
  add(sessionId: string, path: string, file: SeenFile): Promise<void>;
  /** The file was changed by the session itself: what it has seen stands elsewhere now. */
  replace(sessionId: string, path: string, file: SeenFile): Promise<void>;
}

const MAX_SESSIONS = 100;
const MAX_FILES = 60;
/** Lines of one run, whatever a stored one says. */
const MAX_RUN = 1_000_000;

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
    store.save(nameOf(sessionId), () => ({
      files: [...files].map(([name, { version, shown }]) => [name, version, ...runsOf(shown)]),
    }));
  };
  return {
    of: async (sessionId, path) => (await filesOf(sessionId)).get(path) ?? null,
    async add(sessionId, path, { version, shown }) {
      const before = (await filesOf(sessionId)).get(path);
      const kept = before?.version === version ? before.shown : [];
      await put(sessionId, path, { version, shown: new Set([...kept, ...shown]) });
    },
    replace: put,
  };
}

const nameOf = (sessionId: string): string => `seen-${sessionId}`;

function dropOldest(map: Map<string, unknown>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

/** Runs of lines: the number of the first, and how many there are. */
function runsOf(shown: ReadonlySet<number>): [first: number, count: number][] {
  const runs: [number, number][] = [];
  for (const line of [...shown].toSorted((one, other) => one - other)) {
    const last = runs.at(-1);
    if (last !== undefined && last[0] + last[1] === line) last[1] += 1;
    else runs.push([line, 1]);
  }
  return runs;
}

function restore(saved: unknown): Map<string, SeenFile> {
  const entries = listOf(recordOf(saved)["files"]).map((entry): [string, SeenFile] => {
    const [path, version, ...runs] = listOf(entry);
    const lines = runs.flatMap((run) => {
      const [first, count] = listOf(run);
      if (typeof first !== "number" || typeof count !== "number") return [];
      return Array.from({ length: Math.min(count, MAX_RUN) }, (_, index) => first + index);
    });
    return [textOf(path) ?? "", { version: textOf(version) ?? "", shown: new Set(lines) }];
  });
  return new Map(entries);
}

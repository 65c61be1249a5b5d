import { lstat, mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createLines, steadyClock } from "../../lib/async.ts";
import { createError, describeError, type Logger } from "../../lib/error.ts";
import { GAIA_FOLDER, LOCAL_FOLDER, resolveInsideGaia, unlessMissing } from "../gaia-path.ts";
import { ownKeepOutFiles } from "../keep-out.ts";
import { removeLeftovers, writeFileAtomic, NO_FILE, readTextFile, signatureOf } from "./atomic-file.ts";
import { acquireLock, type Lease } from "./lock.ts";

/** How long one process may keep the lock for jobs that wait in line, before others get their turn. */
const TURN_MS = 100;
/** Longer than the pause between two tries of those that wait for the lock. */
const YIELD_MS = 15;

/** Runs jobs in order. Those that wait share a lease for up to 100 ms. @param acquire is told how long the job has waited */
function createJobQueue(acquire: (waitedMs: number) => Promise<Lease>, logger: Logger) {
  const inLine = createLines();
  let waiting = 0;
  let held: { readonly lease: Lease; readonly until: number } | null = null;

  const endTurn = async (lease: Lease): Promise<void> => {
    held = null;
    await lease.release().catch((error: unknown) => {
      logger.log("error", "workspace", `the lock could not be given back: ${describeError(error)}`);
    });
    if (waiting > 0) await pause(YIELD_MS);
  };

  return async <T>(job: (lease: Lease) => Promise<T>): Promise<T> => {
    const askedAt = steadyClock.now();
    waiting += 1;
    return inLine("", async () => {
      waiting -= 1;
      const now = steadyClock.now();
      held ??= { lease: await acquire(now - askedAt), until: now + TURN_MS };
      const { lease, until } = held;
      try {
        return await job(lease);
      } finally {
        if (waiting === 0 || steadyClock.now() > until) await endTurn(lease);
      }
    });
  };
}

interface Edit<T> {
  readonly text: string | null;
  readonly result: T;
}

/** `replaceable`: nobody's work is in the file, so one that is not text reads as an empty one. */
type Content = "precious" | "replaceable";

/** Reading below `.gaia/`; needs no lock, because files are only ever replaced whole. Paths are relative to `.gaia`. */
export interface GaiaReader {
  read(inside: string, content?: Content): Promise<string | null>;
  /** Empty when there is no such folder. Links count as what they are: neither file nor folder. */
  list(inside: string): Promise<{ readonly name: string; readonly isFolder: boolean }[]>;
  exists(inside: string): Promise<boolean>;
}

export interface GaiaWriter extends GaiaReader {
  /** Replaces a file by what `edit` makes of it; runs again when a person saves the file meanwhile. */
  change<T>(
    inside: string,
    edit: (text: string | null) => Edit<T> | Promise<Edit<T>>,
    content?: Content,
  ): Promise<T>;
  move(from: string, to: string): Promise<void>;
}

export interface GaiaFiles extends GaiaReader {
  /** Runs `job` with the lock held; creates `.gaia/`. Not from inside of a job, which would wait for ever. */
  exclusive<T>(job: (writer: GaiaWriter) => Promise<T>): Promise<T>;
}

/** How long a job waits for its turn and for other processes (SPEC 2.5). */
const LOCK_MS = 5_000;
/** Longer than another process's turn. */
const MIN_LOCK_MS = 250;
const MAX_ATTEMPTS = 5;

/** The files below `.gaia/`; touches nothing until the first `exclusive`. */
export function createGaiaFiles(directory: string, logger: Logger): GaiaFiles {
  const pathOf = async (inside: string): Promise<string> => {
    const found = await resolveInsideGaia(directory, join(GAIA_FOLDER, inside));
    if (found.ok) return found.path;
    throw createError("workspace", `${GAIA_FOLDER}/${inside} is refused: ${found.reason}.`, {
      hint: `Everything that GAIA writes stays inside ${GAIA_FOLDER}/; links out of it are not followed.`,
    });
  };

  const reader: GaiaReader = {
    async read(inside, content) {
      return (await readTextFile(await pathOf(inside), `${GAIA_FOLDER}/${inside}`, content))?.text ?? null;
    },
    async list(inside) {
      const path = inside === "" ? dirname(await pathOf(LOCAL_FOLDER)) : await pathOf(inside);
      const entries = await unlessMissing(readdir(path, { withFileTypes: true }), []);
      return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
    },
    async exists(inside) {
      return (await unlessMissing(lstat(await pathOf(inside)), null)) !== null;
    },
  };

  const prepareFolder = async (path: string): Promise<void> => {
    await mkdir(path, { recursive: true });
    // At every write: another process may have been killed since the last one.
    const removed = await removeLeftovers(path);
    if (removed.length === 0) return;
    logger.log("info", "workspace", "removed what a killed process left", { removed });
  };

  const writerFor = (lease: Lease): GaiaWriter => ({
    ...reader,
    async change(inside, edit, content) {
      const path = await pathOf(inside);
      await prepareFolder(dirname(path));
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const file = await readTextFile(path, `${GAIA_FOLDER}/${inside}`, content);
        const { text, result } = await edit(file?.text ?? null);
        if (text === null || text === file?.text) return result;
        const unchanged = async (): Promise<boolean> =>
          (await signatureOf(path)) === (file?.signature ?? NO_FILE) && (await confirm(lease));
        if (await writeFileAtomic(path, text, unchanged)) return result;
      }
      throw createError("workspace", `${GAIA_FOLDER}/${inside} kept changing while it was being written.`, {
        hint: "Nothing was written; try again.",
      });
    },
    async move(from, to) {
      const [source, target] = [await pathOf(from), await pathOf(to)];
      await mkdir(dirname(target), { recursive: true });
      await confirm(lease);
      await rename(source, target);
    },
  });

  const keepOut = async (folder: string): Promise<void> => {
    for (const { name, text } of await ownKeepOutFiles(directory)) {
      const path = join(folder, name);
      if ((await signatureOf(path)) === NO_FILE)
        await writeFileAtomic(path, text, () => Promise.resolve(true));
    }
  };

  const open = async (waitedMs: number): Promise<Lease> => {
    const local = await pathOf(LOCAL_FOLDER);
    await prepareFolder(local);
    const ignore = join(local, ".gitignore");
    const isNew = (await signatureOf(ignore)) === NO_FILE;
    if (isNew) {
      await writeFileAtomic(ignore, "*\n", () => Promise.resolve(true));
      // Once: one that the user takes out again stays out.
      await keepOut(dirname(local));
    }
    return acquireLock(join(local, "lock"), Math.max(LOCK_MS - waitedMs, MIN_LOCK_MS), logger);
  };

  const queue = createJobQueue(open, logger);
  return { ...reader, exclusive: (job) => queue((lease) => job(writerFor(lease))) };
}

async function confirm(lease: Lease): Promise<true> {
  if (await lease.confirm()) return true;
  throw createError("workspace", "The lock of .gaia/ was taken over, because this process stood still.", {
    hint: "Nothing more was written; try again.",
  });
}

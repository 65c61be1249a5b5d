import { createHash } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describeError, type Logger, logFailure } from "../lib/error.ts";
import { type JsonRecord, recordOf } from "../lib/json.ts";
import { writeFileAtomic, readTextFile } from "../record/store.ts";

const VERSION = 2;
/** Files that nothing has written for so long are removed. */
const KEPT_MS = 60 * 24 * 3_600_000;
/** Runs of checks whose reverted files are kept, and the bytes of one. */
const MAX_KEPT_RUNS = 20;
const MAX_KEPT_BYTES = 20_000_000;

/** State about who made which change, in the user's data folder: it may quote their files, so only the user may read it. */
export type WorkStore = ReturnType<typeof createWorkStore>;

/** @param folder of the user's data; null keeps nothing @param project part of each file's name */
export function createWorkStore(folder: string | null, project: string, logger: Logger) {
  const own = createHash("sha256").update(project).digest("hex").slice(0, 16);
  const pathOf = (name: string): string =>
    join(folder ?? "", `${own}-${name.replaceAll(/[^\w-]/gu, "_")}.json`);
  let writing: Promise<void> = Promise.resolve();
  let isTidy = false;

  const write = async (name: string, content: object): Promise<void> => {
    if (folder === null) return;
    // The mode of the folder protects its files.
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (!isTidy) await tidy(folder);
    isTidy = true;
    await writeFileAtomic(pathOf(name), JSON.stringify({ version: VERSION, ...content }), async () => true);
  };

  return {
    /** What was saved under a name; empty for nothing, and for what cannot be read. Never rejects. */
    async load(name: string): Promise<JsonRecord> {
      if (folder === null) return {};
      try {
        const file = await readTextFile(pathOf(name), name, "replaceable");
        const saved = file === null || file.text === "" ? {} : recordOf(JSON.parse(file.text));
        return saved["version"] === VERSION ? saved : {};
      } catch (error) {
        logger.log("warn", "work-tree", `What was remembered cannot be read: ${describeError(error)}`);
        return {};
      }
    },
    /** Saves in the order of the calls. `content` is asked when its turn comes; a failure is logged. */
    save(name: string, content: () => object): void {
      const saved = writing.then(async () => write(name, content()));
      writing = saved.catch(logFailure(logger, "warn", "work-tree"));
    },
    settled: async (): Promise<void> => writing,
    /**
     * Copies files that are about to be reverted: the user may have saved one while a check ran. Never rejects.
     * @returns the folder of the copies; empty for none
     */
    async keepAside<File extends { readonly path: string }>(
      name: string,
      files: readonly File[],
      bytesOf: (file: File) => Promise<Buffer | null>,
    ): Promise<string> {
      if (folder === null) return "";
      const run = join(folder, "put-back", name);
      let left = MAX_KEPT_BYTES;
      let hasKept = false;
      try {
        for (const file of files) {
          const bytes = await bytesOf(file);
          left -= bytes?.length ?? 0;
          if (bytes === null || left < 0) continue;
          await mkdir(dirname(join(run, file.path)), { recursive: true, mode: 0o700 });
          await writeFile(join(run, file.path), bytes, { mode: 0o600 });
          hasKept = true;
        }
        const runs = await readdir(dirname(run)).catch(() => []);
        for (const old of runs.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, -MAX_KEPT_RUNS))
          await rm(join(dirname(run), old), { recursive: true, force: true });
      } catch (error) {
        // Without a copy the file is reverted all the same.
        logger.log("warn", "work-tree", describeError(error));
      }
      return hasKept ? run : "";
    },
  };
}

/** Removes files of old conversations. */
async function tidy(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const age = Date.now() - (await stat(path)).mtimeMs;
    if (age > KEPT_MS) await rm(path, { recursive: true, force: true });
  }
}

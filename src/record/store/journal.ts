import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { appendFile, mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ownDataFolder } from "../../lib/folders.ts";
import { unlessMissing } from "../gaia-path.ts";

const MAX_FILES = 12;
/** Of one file no more than its end is read, in bytes. */
const MAX_BYTES = 32_000_000;
const NAME = /^\d{4}-\d{2}\.jsonl$/;

/** Lines about a project in the user's own data folder, that any process adds and reads. A kill loses none and spoils no other. */
export type Journal = ReturnType<typeof createJournal>;

/** @param month the month that a new line belongs to, as `2026-01` */
export function createJournal(
  directory: string,
  month: () => string,
  environment: NodeJS.ProcessEnv = process.env,
) {
  const read = new Map<string, number>();
  const folderOf = (): string => {
    const own = createHash("sha256").update(realpathSync(directory)).digest("hex").slice(0, 16);
    return join(ownDataFolder(environment), "spending", own);
  };
  const files = async (folder: string): Promise<string[]> =>
    (await unlessMissing(readdir(folder), [])).filter((each) => NAME.test(each)).toSorted();
  const readNew = async (path: string): Promise<string[]> => {
    const { size } = await stat(path);
    const from = Math.max(read.get(path) ?? 0, size - MAX_BYTES);
    if (size <= from) return [];
    const file = await open(path, "r");
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
      // What follows the last line break is still being written, or was torn off.
      const end = buffer.subarray(0, bytesRead).lastIndexOf(10) + 1;
      read.set(path, from + end);
      return buffer.subarray(0, end).toString("utf8").split("\n").filter(Boolean);
    } finally {
      await file.close();
    }
  };

  return {
    /** Lines that were added since the last call, by anyone. @throws for a file that cannot be read */
    async read(): Promise<readonly string[]> {
      const folder = folderOf();
      const lines: string[] = [];
      for (const file of (await files(folder)).slice(-MAX_FILES))
        lines.push(...(await readNew(join(folder, file))));
      return lines;
    },
    async append(lines: readonly string[]): Promise<void> {
      const folder = folderOf();
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // A line break first: the line before may have been torn.
      await appendFile(join(folder, `${month()}.jsonl`), `\n${lines.join("\n")}\n`, { mode: 0o600 });
      const old = (await files(folder)).slice(0, -MAX_FILES);
      await Promise.all(old.map(async (file) => rm(join(folder, file), { force: true })));
    },
  };
}

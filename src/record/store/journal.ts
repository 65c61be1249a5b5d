import { appendFile, mkdir, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { createError } from "../../lib/error.ts";
import { GAIA_FOLDER, resolveInsideGaia, unlessMissing, LOCAL_FOLDER } from "../gaia-path.ts";

const MAX_FILES = 12;
/** Of one file no more than its end is read, in bytes. */
const MAX_BYTES = 32_000_000;
const NAME = /^\d{4}-\d{2}\.jsonl$/;

/** Lines in `.gaia/.local/<name>/` that any process adds and reads. A kill loses none and spoils no other. */
export interface Journal {
  /** Lines that were added since the last call, by anyone. @throws where there is something that cannot be read */
  read(): Promise<readonly string[]>;
  /** @param create whether to make `.gaia/` where it is not there @returns whether they were added */
  append(lines: readonly string[], create: boolean): Promise<boolean>;
}

/** @param month the month that a new line belongs to, as `2026-01` */
export function createJournal(directory: string, name: string, month: () => string): Journal {
  const read = new Map<string, number>();
  const pathOf = async (file = ""): Promise<string> => {
    const path = join(GAIA_FOLDER, LOCAL_FOLDER, name, file);
    const first = await resolveInsideGaia(directory, path);
    // What is made at this very moment is there for some of its steps only.
    const found = first.ok ? first : await resolveInsideGaia(directory, path);
    if (found.ok) return found.path;
    throw createError("journal", `${GAIA_FOLDER}/${LOCAL_FOLDER}/${name} is refused: ${found.reason}.`);
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
    async read() {
      const folder = await pathOf();
      const lines: string[] = [];
      for (const file of (await files(folder)).slice(-MAX_FILES))
        lines.push(...(await readNew(await pathOf(file))));
      return lines;
    },
    async append(lines, create) {
      const folder = await pathOf();
      const local = dirname(folder);
      if (!create && !(await stat(dirname(local)).catch(() => null))?.isDirectory()) return false;
      await mkdir(folder, { recursive: true });
      await writeFile(join(local, ".gitignore"), "*\n", { flag: "wx" }).catch(() => undefined); // It is there.
      const path = await pathOf(`${month()}.jsonl`);
      // A line break first: the line before may have been torn.
      await appendFile(path, `\n${lines.join("\n")}\n`, { mode: 0o600 });
      const old = (await files(folder)).slice(0, -MAX_FILES);
      await Promise.all(old.map(async (file) => rm(await pathOf(file), { force: true })));
      return true;
    },
  };
}

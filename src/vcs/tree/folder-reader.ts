import { join } from "node:path";
import { listFolder } from "../../lib/read-source.ts";
import { statAll } from "../../lib/stat-all.ts";
import { NOT_WALKED } from "../exclusions.ts";
import { createContents } from "./contents.ts";
import type { TreeReader } from "./reader.ts";
import { type DirtyFile, type FileVersion, isSame, NO_FILE } from "./state.ts";

/** More files than this are not looked at: nothing is told then. */
const MAX_FILES = 3_000;
const MAX_ENTRIES = 10_000;
/** What programs leave behind; nothing says here that it is to be ignored. */
const LEFT_BEHIND: ReadonlySet<string> = new Set([
  "__pycache__",
  ".venv",
  ".cache",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
]);

/**
 * Looks at a folder without version control. What it holds at the first look stands for the commit, so that nothing is known
 * of what was before it; and a file whose bytes were too many to be kept is known by name only.
 */
export function createFolderReader(project: string): TreeReader {
  const contents = createContents();
  let first: ReadonlyMap<string, FileVersion> | null = null;

  return {
    async read(isNeeded, signal) {
      const paths = await listFiles(project, signal);
      if (paths === null) return null;
      const now = new Map<string, FileVersion>();
      const stats = await statAll(paths.map((path) => join(project, path)));
      for (const path of paths) {
        const file = join(project, path);
        now.set(path, await contents.versionOf(file, null, "sha1", stats.get(file)));
      }
      if (signal?.aborted === true) return null;
      const base = (first ??= now);
      const dirty = new Map<string, DirtyFile>();
      for (const path of new Set([...base.keys(), ...now.keys()])) {
        const file = { now: now.get(path) ?? NO_FILE, committed: base.get(path) ?? NO_FILE };
        if (!isSame(file.now, file.committed)) dirty.set(path, file);
      }
      const ids = new Set([...base.values(), ...now.values()].map(({ id }) => id));
      contents.retain((id) => ids.has(id) || isNeeded(id));
      return { heads: new Map([["", ""]]), dirty };
    },
    moved: async () => new Map(),
    bytes: async (_path, { id }) => contents.bytes(id),
    version: async (path) => contents.versionOf(join(project, path), null, "sha1"),
    isCommittedHere: async () => false,
    isStashed: async () => false,
    kept: contents.bytes,
    keep: contents.keep,
  };
}

/** The files of a folder with `/` between names; null where it cannot be read, or holds too many. */
async function listFiles(project: string, signal?: AbortSignal): Promise<string[] | null> {
  const files: string[] = [];
  const folders = [""];
  let entriesLeft = MAX_ENTRIES;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await listFolder(join(project, folder), MAX_ENTRIES + 1);
    if ((entries === null && folder === "") || signal?.aborted === true) return null;
    for (const entry of entries ?? []) {
      if (NOT_WALKED.has(entry.name) || LEFT_BEHIND.has(entry.name)) continue;
      if (entriesLeft-- <= 0 || files.length >= MAX_FILES) return null;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else files.push(path);
    }
  }
  return files;
}

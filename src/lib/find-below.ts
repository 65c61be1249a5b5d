import type { Dirent } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { join } from "node:path";
import { succeeds } from "./async.ts";
import { listFolder } from "./read-source.ts";
import { matchesStep, type PatternStep } from "./path-pattern.ts";

/** Folders that a wildcard does not enter; naming one in the pattern does. */
const CLOSED_FOLDERS = new Set(["node_modules", ".git", ".jj"]);

export interface Search {
  /** Folders that may still be read; at 0 nothing more is found. */
  foldersLeft: number;
  readonly signal: AbortSignal;
}

/**
 * What exists below a folder and fits a pattern, as absolute paths: files, folders, and links to something that exists. Links
 * are not followed by wildcards, so that a cycle cannot hold the search. With `**` a path may come more than once.
 */
export async function* findBelow(
  folder: string,
  steps: readonly PatternStep[],
  search: Search,
): AsyncGenerator<string> {
  const [step, ...rest] = steps;
  if (step === undefined) {
    if (await exists(folder)) yield folder;
  } else if (step.kind === "name") {
    yield* findBelow(join(folder, step.name), rest, search);
  } else {
    if (step.kind === "folders") yield* findBelow(folder, rest, search);
    for (const entry of await list(folder, search)) {
      if (!matchesStep(entry.name, step) || CLOSED_FOLDERS.has(entry.name)) continue;
      if (rest.length > 0 && !entry.isDirectory()) continue;
      yield* findBelow(join(folder, entry.name), step.kind === "folders" ? steps : rest, search);
    }
  }
}

async function list(folder: string, search: Search): Promise<Dirent[]> {
  if (search.foldersLeft <= 0 || search.signal.aborted) return [];
  search.foldersLeft -= 1;
  // Not a folder, or not ours to read: nothing is found in it.
  return (await listFolder(folder)) ?? [];
}

export async function exists(path: string): Promise<boolean> {
  return succeeds(stat(path));
}

const ANY_WRITE_BIT = 0o222;

/**
 * Whether a file may be written, by its mode and by whom this is. Replacing a read-only file would work in a folder that is
 * writable, and is still not what its owner wants. @throws Error where there is none
 */
export async function isWritable(path: string): Promise<boolean> {
  const { mode } = await stat(path);
  return (mode & ANY_WRITE_BIT) !== 0 && succeeds(access(path, constants.W_OK));
}

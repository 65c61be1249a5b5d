import { createHash } from "node:crypto";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { listFolder } from "../lib/read-source.ts";
import { NOT_WALKED } from "./exclusions.ts";
import type { FilesNow } from "./port.ts";

const MAX_WALKED_ENTRIES = 20_000;

/**
 * Looks at a project's files by their names, sizes and times, dependencies left out. Never throws; null for a folder that
 * cannot be read, and when it is aborted.
 */
export async function walkFiles(directory: string, signal?: AbortSignal): Promise<FilesNow | null> {
  const fingerprint = await fingerprintWalk(directory, signal);
  return fingerprint === null ? null : { fingerprint, index: "", edited: new Map(), untracked: new Map() };
}

async function fingerprintWalk(directory: string, signal?: AbortSignal): Promise<string | null> {
  const hash = createHash("sha256");
  const folders = [""];
  let entriesLeft = MAX_WALKED_ENTRIES;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await listFolder(join(directory, folder), MAX_WALKED_ENTRIES);
    if (!entries && folder === "") return null;
    for (const entry of (entries ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (NOT_WALKED.has(entry.name)) continue;
      if (signal?.aborted) return null;
      if (entriesLeft <= 0) return hash.digest("hex");
      entriesLeft -= 1;
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory()) folders.push(path);
      else hash.update(`${path}\0${await sizeAndTime(join(directory, path))}\0`);
    }
  }
  return signal?.aborted ? null : hash.digest("hex");
}

async function sizeAndTime(path: string): Promise<string> {
  return lstat(path).then(
    ({ size, mtimeMs }) => `${size}:${mtimeMs}`,
    () => "gone",
  );
}

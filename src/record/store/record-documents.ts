import { type BigIntStats, lstatSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";
import { codeOf, GAIA_FOLDER, refuseSlug } from "../gaia-path.ts";

const ARCHIVE = "archive";
/** Files that are looked at before anyone else gets a turn: about half a millisecond. */
const FILES_AT_ONCE = 256;
const ARCHIVED_UNIT = /^\d{4}-\d{2}-\d{2}\.(.+)$/;

/** What the documents of the record are called, and what they hold. */
const UNIT_DOCUMENTS = {
  "plan.md": "plan",
  "spec.md": "plan",
  "log.md": "log",
  "decisions.md": "decision",
  "sessions.md": "log",
} as const;

export interface RecordDocument {
  /** Below `.gaia`, for example `archive/2026-01-31.auth/decisions.md`. */
  readonly path: string;
  readonly holds: "decision" | "log" | "plan";
  readonly unit: string | null;
  readonly signature: string;
}

interface Wanted {
  readonly path: string;
  readonly holds: RecordDocument["holds"];
  readonly unit: string | null;
}

/** Every document of the record with its signature, at one `lstat` each. Links are left out. */
export async function listRecordDocuments(directory: string): Promise<RecordDocument[]> {
  const root = join(await realpath(directory), GAIA_FOLDER);
  if (lookAt(root)?.isDirectory() !== true) return [];
  const units = (await folders(root)).filter((name) => refuseSlug(name) === null);
  const archived = await folders(join(root, ARCHIVE));
  const wanted: Wanted[] = [
    { path: ".local/sessions.md", holds: "log", unit: null },
    ...units.flatMap((name) => documentsOf(name, name)),
    ...archived.flatMap((name) => documentsOf(`${ARCHIVE}/${name}`, ARCHIVED_UNIT.exec(name)?.[1] ?? name)),
  ];
  const found: RecordDocument[] = [];
  for (let at = 0; at < wanted.length; at += FILES_AT_ONCE) {
    if (at > 0) await breathe();
    found.push(...wanted.slice(at, at + FILES_AT_ONCE).flatMap((document) => sign(root, document)));
  }
  return found;
}

function documentsOf(folder: string, unit: string): Wanted[] {
  return Object.entries(UNIT_DOCUMENTS).map(([name, holds]) => ({ path: `${folder}/${name}`, holds, unit }));
}

function sign(root: string, document: Wanted): RecordDocument[] {
  const found = lookAt(join(root, document.path));
  if (found?.isFile() !== true) return [];
  return [{ ...document, signature: `${found.ino}-${found.size}-${found.mtimeNs}` }];
}

async function folders(path: string): Promise<string[]> {
  if (lookAt(path)?.isDirectory() !== true) return [];
  const entries = await readdir(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

/** Not through the thread pool, which for hundreds of small looks costs ten times what they do. */
function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

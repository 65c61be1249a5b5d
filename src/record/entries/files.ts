import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { inTurns } from "../../lib/async.ts";
import { codeOf, GAIA_FOLDER, KNOWLEDGE_FOLDER } from "../gaia-path.ts";
import { signed } from "../store/atomic-file.ts";
import { readTextSync } from "../../lib/read-source.ts";
import { isEntryFile } from "./entry.ts";

/** What is beyond is not looked at. */
const MAX_FILES = 5_000;
/** A longer text is a book, and no entry. */
const MAX_BYTES = 512_000;
/** More is not read of a file that has grown since. */
const MAX_READ = 2 * MAX_BYTES;
const MAX_UNREAD = 200;
const MAX_DEPTH = 4;
const SHOWN = `${GAIA_FOLDER}/${KNOWLEDGE_FOLDER}`;
const IS_LINK = "is a link, and none is followed";

export interface KnowledgeFile {
  readonly slug: string;
  readonly path: string;
  readonly signature: string;
}

/** Files that are read before anyone else gets a turn. */
const AT_ONCE = 64;

/** What is found in these files; null leaves one out. */
export async function lookInFiles<T>(
  files: readonly KnowledgeFile[],
  look: (file: KnowledgeFile) => T | null,
): Promise<T[]> {
  const found: T[] = [];
  for await (const some of inTurns(files, AT_ONCE))
    for (const file of some) {
      const each = look(file);
      if (each !== null) found.push(each);
    }
  return found;
}

/** The entries' files as they are now, without waiting, and nothing that a link within the project leads to. */
export function listEntryFiles(project: string) {
  const files: KnowledgeFile[] = [];
  /** What lies among the entries and is none, each with the reason. */
  const unread: string[] = [];
  const leave = (name: string, why: string): void => {
    if (unread.length < MAX_UNREAD) unread.push(`${name} ${why}`);
  };
  const gaia = join(realpathSync(project), GAIA_FOLDER);
  const folder = join(gaia, KNOWLEDGE_FOLDER);
  const walk = (within: string, depth: number): void => {
    for (const entry of readdirSync(join(folder, within), { withFileTypes: true })) {
      const name = `${within}${entry.name}`;
      if (entry.isDirectory() && depth < MAX_DEPTH) walk(`${name}/`, depth + 1);
      if (entry.isSymbolicLink()) leave(`${SHOWN}/${name}`, IS_LINK);
      const found = entry.isFile() && /\.md$/i.test(name) ? sign(join(folder, name)) : null;
      if (found === null) continue;
      const why = whyUnread(name, found.size);
      if (why !== "") leave(`${SHOWN}/${name}`, why);
      else if (files.length < MAX_FILES) files.push({ slug: name.slice(0, -3), ...found });
      else leave(`${SHOWN}/${name}`, `is one more than the ${MAX_FILES} that are read`);
    }
  };
  try {
    for (const each of [gaia, folder]) {
      const found = lstatSync(each);
      if (found.isSymbolicLink()) leave(each === folder ? SHOWN : GAIA_FOLDER, IS_LINK);
      if (!found.isDirectory()) return { files, unread };
    }
    walk("", 0);
    return { files, unread };
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return { files, unread };
    throw error;
  }
}

function whyUnread(name: string, size: bigint): string {
  if (!name.endsWith(".md") || !name.slice(0, -3).split("/").every(isEntryFile))
    return "has a name that is no id: 1 to 64 of a-z, 0-9, -, _ and ., then .md; folders alike";
  return size > MAX_BYTES ? `is larger than ${MAX_BYTES} bytes` : "";
}

function sign(path: string): { path: string; signature: string; size: bigint } | null {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found?.isFile() !== true) return null;
  return { path, size: found.size, signature: signed(found) };
}

/** Its text; null where it is gone, empty or a link by now. Synchronous: of a thousand files that is five times as fast. */
export function readEntry({ path }: Pick<KnowledgeFile, "path">): string | null {
  return readTextSync(path, MAX_READ, false) || null;
}

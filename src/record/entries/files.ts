import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { codeOf, GAIA_FOLDER, KNOWLEDGE_FOLDER } from "../gaia-path.ts";
import { openCodeConfigFolder } from "../../lib/user-folders.ts";
import { signed } from "../store/atomic-file.ts";
import { readTextSync } from "../../lib/read-source.ts";
import { isEntryFile, KNOWLEDGE_SCOPES, type KnowledgeScope } from "./entry.ts";

/** Of one folder; what is beyond is not looked at. */
const MAX_FILES = 5_000;
/** A longer text is a book, and no entry. */
const MAX_BYTES = 512_000;
/** More is not read of a file that has grown since. */
const MAX_READ = 2 * MAX_BYTES;
const MAX_UNREAD = 200;
const MAX_DEPTH = 4;

export interface KnowledgeFile {
  readonly slug: string;
  readonly scope: KnowledgeScope;
  readonly path: string;
  readonly signature: string;
}

/** Where the entries of a scope lie, links on the way to the project followed and none within it. */
export function knowledgeFolder(
  scope: KnowledgeScope,
  project: string,
  environment: NodeJS.ProcessEnv,
): string {
  if (scope === "user") return join(openCodeConfigFolder(environment), "gaia-knowledge");
  return join(realpathSync(project), GAIA_FOLDER, KNOWLEDGE_FOLDER);
}

/** A file that lies among the entries and is none: models are told nothing of it either. */
export interface UnreadFile extends Pick<KnowledgeFile, "path" | "signature"> {
  readonly what: string;
}

export interface FolderOfKnowledge {
  readonly files: readonly KnowledgeFile[];
  readonly unread: readonly UnreadFile[];
}

/** The files of both scopes. */
export function listAllFiles(project: string, environment: NodeJS.ProcessEnv): FolderOfKnowledge {
  const folders = KNOWLEDGE_SCOPES.map((scope) =>
    listFiles(scope, knowledgeFolder(scope, project, environment)),
  );
  return {
    files: folders.flatMap(({ files }) => files),
    unread: folders.flatMap(({ unread }) => unread),
  };
}

/** Files that are read before anyone else gets a turn. */
const AT_ONCE = 64;

/** What is found in these files; null leaves one out. */
export async function lookInFiles<T>(
  files: readonly KnowledgeFile[],
  look: (file: KnowledgeFile) => T | null,
): Promise<T[]> {
  const found: T[] = [];
  for (const [at, file] of files.entries()) {
    if (at > 0 && at % AT_ONCE === 0) await setImmediate();
    const each = look(file);
    if (each !== null) found.push(each);
  }
  return found;
}

/** The files of a folder as they are now, without waiting; none where it is none, and nothing that a link leads to. */
function listFiles(scope: KnowledgeScope, folder: string): FolderOfKnowledge {
  const files: KnowledgeFile[] = [];
  const unread: UnreadFile[] = [];
  const shown = scope === "project" ? `${GAIA_FOLDER}/${KNOWLEDGE_FOLDER}` : "gaia-knowledge";
  const leave = (path: string, name: string): void => {
    if (unread.length < MAX_UNREAD)
      unread.push({ path, signature: "", what: `${name} is a link, and none is followed` });
  };
  const walk = (within: string, depth: number): void => {
    for (const entry of readdirSync(join(folder, within), { withFileTypes: true })) {
      const name = `${within}${entry.name}`;
      if (entry.isDirectory() && depth < MAX_DEPTH) walk(`${name}/`, depth + 1);
      if (entry.isSymbolicLink()) leave(join(folder, name), `${shown}/${name}`);
      const found = entry.isFile() && /\.md$/i.test(name) ? sign(join(folder, name)) : null;
      if (found === null) continue;
      const slug = name.slice(0, -3);
      const why = whyUnread(name, found.size);
      if (why === "" && files.length < MAX_FILES) files.push({ slug, scope, ...found });
      else if (unread.length < MAX_UNREAD) unread.push({ ...found, what: `${shown}/${name} ${why}` });
    }
  };
  try {
    const above = scope === "project" ? [join(folder, ".."), folder] : [folder];
    for (const [at, each] of above.entries()) {
      const found = lstatSync(each);
      if (found.isSymbolicLink()) leave(each, at === 0 && scope === "project" ? GAIA_FOLDER : shown);
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

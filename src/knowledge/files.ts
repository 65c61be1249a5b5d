import { lstatSync } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, GAIA_FOLDER } from "../workspace/gaia-path.ts";
import { readTextFile } from "../workspace/store/text-file.ts";
import { openCodeConfigFolder } from "../lib/user-folders.ts";
import { KNOWLEDGE_FOLDER } from "./committed.ts";
import { isEntryFile, type KnowledgeScope } from "./entry.ts";

/** Of one folder; what is beyond is not looked at. */
const MAX_FILES = 5_000;
/** A longer text is a document, and no entry. */
const MAX_BYTES = 64_000;
/** Files that are none, and how deep in the folder they are found. */
const MAX_UNREAD = 200;
const MAX_DEPTH = 4;

/** A file that may hold an entry, with a text that changes with it. */
export interface KnowledgeFile {
  readonly slug: string;
  readonly scope: KnowledgeScope;
  readonly path: string;
  readonly signature: string;
}

/** Where the entries of a scope lie, links on the way to the project followed and none within it. */
export async function knowledgeFolder(
  scope: KnowledgeScope,
  project: string,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  if (scope === "user") return join(openCodeConfigFolder(environment), "gaia-knowledge");
  return join(await realpath(project), GAIA_FOLDER, KNOWLEDGE_FOLDER);
}

/** A file that lies among the entries and is none: models are told nothing of it either. */
export interface UnreadFile extends Pick<KnowledgeFile, "path" | "signature"> {
  /** As people know it, and why it is none. */
  readonly what: string;
}

/** What a folder holds. */
export interface FolderOfKnowledge {
  readonly files: readonly KnowledgeFile[];
  readonly unread: readonly UnreadFile[];
}

/** The files of a folder as they are now; none where it is none, or a link. */
export async function listFiles(scope: KnowledgeScope, folder: string): Promise<FolderOfKnowledge> {
  const files: KnowledgeFile[] = [];
  const unread: UnreadFile[] = [];
  const shown = scope === "project" ? `${GAIA_FOLDER}/${KNOWLEDGE_FOLDER}` : "gaia-knowledge";
  const walk = async (within: string, depth: number): Promise<void> => {
    for (const entry of await readdir(join(folder, within), { withFileTypes: true })) {
      const name = `${within}${entry.name}`;
      if (entry.isDirectory() && depth < MAX_DEPTH) await walk(`${name}/`, depth + 1);
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
    for (const each of above) if (!(await lstat(each)).isDirectory()) return { files, unread };
    await walk("", 0);
    return { files, unread };
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return { files, unread };
    throw error;
  }
}

function whyUnread(name: string, size: bigint): string {
  if (name.includes("/")) return "lies in a folder of its own: entries lie beside each other";
  if (!name.endsWith(".md") || !isEntryFile(name.slice(0, -3)))
    return "has a name that is no id: 1 to 64 of a-z, 0-9, -, _ and ., then .md";
  return size > MAX_BYTES ? `is larger than ${MAX_BYTES} bytes` : "";
}

function sign(path: string): { path: string; signature: string; size: bigint } | null {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found?.isFile() !== true) return null;
  return { path, size: found.size, signature: `${found.ino}-${found.size}-${found.mtimeNs}` };
}

/** Its text; null where it is gone or is no text. */
export async function readEntry({ path }: Pick<KnowledgeFile, "path">): Promise<string | null> {
  return (await readTextFile(path, path, "replaceable"))?.text ?? null;
}

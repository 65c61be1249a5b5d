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

/** The files of a folder as they are now; none where it is none, or a link. */
export async function listFiles(scope: KnowledgeScope, folder: string): Promise<KnowledgeFile[]> {
  try {
    const above = scope === "project" ? [join(folder, ".."), folder] : [folder];
    for (const each of above) if (!(await lstat(each)).isDirectory()) return [];
    const entries = await readdir(folder, { withFileTypes: true });
    const names = entries.flatMap((entry) => {
      const slug = entry.name.replace(/\.md$/, "");
      return entry.isFile() && slug !== entry.name && isEntryFile(slug) ? [slug] : [];
    });
    return names.slice(0, MAX_FILES).flatMap((slug) => sign(scope, slug, join(folder, `${slug}.md`)));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return [];
    throw error;
  }
}

function sign(scope: KnowledgeScope, slug: string, path: string): KnowledgeFile[] {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size > MAX_BYTES) return [];
  return [{ slug, scope, path, signature: `${found.ino}-${found.size}-${found.mtimeNs}` }];
}

/** Its text; null where it is gone or is no text. */
export async function readEntry({ path }: Pick<KnowledgeFile, "path">): Promise<string | null> {
  return (await readTextFile(path, path, "replaceable"))?.text ?? null;
}

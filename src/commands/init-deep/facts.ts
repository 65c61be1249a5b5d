import { lstat } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize } from "node:path";
import type { JudgedEntry } from "../../knowledge/judge.ts";
import type { Learning } from "../../workspace/documents/learning.ts";

/** Folders that are looked into for one text. */
const MAX_PATHS = 8;
/** What looks like a path with a folder in it, or a file's name; no part of an address or of a path from the root. */
const PATH = /(?<![\w@./~-])(?:(?:[\w@.-]+\/)+[\w@.-]*|[\w@-][\w@.-]*\.[a-z]\w{0,7}\b)/gi;

/** What is known and the code does not show, by the folder that it is about; `.` is the project. */
export type KnownByFolder = ReadonlyMap<string, readonly string[]>;

/**
 * Sorts what the record knows, with what there is to doubt of it, by the folders whose files it names. What names files that are all gone is out of date, and
 * stands nowhere.
 */
export async function sortByFolder(
  project: string,
  learnings: readonly (Pick<Learning, "kind" | "text"> & { readonly doubt?: string })[],
  knowledge: readonly Pick<JudgedEntry, "type" | "body">[],
): Promise<KnownByFolder> {
  const found = new Map<string, string[]>();
  const texts = [
    ...learnings.map(({ kind, text, doubt = "" }) => ({ kind: kind.replaceAll("_", " "), text, doubt })),
    ...knowledge.map(({ type, body }) => ({ kind: type, text: body.replace(/^#+\s+/, ""), doubt: "" })),
  ];
  for (const { kind, text, doubt } of texts) {
    const folder = await folderOf(project, text);
    if (folder === null) continue;
    const lines = found.get(folder) ?? [];
    found.set(folder, [...lines, `${kind}: ${text}${doubt === "" ? "" : ` (${doubt})`}`]);
  }
  return found;
}

/** The folder that all existing files of a text share; null where it names files and none of them is there. */
async function folderOf(project: string, text: string): Promise<string | null> {
  const named = [...new Set(text.match(PATH) ?? [])].slice(0, MAX_PATHS);
  const paths = named.map((path) => normalize(path.replace(/[.,:;]+$/, ""))).filter(isInside);
  const folders = (await Promise.all(paths.map(async (path) => existing(project, path)))).filter(
    (folder) => folder !== null,
  );
  // A word with a dot in it need not be a file; a path with a folder in it is meant as one.
  if (folders.length === 0) return paths.some((path) => path.includes("/")) ? null : ".";
  return folders.reduce(shared);
}

function isInside(path: string): boolean {
  return (
    !isAbsolute(path) && path.split("/")[0] !== ".." && !/^(?:\.git|\.gaia|node_modules)(?:\/|$)/.test(path)
  );
}

async function existing(project: string, path: string): Promise<string | null> {
  const found = await lstat(join(project, path)).catch(() => null);
  if (found === null) return null;
  return found.isDirectory() ? path.replace(/\/$/, "") : dirname(path);
}

function shared(one: string, other: string): string {
  const [left, right] = [one.split("/"), other.split("/")];
  const count = left.findIndex((part, at) => part !== right[at]);
  return (count === -1 ? left : left.slice(0, count)).join("/") || ".";
}

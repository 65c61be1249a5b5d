import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { listFolder, readText } from "../../lib/read-source.ts";
import { isSameModule, moduleNamesOf, usesOneOf } from "./names.ts";

/** More files than this are not looked at. */
const MAX_FILES = 4_000;
const MAX_FILE_BYTES = 1_000_000;
/** Characters of texts that are kept until their files change. */
const MAX_KEPT = 40_000_000;
/** Folders that are looked into, and files that are read, at once. */
const MAX_AT_ONCE = 32;
/** Folders in which nobody writes by hand, beside hidden ones. */
const NOT_SOURCES = new Set("node_modules vendor dist build out target coverage venv __pycache__".split(" "));
/** How far the change of a file is followed over files that pass it on. */
const MAX_STEPS = 3;

/** The files below a root that one server knows about. Paths are absolute; nothing here throws. @param isWanted whether a file counts, by its name */
export function createSourceFiles(root: string, isWanted: (name: string) => boolean) {
  let stamps: ReadonlyMap<string, string> | null = null;
  const kept = new Map<string, { readonly stamp: string; readonly text: string }>();
  let size = 0;

  const textOf = async (path: string, stamp: string): Promise<string> => {
    const known = kept.get(path);
    if (known?.stamp === stamp) return known.text;
    const text = await readText(path, MAX_FILE_BYTES);
    size += text.length - (known?.text.length ?? 0);
    if (size > MAX_KEPT) {
      kept.clear();
      size = text.length;
    }
    kept.set(path, { stamp, text });
    return text;
  };

  /** The files whose text fits, at most `most`. */
  const find = async (fits: (text: string, path: string) => boolean, most: number): Promise<string[]> => {
    const left = [...(stamps ?? [])];
    const found: string[] = [];
    while (left.length > 0 && found.length < most) {
      const read = left
        .splice(0, MAX_AT_ONCE)
        .map(async ([path, stamp]) => (fits(await textOf(path, stamp), path) ? [path] : []));
      found.push(...(await Promise.all(read)).flat());
    }
    return found.slice(0, most);
  };

  return {
    find,
    /** Looks again. @returns what is different from the look before; nothing at the first one */
    async look(): Promise<Readonly<Record<"created" | "changed" | "deleted", readonly string[]>>> {
      const before = stamps;
      const now = (stamps = await listFiles(root, isWanted));
      if (before === null) return { created: [], changed: [], deleted: [] };
      for (const path of kept.keys()) if (!now.has(path)) kept.delete(path);
      return {
        created: [...now.keys()].filter((path) => !before.has(path)),
        changed: [...now].flatMap(([path, stamp]) =>
          before.has(path) && before.get(path) !== stamp ? [path] : [],
        ),
        deleted: [...before.keys()].filter((path) => !now.has(path)),
      };
    },
    /** Files that use these, directly or through others, the nearest first, at most `most`. */
    async usersOf(paths: readonly string[], most: number): Promise<string[]> {
      const found = new Set<string>();
      let step: readonly string[] = paths;
      for (let steps = 0; steps < MAX_STEPS && step.length > 0 && found.size < most; steps += 1) {
        const used = step;
        const names = used.flatMap(moduleNamesOf);
        const isUser = (text: string, path: string): boolean =>
          !found.has(path) &&
          !paths.includes(path) &&
          (used.some((each) => isSameModule(each, path)) || usesOneOf(text, names));
        step = await find(isUser, most - found.size);
        for (const path of step) found.add(path);
      }
      return [...found];
    },
  };
}

/** The wanted files below a folder with what tells that one has changed, the outer ones first. */
export async function listFiles(
  root: string,
  isWanted: (name: string) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const lookInto = async (folder: string): Promise<string[]> => {
    const entries = (await listFolder(folder)) ?? [];
    const files = entries.filter((each) => each.isFile() && isWanted(each.name));
    await Promise.all(
      files.map(async ({ name }) => {
        const path = join(folder, name);
        const stat = await lstat(path).catch(() => null);
        if (stat !== null) found.set(path, `${stat.mtimeMs}:${stat.size}:${stat.ino}`);
      }),
    );
    return entries
      .filter((each) => each.isDirectory() && !each.name.startsWith(".") && !NOT_SOURCES.has(each.name))
      .map(({ name }) => join(folder, name));
  };
  for (let folders = [root]; folders.length > 0 && found.size < MAX_FILES;) {
    const here = folders.splice(0, MAX_AT_ONCE);
    folders = [...folders, ...(await Promise.all(here.map(lookInto))).flat()];
  }
  return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

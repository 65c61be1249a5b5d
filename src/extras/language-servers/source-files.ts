import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { nameIn } from "./position.ts";
import { endingOf, type ServerEntry } from "./servers.ts";
import { readText as readTextOf } from "../../lib/read-source.ts";

/** More files than this are not looked at. */
const MAX_FILES = 4_000;
const MAX_FILE_BYTES = 1_000_000;
/** Folders that are looked into, and files that are read, at once. */
const MAX_AT_ONCE = 32;
/** Folders in which nobody writes by hand, beside hidden ones. */
export const NOT_SOURCES = new Set(
  "node_modules vendor dist build out target coverage venv __pycache__".split(" "),
);
/** What the errors of files hang on beside them: what was installed, made by programs, or says how they are read. */
const SURROUNDINGS = /^(?:node_modules|vendor|dist|build|out|target|\.?venv)$/;
const SETTINGS = /[.-]lock(?:b|file)?(?:\.\w+)?$|^go\.sum$|^[tj]sconfig\b.*\.json$|^requirements\b.*\.txt$/;
/** What package managers write when they are done, below a folder of those. */
const MARKERS = [".package-lock.json", ".modules.yaml", ".yarn-state.yml"];
/** Lines by which a file takes something from another one, in whatever language; most that begin with `export` declare something. */
const TAKING =
  /\b(?:import|from|require|include|require_relative|use|mod|load|source|using)\b|\bexport\s+["']/;
/** A module's name that stands for its folder. */
const FOLDER_NAMES = new Set(["index", "__init__", "mod", "lib", "main"]);
/** A module that is named by the way to its folder alone. */
const FOLDER_ITSELF = /["'](?:\.{1,2}\/)*\.{1,2}\/?["']/;
/** In these languages the files of a folder know each other without a word, and others name the folder. */
const FOLDER_IS_MODULE = new Set(["go", "java", "kt", "kts", "cs", "swift", "tf"]);
/** How far the change of a file is followed over files that pass it on. */
const MAX_STEPS = 3;

/** What changed on disk since the last look. */
export interface SeenChanges {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  /** Beside the files themselves: packages, what programs make, settings that have no name of their own. */
  readonly around: readonly string[];
}

/** The files below a root that one server knows about. Paths are absolute; nothing here throws. */
export interface SourceFiles {
  /** Looks again. @returns what is different from the look before; nothing at the first one */
  look(): Promise<SeenChanges>;
  /** The text of a file; "" for what is no text of a bearable size. */
  read(path: string): Promise<string>;
  /** Files in which a name stands, at most `most`. */
  mentioning(name: string, most: number): Promise<string[]>;
  /** Files that take something from these, directly or through others, the nearest first, at most `most`. */
  importersOf(paths: readonly string[], most: number): Promise<string[]>;
}

export function createSourceFiles(
  root: string,
  { languageIds, roots }: Pick<ServerEntry, "languageIds" | "roots">,
): SourceFiles {
  const stamps = new Map<string, string>();
  const taken = new Map<string, { readonly stamp: string; readonly lines: string }>();
  let around = new Map<string, string>();
  let isFirst = true;

  const isOurs = (name: string): boolean => languageIds.has(endingOf(name)) || roots.includes(name);

  const list = async (beside: Map<string, string>): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    const note = async (to: Map<string, string>, path: string): Promise<void> => {
      const stat = await lstat(path).catch(() => null);
      if (stat !== null) to.set(path, `${stat.mtimeMs}:${stat.size}:${stat.ino}`);
    };
    /** @returns the folders in it */
    const lookInto = async (folder: string): Promise<string[]> => {
      const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
      await Promise.all(
        entries.flatMap((each) => {
          const path = join(folder, each.name);
          if (each.isFile() && isOurs(each.name)) return [note(found, path)];
          if (each.isFile() && SETTINGS.test(each.name)) return [note(beside, path)];
          if (each.isFile() || !SURROUNDINGS.test(each.name)) return [];
          return [path, ...MARKERS.map((name) => join(path, name))].map(async (one) => note(beside, one));
        }),
      );
      for (const each of entries.filter(({ name }) => /^\.?venv$/.test(name)))
        for (const packages of await sitePackagesIn(join(folder, each.name))) await note(beside, packages);
      return entries
        .filter((each) => each.isDirectory() && !each.name.startsWith(".") && !NOT_SOURCES.has(each.name))
        .map(({ name }) => join(folder, name));
    };
    // The outer folders first, those of one depth side by side.
    for (let folders = [root]; folders.length > 0 && found.size < MAX_FILES;) {
      const here = folders.splice(0, MAX_AT_ONCE);
      folders = [...folders, ...(await Promise.all(here.map(lookInto))).flat()];
    }
    return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };

  /** Reads the lines by which files take from others, where they are not known. */
  const readTaking = async (paths: readonly string[]): Promise<void> => {
    const unread = paths.filter((path) => taken.get(path)?.stamp !== stamps.get(path));
    for (const [path, text] of await readAll(unread))
      taken.set(path, { stamp: stamps.get(path) ?? "", lines: takingLines(text) });
  };

  const importersOf = (path: string, all: readonly string[]): string[] => {
    const names = namesOf(path);
    const ending = endingOf(path);
    const isBeside = (each: string): boolean =>
      FOLDER_IS_MODULE.has(ending) && dirname(each) === dirname(path) && endingOf(each) === ending;
    return all.filter(
      (each) => each !== path && (isBeside(each) || namesOneOf(names, taken.get(each)?.lines ?? "")),
    );
  };

  return {
    read: readText,
    async look() {
      const beside = new Map<string, string>();
      const found = await list(beside);
      const before = new Map(stamps);
      const old = around;
      around = beside;
      stamps.clear();
      for (const [path, stamp] of found) stamps.set(path, stamp);
      for (const path of taken.keys()) if (!found.has(path)) taken.delete(path);
      if (isFirst) {
        isFirst = false;
        return { created: [], changed: [], deleted: [], around: [] };
      }
      return {
        created: [...found.keys()].filter((path) => !before.has(path)),
        changed: [...found].flatMap(([path, stamp]) => {
          const old = before.get(path);
          return old === undefined || old === stamp ? [] : [path];
        }),
        deleted: [...before.keys()].filter((path) => !found.has(path)),
        around: [...new Set([...old.keys(), ...beside.keys()])].filter(
          (path) => old.get(path) !== beside.get(path),
        ),
      };
    },
    async mentioning(name, most) {
      const wanted = [named(name)];
      const left = [...stamps.keys()].filter((path) => languageIds.has(endingOf(path)));
      const found: string[] = [];
      while (left.length > 0 && found.length < most)
        for (const [path, text] of await readAll(left.splice(0, MAX_AT_ONCE)))
          if (namesOneOf(wanted, text)) found.push(path);
      return found.slice(0, most);
    },
    async importersOf(paths, most) {
      const all = [...stamps.keys()].filter((path) => languageIds.has(endingOf(path)));
      await readTaking(all);
      const found = new Set<string>();
      let step = [...paths];
      for (let steps = 0; steps < MAX_STEPS && step.length > 0 && found.size < most; steps += 1) {
        const next = new Set(step.flatMap((path) => importersOf(path, all)));
        step = [...next].filter((path) => !found.has(path) && !paths.includes(path));
        for (const path of step) found.add(path);
      }
      return [...found].slice(0, most);
    },
  };
}

/** Where a virtual environment of Python's keeps what is installed. */
async function sitePackagesIn(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, "lib")).catch((): string[] => []);
  return [...names.map((name) => join(folder, "lib", name)), join(folder, "Lib")].map((each) =>
    join(each, "site-packages"),
  );
}

/** The lines of a text by which it takes from others. */
function takingLines(text: string): string {
  // A list of names may stand between the word and the module.
  return text
    .replaceAll(/\bimport\s*\([^()]*\)/g, (block) => block.replaceAll("\n", " "))
    .replaceAll(/\{[^{}]*\}|\([^()"']*\)/g, " ")
    .split("\n")
    .filter((line) => TAKING.test(line))
    .join("\n");
}

/** Whether a line is one by which a file takes something from another one. */
export function takesFrom(line: string, path: string): boolean {
  return TAKING.test(line) && namesOneOf(namesOf(path), line);
}

/** A name by which a text is searched; most texts are told apart by the part that is always there. */
interface Name {
  readonly part: string;
  readonly pattern: RegExp;
}

const named = (name: string): Name => ({ part: name, pattern: nameIn(name) });

function namesOneOf(names: readonly Name[], text: string): boolean {
  return names.some(({ part, pattern }) => text.includes(part) && text.search(pattern) !== -1);
}

/** How others name a file that they take something from. */
function namesOf(path: string): Name[] {
  const name = basename(path, extname(path)).replace(/\.d$/, "");
  if (FOLDER_IS_MODULE.has(endingOf(path))) return [named(name), named(basename(dirname(path)))];
  return FOLDER_NAMES.has(name)
    ? [named(name), named(basename(dirname(path))), { part: ".", pattern: FOLDER_ITSELF }]
    : [named(name)];
}

/** The texts of files, some read at once. */
async function readAll(paths: readonly string[]): Promise<[path: string, text: string][]> {
  const read: [string, string][] = [];
  const left = [...paths];
  while (left.length > 0)
    read.push(
      ...(await Promise.all(
        left
          .splice(0, MAX_AT_ONCE)
          .map(async (path): Promise<[string, string]> => [path, await readText(path)]),
      )),
    );
  return read;
}

/** The text of a file; "" for what is no text of a bearable size. */
async function readText(path: string): Promise<string> {
  const stat = await lstat(path).catch(() => null);
  if (stat === null || !stat.isFile() || stat.size > MAX_FILE_BYTES) return "";
  return readTextOf(path, MAX_FILE_BYTES);
}

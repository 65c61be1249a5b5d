import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { nameIn } from "./position.ts";
import { endingOf, type ServerEntry } from "./servers.ts";

/** More files than this are not looked at. */
const MAX_FILES = 4_000;
const MAX_FILE_BYTES = 1_000_000;
/** Folders in which nobody writes by hand, beside hidden ones. */
export const NOT_SOURCES = new Set(
  "node_modules vendor dist build out target coverage venv __pycache__".split(" "),
);
/** What the errors of files hang on beside them: what was installed, made by programs, or says how they are read. */
const SURROUNDINGS = /^(?:node_modules|vendor|dist|build|out|target|\.?venv)$/;
const SETTINGS = /[.-]lock(?:b|file)?(?:\.\w+)?$|^go\.sum$|^[tj]sconfig\b.*\.json$|^requirements\b.*\.txt$/;
/** What package managers write when they are done, below a folder of those. */
const MARKERS = [".package-lock.json", ".modules.yaml", ".yarn-state.yml"];
/** Lines by which a file takes something from another one, in whatever language. */
const TAKING = /\b(?:import|from|require|include|require_relative|use|mod|load|source|using|export)\b/;
/** A module's name that stands for its folder. */
const FOLDER_NAMES = new Set(["index", "__init__", "mod", "lib", "main"]);
/** A module that is named by the way to its folder alone. */
const FOLDER_ITSELF = /["'](?:\.{1,2}\/)*\.{1,2}\/?["']/g;
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

export function createSourceFiles(root: string, { languageIds, roots }: ServerEntry): SourceFiles {
  const stamps = new Map<string, string>();
  const taken = new Map<string, { readonly stamp: string; readonly lines: string }>();
  let around = new Map<string, string>();
  let isFirst = true;

  const isOurs = (name: string): boolean => languageIds.has(endingOf(name)) || roots.includes(name);

  const list = async (beside: Map<string, string>): Promise<Map<string, string>> => {
    const found = new Map<string, string>();
    const folders = [root];
    for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
      const here = folder;
      const entries = await readdir(here, { withFileTypes: true }).catch(() => []);
      folders.push(
        ...entries
          .filter((each) => each.isDirectory() && !each.name.startsWith(".") && !NOT_SOURCES.has(each.name))
          .map(({ name }) => join(here, name)),
      );
      const note = async (to: Map<string, string>, path: string): Promise<void> => {
        const stat = await lstat(path).catch(() => null);
        if (stat !== null) to.set(path, `${stat.mtimeMs}:${stat.size}:${stat.ino}`);
      };
      await Promise.all(
        entries.flatMap((each) => {
          const path = join(here, each.name);
          if (each.isFile() && isOurs(each.name)) return [note(found, path)];
          if (each.isFile() && SETTINGS.test(each.name)) return [note(beside, path)];
          if (each.isFile() || !SURROUNDINGS.test(each.name)) return [];
          return [path, ...MARKERS.map((name) => join(path, name))].map(async (one) => note(beside, one));
        }),
      );
      for (const each of entries.filter(({ name }) => /^\.?venv$/.test(name)))
        for (const packages of await sitePackagesIn(join(here, each.name))) await note(beside, packages);
      if (found.size >= MAX_FILES) break;
    }
    return new Map([...found].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  };

  /** The lines by which a file takes from others. */
  const takingOf = async (path: string): Promise<string> => {
    const stamp = stamps.get(path) ?? "";
    const known = taken.get(path);
    if (known?.stamp === stamp) return known.lines;
    const text = await readText(path);
    // A list of names may stand between the word and the module.
    const lines = text
      .replaceAll(/\bimport\s*\([^()]*\)/g, (block) => block.replaceAll("\n", " "))
      .replaceAll(/\{[^{}]*\}|\([^()"']*\)/g, " ")
      .split("\n")
      .filter((line) => TAKING.test(line))
      .join("\n");
    taken.set(path, { stamp, lines });
    return lines;
  };

  const importersOf = async (path: string): Promise<string[]> => {
    const names = namesOf(path);
    const all = [...stamps.keys()].filter((each) => each !== path && languageIds.has(endingOf(each)));
    const lines = await Promise.all(all.map(takingOf));
    const ending = endingOf(path);
    const isBeside = (each: string): boolean =>
      FOLDER_IS_MODULE.has(ending) && dirname(each) === dirname(path) && endingOf(each) === ending;
    return all.filter(
      (each, at) => isBeside(each) || names.some((name) => (lines[at] ?? "").match(name) !== null),
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
      const test = nameIn(name);
      const found: string[] = [];
      for (const path of stamps.keys()) {
        if (found.length >= most) break;
        if (languageIds.has(endingOf(path)) && (await readText(path)).match(test) !== null) found.push(path);
      }
      return found;
    },
    async importersOf(paths, most) {
      const found = new Set<string>();
      let step = [...paths];
      for (let steps = 0; steps < MAX_STEPS && step.length > 0 && found.size < most; steps += 1) {
        const next = new Set<string>();
        for (const path of step) for (const each of await importersOf(path)) next.add(each);
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

/** Whether a line is one by which a file takes something from another one. */
export function takesFrom(line: string, path: string): boolean {
  return TAKING.test(line) && namesOf(path).some((name) => line.match(name) !== null);
}

/** How others name a file that they take something from. */
function namesOf(path: string): RegExp[] {
  const name = basename(path, extname(path)).replace(/\.d$/, "");
  if (FOLDER_IS_MODULE.has(endingOf(path))) return [nameIn(name), nameIn(basename(dirname(path)))];
  return FOLDER_NAMES.has(name)
    ? [nameIn(name), nameIn(basename(dirname(path))), FOLDER_ITSELF]
    : [nameIn(name)];
}

/** The text of a file; "" for what is no text of a bearable size. */
async function readText(path: string): Promise<string> {
  const stat = await lstat(path).catch(() => null);
  if (stat === null || !stat.isFile() || stat.size > MAX_FILE_BYTES) return "";
  return readFile(path, "utf8").catch(() => "");
}

import { basename, dirname, extname } from "node:path";
import { endingOf } from "./known-servers.ts";

/** What names consist of, in any script, with the marks that belong to letters. */
const IN_NAME = /[\p{ID_Continue}$\u200C\u200D]/u;
/** Lines by which a file uses another one, in whatever language; most that begin with `export` declare something. */
const USING =
  /\b(?:import|from|require|include|require_relative|use|mod|load|source|using)\b|\bexport\s+["']/;
/** A file's name that stands for its folder. */
const FOLDER_NAMES = new Set(["index", "__init__", "mod", "lib", "main"]);
/** In these languages others name the folder, and its files use each other without a word. */
const FOLDER_IS_MODULE = new Set(["go", "java", "kt", "kts", "cs", "swift", "tf"]);

/** The lines of a text as the protocol counts them. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Where a name stands by itself in a text, and not as a part of another one. */
export function occurrencesOf(text: string, name: string): number[] {
  const found: number[] = [];
  if (name === "") return found;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + name.length))
    if (!IN_NAME.test(text.charAt(at - 1)) && !IN_NAME.test(text.charAt(at + name.length))) found.push(at);
  return found;
}

/** The names by which other files use this one. */
export function moduleNamesOf(path: string): string[] {
  const name = basename(path, extname(path)).replace(/\.d$/, "");
  const isFolder = FOLDER_NAMES.has(name) || FOLDER_IS_MODULE.has(endingOf(path));
  return isFolder ? [name, basename(dirname(path))] : [name];
}

/** Whether a text has a line by which it uses something of one of these names. */
export function usesOneOf(text: string, names: readonly string[]): boolean {
  // Most texts do not have the name at all.
  if (!names.some((name) => text.includes(name))) return false;
  return text
    .replaceAll(/\bimport\s*\([^()]*\)/g, (block) => block.replaceAll("\n", " "))
    .split("\n")
    .some((line) => USING.test(line) && names.some((name) => occurrencesOf(line, name).length > 0));
}

/** Whether two files belong to one module by standing in one folder. */
export function isSameModule(path: string, other: string): boolean {
  const ending = endingOf(path);
  return FOLDER_IS_MODULE.has(ending) && endingOf(other) === ending && dirname(path) === dirname(other);
}

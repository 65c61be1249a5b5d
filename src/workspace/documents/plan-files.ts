import { posix } from "node:path";
import { patternsMeet } from "../../lib/path-pattern.ts";
import { normalisePath } from "./plan-scope.ts";
import type { PlanTask } from "./plan-tasks.ts";

/** What a plan says of a file beside its name: that a task makes it, or that it is there to be changed. */
type Intent = "new" | "there";

const MARKS: readonly (readonly [RegExp, Intent])[] = [
  [/^[([]*(?:new|creates?|created|adds?|added|absent)[)\]:,;]*$/i, "new"],
  [
    /^[([]*(?:modif(?:y|ies|ied)|edit(?:s|ed)?|updated?|updates|changed?|changes|existing|deleted?|deletes|removed?|removes)[)\]:,;]*$/i,
    "there",
  ],
];
/** A task that begins like this changes what is there, unless something in it is new. */
const CHANGES =
  /^(?:please )?(?:change|modify|edit|update|fix|refactor|rename|extend|adjust|adapt|remove|delete|rework|clean|correct|convert|improve|patch)\b/i;
const CREATES = /\b(?:add|create|new|write|introduce|scaffold|generate|split|extract)\b/i;

/** Files as a task lists them, with what is said of each. */
export interface ListedFiles {
  readonly files: readonly string[];
  /** Of these it is said that the task makes them, or that they are there. */
  readonly made: readonly string[];
  readonly there: readonly string[];
  /** All of it as it reads, where more is said; empty for nothing. */
  readonly remarks: string;
}

/** A file in quotes or backticks, which may have spaces in its name, a remark, or a word; commas within braces are a glob's. */
const WORD =
  /(?<=^|[\s,;])(?:`([^`]+)`|"([^"]+)"|'([^']+)')(?=$|[\s,;(:])|(?:\([^()]*\)|\[[^[\]]*\])(?=$|[\s,;:]):?|(?:\{[^{}\s]*\}|[^\s,;])+/g;
/** What is said of a file, in brackets. */
const REMARK = /^[([](.*)[)\]]:?$/;
/** As git says it. */
const LETTERS: Readonly<Record<string, Intent>> = { A: "new", M: "there", D: "there", R: "there" };
/** Words and signs between files and what is said of them. */
const BETWEEN = /^(?:and|or|plus|[&+~:→•]|[-–—=]*>?)$/;
const QUOTED = '`[^`\\n]+`|"[^"\\n]+"';
const LINK = new RegExp(`(${QUOTED})|\\[([^\\]\\n]+)\\]\\([^()\\n]+\\)`, "g");
/** What is said of a file in brackets, or behind a dash or a colon as far as the next one. */
const SAID = new RegExp(
  `(${QUOTED})|(?<=^|[\\s,;:\`"'])\\(([^()]*)\\)(?=$|[\\s,;:.])|(?:\\s+(?:[—–]|--?)|(?<=(\\S+)):)\\s+([^,;\`]*)`,
  "g",
);
const PATH_LIKE = /[^\s.]\/|\/[^\s.]|\w\.\w|[*{]/;
const NO_FILES = /^[\s*_`(]*(?:none|nothing|no files?|n\/?a|null|tbd|[-–—])[\s*_`).]*$/i;
/** Words that stand in sentences, and in no list of files. */
const PROSE =
  /(?:^|\s)(?:the|an?|its|their|all|any|other|every|each|of|in|for|with|related|where|needed)(?=\s|$)/i;

function markOf(word: string): Intent | undefined {
  return MARKS.find(([pattern]) => pattern.test(word))?.[1];
}

function markIn(remark: string): Intent | undefined {
  const words = remark.split(/[\s,;]+/);
  return words.some((word) => /^\W*not$/i.test(word))
    ? undefined
    : words.flatMap((word) => markOf(word) ?? [])[0];
}

/**
 * Reads `src/a.ts, src/b.ts (new)`; a mark is said of the file before it, or, with a colon, of those behind it. Other
 * remarks, words that join files and links name no file.
 */
export function readFiles(value: string): ListedFiles {
  const files: string[] = [];
  const said = new Map<string, Intent>();
  let ahead: Intent | null = null;
  const { names, isRemarked } = namesOnly(value);
  for (const [whole, ...quoted] of names.matchAll(WORD)) {
    const word = quoted.find((name) => name !== undefined)?.trim() ?? whole.replaceAll("`", "");
    if (quoted.every((name) => name === undefined) && BETWEEN.test(word)) continue;
    const [, remark] = REMARK.exec(whole) ?? [];
    const mark = remark === undefined ? markOf(word) : (LETTERS[remark] ?? markIn(remark));
    if (mark === undefined && remark !== undefined) continue;
    const last = files.at(-1);
    if (mark === undefined) {
      files.push(word);
      if (ahead !== null) said.set(word, ahead);
    } else if (word.endsWith(":")) ahead = mark;
    else if (last === undefined) ahead = mark;
    else said.set(last, mark);
  }
  const of = (intent: Intent): string[] => files.filter((file) => said.get(file) === intent);
  return { files, made: of("new"), there: of("there"), remarks: isRemarked ? value.trim() : "" };
}

/** The value with its names and marks alone, and whether it says more. */
function namesOnly(value: string): { readonly names: string; readonly isRemarked: boolean } {
  if (NO_FILES.test(value.replace(/\s\([^()]*\)\s*$/, "")))
    return { names: "", isRemarked: /\(/.test(value) };
  let isRemarked = false;
  const plain = value
    .replace(/^\s*\[(.*)\]\s*$/s, (whole, inside: string) => (inside.includes("](") ? whole : inside))
    .replaceAll(LINK, (_link, quoted?: string, name = "") => quoted ?? `\`${name.replaceAll("`", "")}\``)
    .replaceAll(/(?<=^|[\s,;])<([^<>\s]+)>/g, "$1")
    .replaceAll(SAID, (whole: string, ...[quoted, inside, before = "", behind]: (string | undefined)[]) => {
      if (quoted !== undefined || markOf(`${before}:`) !== undefined) return whole;
      if (inside === undefined && PATH_LIKE.test(behind ?? "")) return whole;
      const said = inside ?? behind ?? "";
      const mark = LETTERS[said] ?? markIn(said);
      isRemarked ||= mark === undefined;
      return mark === undefined ? " " : ` (${mark === "new" ? "new" : "changed"})`;
    });
  const parts = plain.split(/(?<=[,;])/).map((part) => {
    if (!PROSE.test(part)) return part;
    isRemarked = true;
    return pathsIn(part);
  });
  return { names: parts.join(""), isRemarked };
}

function pathsIn(prose: string): string {
  const isName = (word: string): boolean =>
    PATH_LIKE.test(word) || /[`"]/.test(word) || markOf(word.trim()) !== undefined;
  return prose
    .split(/(?<=[\s,;])/)
    .filter(isName)
    .join("");
}

const PATTERN = /[*?{[]/;
/** Longer ones, two together, are no paths that anyone means. */
const MAX_COMPARED = 600;

/** One file that several tasks of one wave change. */
export interface SharedFile {
  readonly wave: string;
  readonly path: string;
  readonly tasks: readonly number[];
}

/**
 * Files that two tasks of one wave are to change; a folder and a glob hold the files in them. Tasks of a wave run side by
 * side, so one would undo the other.
 * @param changes whether a task changes what it lists; a reader only looks
 */
export function sharedFiles(
  tasks: readonly PlanTask[],
  changes: (task: PlanTask) => boolean = () => true,
): SharedFile[] {
  const shared = new Map<string, { wave: string; path: string; tasks: Set<number> }>();
  const editing = tasks.filter(changes);
  for (const [at, task] of editing.entries()) {
    for (const other of editing.slice(at + 1)) {
      const { wave } = task;
      if (wave === undefined || wave !== other.wave) continue;
      for (const path of commonPaths(task, other)) {
        const key = `${wave}\n${path}`;
        const entry = shared.get(key) ?? { wave, path, tasks: new Set() };
        entry.tasks.add(task.number).add(other.number);
        shared.set(key, entry);
      }
    }
  }
  return [...shared.values()].map(({ tasks: numbers, ...rest }) => ({ ...rest, tasks: [...numbers] }));
}

/** The files that two tasks have in common: what they meet at, where one names a folder or a glob. */
export function commonPaths(
  { files = [] }: Pick<PlanTask, "files">,
  { files: others = [] }: Pick<PlanTask, "files">,
): string[] {
  const theirs = others.map(placeOf);
  return files.map(placeOf).flatMap((path) => {
    const found = theirs.find((other) => meet(path, other));
    // The narrower of both is what they meet at.
    return found === undefined ? [] : [isNarrower(path, found) ? path : found];
  });
}

/** A file as it is compared with others, however it is spelled: "**" for the whole project, empty where none is named. */
function placeOf(file: string): string {
  const bare = file.trim().replace(/#L?\d.*$/, "");
  if (/^\.\/?$/.test(bare)) return "**";
  const path = normalisePath(bare);
  return path === "" ? "" : posix.normalize(path);
}

function meet(one: string, other: string): boolean {
  if (one === "" || other === "") return false;
  if (one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`)) return true;
  if (!PATTERN.test(one) && !PATTERN.test(other)) return false;
  if (one.length + other.length > MAX_COMPARED) return false;
  return patternsMeet(one, other) || patternsMeet(`${one}/**`, other) || patternsMeet(one, `${other}/**`);
}

function isNarrower(path: string, other: string): boolean {
  if (PATTERN.test(path) !== PATTERN.test(other)) return PATTERN.test(other);
  return path.startsWith(other) || (PATTERN.test(other) && other.includes("**"));
}

function isGlob(path: string): boolean {
  return /[*?{]/.test(path);
}

/** A file that a plan takes to be there. */
export interface ExpectedFile {
  readonly path: string;
  readonly task: number;
}

/** Files that tasks change and that no task of the plan makes: all of them have to be there. */
export function expectedFiles(tasks: readonly PlanTask[]): ExpectedFile[] {
  const made = new Set(
    tasks.flatMap((task) => {
      const changed = new Set(changedFiles(task));
      return (task.files ?? []).filter((file) => !changed.has(file)).map(placeOf);
    }),
  );
  return tasks.flatMap((task) =>
    changedFiles(task)
      .map(placeOf)
      .filter((path) => path !== "" && !isGlob(path) && !made.has(path))
      .map((path) => ({ path, task: task.number })),
  );
}

/** The files of a task of which it says that they are there, in so many words or by what it does with its only one. */
function changedFiles({ text, files = [], made = [], there = [] }: PlanTask): string[] {
  const unsaid = files.filter((file) => !made.includes(file) && !there.includes(file));
  const isChange = CHANGES.test(text) && !CREATES.test(text);
  const byWords = isChange ? unsaid.filter((file) => files.length === 1 || text.includes(file)) : [];
  return [...there, ...byWords];
}

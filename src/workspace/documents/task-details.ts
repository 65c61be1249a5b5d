import { indentOf } from "../markdown/lines.ts";
import { commandsIn, isCommand, joinCommands, readCommand } from "./task-command.ts";
import { readNeeds } from "./task-needs.ts";

/** What a task says of itself below its title, by key. */
export type DetailKey = "wave" | "agent" | "candidates" | "files" | "needs" | "verify" | "hidden" | "skills";

/** A line below a task; in code no key counts. */
export interface DetailLine {
  readonly text: string;
  readonly isCode: boolean;
}

/** What stands below a task: the keyed lines, and all others as they read. */
export interface TaskDetails {
  readonly keyed: ReadonlyMap<DetailKey, string>;
  readonly free: string;
}

const MAX_FREE = 8_000;
const KEYS: Readonly<Record<string, DetailKey>> = {
  wave: "wave",
  agent: "agent",
  agents: "agent",
  specialist: "agent",
  candidate: "candidates",
  candidates: "candidates",
  file: "files",
  files: "files",
  need: "needs",
  needs: "needs",
  "depends on": "needs",
  verify: "verify",
  verification: "verify",
  hidden: "hidden",
  skill: "skills",
  skills: "skills",
};
/** These begin sentences as well, so that they count only before numbers of tasks. */
const MAYBE_NEEDS = new Set([
  "depends",
  "dependencies",
  "dependency",
  "deps",
  "requires",
  "after",
  "blocked by",
]);
/** Lists of files by what is done with them. */
const FILES = /^(?:modif(?:y|ies|ied)|edits?|creates?|new|deletes?|removes?)$/;
const LISTS: ReadonlySet<DetailKey> = new Set(["candidates", "files", "needs", "skills"]);
/** What is run: all of several lines. */
const COMMANDS: ReadonlySet<DetailKey> = new Set(["verify", "hidden"]);
const BULLET = /^[ \t]*(?:[-*+]|\d{1,2}[.)])[ \t]+/;
/** A key may stand behind a picture, and before a wide colon. */
const KEYED =
  /^(?:\p{Extended_Pictographic}\uFE0F?[ \t]*)?([*_`]*)([a-z][a-z _-]{1,20}?)[*_`]*[ \t]*[:：](.*)$/isu;
const PATHS = /^[\s,;`]*(?:[^\s,;`]*[./][^\s,;`]*[\s,;`]*)*$/;

/** Reads the lines that are indented below a task: `- agent: x`, `  **Agent:** x`, lists and code below a key, and free words. */
export function readDetails(lines: readonly DetailLine[]): TaskDetails {
  const keyed = new Map<DetailKey, string>();
  const free: string[] = [];
  let list: { readonly key: DetailKey; readonly indent: number } | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const { text, isCode } = lines[at] ?? { text: "", isCode: false };
    const indent = indentOf(text);
    const found = isCode ? null : keyOf(text);
    if (found !== null) {
      if (found.value !== "") add(keyed, free, found.key, found.value);
      list = LISTS.has(found.key) || found.value === "" ? { key: found.key, indent } : null;
    } else if (list !== null && indent > list.indent && !isCode && isItem(list.key, text)) {
      add(keyed, free, list.key, text.replace(BULLET, "").trim());
    } else if (isCode) {
      const block = codeAt(lines, at);
      free.push(...addCode(keyed, list?.key, block));
      list = null;
      at += block.length - 1;
    } else {
      if (text.trim() !== "") list = null;
      free.push(text);
    }
  }
  return { keyed, free: dedent(free) };
}

/** Adds a block of commands to the key right above it. @returns the lines of any other */
function addCode(
  keyed: Map<DetailKey, string>,
  key: DetailKey | undefined,
  block: readonly string[],
): readonly string[] {
  const commands = key !== undefined && COMMANDS.has(key) ? commandsIn(block) : [];
  if (key === undefined || commands.length === 0) return block;
  keyed.set(key, joinCommands([...(keyed.has(key) ? [keyed.get(key) ?? ""] : []), ...commands]));
  return [];
}

/** The lines of code that begin here. */
function codeAt(lines: readonly DetailLine[], at: number): readonly string[] {
  const rest = lines.slice(at);
  const end = rest.findIndex(({ isCode }) => !isCode);
  return rest.slice(0, end < 0 ? rest.length : end).map(({ text }) => text);
}

/** Whether a line is one that says something of a task by a key, as a list item. */
export function isKeyed(line: string): boolean {
  return BULLET.test(line) && keyOf(line) !== null;
}

/** Key and value of a line; files that are listed by what is done with them belong to the files. */
function keyOf(line: string): { readonly key: DetailKey; readonly value: string } | null {
  const [, marks = "", name, rest = ""] = KEYED.exec(line.replace(BULLET, "").trimStart()) ?? [];
  if (name === undefined) return null;
  // `**agent:** x` closes behind the colon what it opened before the key.
  const value = (marks !== "" && rest.startsWith(marks) ? rest.slice(marks.length) : rest).trim();
  const word = name
    .trim()
    .toLowerCase()
    .replaceAll(/[ _-]+/g, " ");
  const key = Object.hasOwn(KEYS, word) ? KEYS[word] : undefined;
  if (key !== undefined) return { key, value };
  if (FILES.test(word) && (BULLET.test(line) || PATHS.test(value))) {
    return { key: "files", value: value === "" ? "" : `${word}: ${value}` };
  }
  if (!MAYBE_NEEDS.has(word)) return null;
  const { needs, unclear } = readNeeds(value);
  return needs.length > 0 && unclear === "" ? { key: "needs", value } : null;
}

/** Whether a line below a key goes on with its list; a path needs no bullet. */
function isItem(key: DetailKey, line: string): boolean {
  return BULLET.test(line) || (key === "files" && line.trim() !== "" && PATHS.test(line));
}

/** Lists and commands may stand in several lines; of anything else the last line counts. What is no command beside one that is stays a free line. */
function add(keyed: Map<DetailKey, string>, free: string[], key: DetailKey, value: string): void {
  const before = keyed.get(key);
  if (COMMANDS.has(key)) {
    const command = readCommand(value);
    if (before === undefined) keyed.set(key, command);
    else if (!isCommand(command)) free.push(`${key}: ${value}`);
    else if (isCommand(before)) keyed.set(key, joinCommands([before, command]));
    else {
      free.push(`${key}: ${before}`);
      keyed.set(key, command);
    }
  } else keyed.set(key, before === undefined || !LISTS.has(key) ? value : `${before}, ${value}`);
}

/** Lines without the indent that all of them share, bounded. */
function dedent(lines: readonly string[]): string {
  const shared = Math.min(...lines.filter((line) => line.trim() !== "").map(leadOf));
  const text = lines
    .map((line) => line.slice(Math.min(shared, leadOf(line))).trimEnd())
    .join("\n")
    .replaceAll("\0", "\uFFFD")
    .replaceAll(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "");
  return text.length <= MAX_FREE ? text : `${text.slice(0, MAX_FREE)}…`;
}

function leadOf(line: string): number {
  return line.length - line.trimStart().length;
}

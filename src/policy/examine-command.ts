import { relative, resolve, sep } from "node:path";
import { isInFolder } from "../lib/folders.ts";
import { isRegenerable, plainDeletions } from "./deletions.ts";
import { type Examination, examination, readRequest } from "./examination.ts";
import { findForbidden } from "./forbidden.ts";
import { findProtected, type ProtectionContext } from "./protected-target.ts";
import { isReading } from "./reading-list.ts";
import { isSensitivePath } from "./sensitive-path.ts";
import { type LineWord, type ParsedLine, parseLine } from "./simple-commands.ts";
import { startedBy } from "./started-commands.ts";
import { sequencesMeet, matchesStars } from "../lib/path-pattern.ts";

export interface CommandContext extends ProtectionContext {
  readonly project: string;
  /** Whether the shell reads what bash does; nothing is known of what is written for another one. */
  readonly isPosix: boolean;
  /** Commands of the user's own that no mode allows. */
  readonly dangerous: readonly CommandPattern[];
  /** Whether rules of the user's host deny a command. */
  readonly isDenied?: (command: string) => boolean;
  /** Commands of the user's own that run unasked. */
  readonly allow: readonly CommandPattern[];
  /** Patterns of files that the user allows to be shown. */
  readonly allowSensitive: readonly string[];
  /** The files that version control ignores and that these patterns name or hold; all relative to the project. */
  ignored(patterns: readonly string[]): Promise<readonly string[]>;
}

/** Words of a line that are looked at as paths, and how long a path may be on any system. */
const MAX_PATHS = 512;
const MAX_PATH = 4_096;
const MAX_PARTS = 8;

/**
 * Examines a command (SPEC 9): whether it is forbidden, whether it is on the short list of what reads, what it asks for, and
 * what a plain path in it names. What it does otherwise the sandbox decides.
 */
export async function examineCommand(command: string, context: CommandContext): Promise<Examination> {
  const { asks, rest } = readRequest(command);
  const line = parseLine(rest);
  const started = startedBy(line);
  const pattern = started.map((words) => matchPattern(context.dangerous, words)).find(Boolean);
  const isDenied = started.some((words) => context.isDenied?.(words.map(({ text }) => text).join(" ")));
  const forbidden =
    findForbidden(line, context.folder) ??
    (pattern === undefined ? null : `matches the dangerous command ${pattern}`) ??
    (isDenied ? "is denied by the user's opencode.json" : null);
  const named = {
    asks,
    // What stands around its commands, a redirection or a loop that sets PATH, is none of them.
    commands: line.isOpaque || line.outputs.length > 0 ? [] : line.commands.map(({ text }) => text),
    writes: line.outputs
      .filter(({ text, kind }) => kind === "literal" && !text.startsWith("/dev/"))
      .map(({ text }) => resolve(context.folder, text)),
    secret: findSecret(line, context),
    hasPattern: [...line.commands.flatMap(({ words }) => words), ...line.inputs].some(
      ({ kind }) => kind === "pattern",
    ),
  };
  if (forbidden !== null) return examination("forbidden", forbidden, named);
  if (!context.isPosix) return examination("unknown", "is written for a shell that is not read here", named);
  if (asks === null && isReading(line)) return examination("read", "only reads", named);
  return examination("unknown", "runs a program", {
    ...named,
    protectedTarget: findProtected(pathsOf(line), context),
    isAllowed: isAllowed(line, asks, context),
    deletes: await findDeletion(line, context),
  });
}

/** A pattern holds for one simple command, and for the line around it never; it names the request that it allows. */
function isAllowed(
  { commands: [only], isSimple, outputs }: ParsedLine,
  asks: Examination["asks"],
  context: CommandContext,
): boolean {
  if (only === undefined || !isSimple || only.assigns || outputs.length > 0) return false;
  if (only.words.some(({ kind }) => kind === "unknown")) return false;
  return allows(only.words, asks, context);
}

/** Whether a pattern of the user's lets this command run with what it asks for. */
export function allows(
  words: readonly LineWord[],
  asks: Examination["asks"],
  { allow }: Pick<CommandContext, "allow">,
): boolean {
  const patterns = allow.map(readRequest).flatMap((each) => (each.asks === asks ? each.rest : []));
  return matchPattern(patterns, words, "exactly") !== undefined;
}

/** Words that may name a file, the values of options and of settings among them, and files of revisions and hosts. */
function pathsOf({ commands, outputs }: ParsedLine): string[] {
  const words = [...commands.flatMap((command) => command.words.slice(1)), ...outputs];
  return words
    .filter(({ text, kind }) => kind !== "unknown" && text !== "" && text.length <= MAX_PATH)
    .slice(0, MAX_PATHS)
    .flatMap(spellings);
}

function spellings({ text }: LineWord): string[] {
  const parts = text.split(/[=:@]/u, MAX_PARTS);
  return parts.length === 1 ? [text] : [text, ...parts.filter((part) => part !== "")];
}

function findSecret(line: ParsedLine, { folder, allowSensitive, realPath }: CommandContext): string | null {
  const paths = [...pathsOf(line), ...line.inputs.map(({ text }) => text)];
  const found = paths.find((path) => {
    const full = resolve(folder, path);
    return isSensitivePath(path, allowSensitive) || isSensitivePath(realPath(full), allowSensitive);
  });
  return found ?? null;
}

async function findDeletion(line: ParsedLine, context: CommandContext): Promise<string | null> {
  const { paths, allIgnored } = plainDeletions(line);
  return allIgnored ?? findIgnored(paths, context);
}

/** The first of these files, or of those in these folders, that version control ignores and no tool makes anew. */
export async function findIgnored(
  paths: readonly string[],
  { folder, project, ignored }: CommandContext,
): Promise<string | null> {
  const inside = paths
    .map((path) => resolve(folder, path))
    .filter((path) => isInFolder(path, project))
    .map((path) => relative(project, path))
    .filter((below) => !isRegenerable(below.replaceAll(sep, "/")));
  if (inside.length === 0) return null;
  const found = await ignored(inside.slice(0, MAX_PATHS));
  return found.find((path) => !isRegenerable(path)) ?? null;
}

/**
 * A user's own commands, dangerous or allowed: words separated by blanks, matched against the parsed words of a command, never
 * against its text. `*` inside a word stands for any characters, `*` as a word for any number of words. So
 * `helm uninstall *` means that command with any arguments, `helm * uninstall *` also with options before the verb.
 */
type CommandPattern = string;

/** Words of a command that patterns are matched against; later ones are cut off. */
const MAX_WORDS = 500;

/** `anywhere`: a program matches by its name in whatever folder it lies. */
type Program = "exactly" | "anywhere";

function wordMatches(pattern: string, { text, kind }: LineWord, isByName: boolean): boolean {
  // What is only known at run time could be that word.
  if (kind === "unknown") return !isByName;
  return matchesStars(isByName && !pattern.includes("/") ? (text.split("/").at(-1) ?? text) : text, pattern);
}

/** The first pattern that a command matches; undefined when none does. */
function matchPattern(
  patterns: readonly CommandPattern[],
  words: readonly LineWord[],
  program: Program = "anywhere",
): CommandPattern | undefined {
  const items = words
    .slice(0, MAX_WORDS)
    .map((word, at) => ({ word, isByName: at === 0 && program === "anywhere" }));
  return patterns.find((pattern) => {
    const parts = pattern.trim().split(/\s+/u);
    const fits = ({ word, isByName }: (typeof items)[number], part: string): boolean =>
      part === "*" || wordMatches(part, word, isByName);
    return parts[0] !== "" && sequencesMeet(items, parts, fits, (part) => part === "*");
  });
}

import { isSensitivePath } from "./sensitive-path.ts";

/** How comparisons, `head` and `tail` begin what they print of one file: it goes on to the next such line. */
const BEGINNINGS = [
  /^==> (.+) <==$/u,
  /^diff --(?:git|cc|combined) (?:.*\s)?"?(?:[a-z]\/)?(\S+?)"?$/u,
  /^diff (?:-\S+ )+(\S+) \S+$/u,
  /^(?:commit|change) [0-9a-z]{8,}/u,
];
/**
 * How searches that group their lines name the file, after an empty line: OpenCode's own, ripgrep's, ack's. Behind a sensitive
 * one only a file that is there begins another.
 */
const GROUP = /^((?:[A-Za-z]:)?[^\s:][^:]*):?$/u;
/** A line of a search: the file, the line's number where one was asked for, then the text. */
const FOUND = /^([^\s:][^:]*?):(?:\d+:)?/u;
const CONTEXT = /^([^\s:][^:]*?)-\d+-/u;
/** What stands in front of each line when a stored output is read again. */
const NUMBERED = /^\s*\d+(?:[|:\t]\s?)/u;
/** Real paths that are looked up for one text. */
const MAX_LOOKUPS = 2_048;

/** What a search for sensitive lines depends on. */
export interface OutputContext {
  readonly allowSensitive?: readonly string[];
  /** Gives the real path behind a path; undefined where there is nothing. */
  readonly resolve?: (path: string) => string | undefined;
}

/** Whether a command prints lines of several files with their names: a search, a comparison, the beginnings of files. */
export function printsFileNames(command: string): boolean {
  return /\b(?:[a-z]*grep|rg|ag|ack|git|jj|diff|tail|head|more|awk|find|fd|xargs)\b/u.test(command);
}

/**
 * An output without the lines that come from sensitive files, as searches and comparisons print them: `path:line:text`, or
 * under a heading with the path. Each run of such lines gives one line that says so.
 */
export function dropSensitiveLines(
  text: string,
  { allowSensitive = [], resolve = () => undefined }: OutputContext,
): string {
  const known = new Map<string, boolean>();
  const isSensitive = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const real = known.size < MAX_LOOKUPS ? resolve(path) : undefined;
    const found =
      isSensitivePath(path, allowSensitive) || (real !== undefined && isSensitivePath(real, allowSensitive));
    known.set(path, found);
    return found;
  };
  // An empty line ends no group: OpenCode puts one behind each line that it found, and files have their own.
  const isFile = (line: string): boolean => {
    const path = GROUP.exec(line)?.[1];
    return path !== undefined && /[./\\]/u.test(path) && resolve(path) !== undefined;
  };
  const kept: string[] = [];
  let block: { readonly path: string; readonly isWhole: boolean } | null = null;
  let isStart = true;
  let dropped: string | null = null;
  for (const line of text.split("\n")) {
    const plain = line.replace(/\r$/u, "").replace(NUMBERED, "");
    const found = headingOf(plain, block === null ? isStart : !block.isWhole && isFile(plain));
    if (found !== null) block = isSensitive(found.path) ? found : null;
    isStart = plain === "" || /^Found \d+ match/u.test(plain);
    const source: string | null =
      block?.path ?? (found === null ? sensitiveSource(plain, isSensitive) : null);
    if (source === null) kept.push(line);
    else if (source !== dropped) kept.push(`[${source}: not shown, it may hold secrets]`);
    dropped = source;
  }
  return kept.join("\n");
}

function headingOf(line: string, isStart: boolean): { path: string; isWhole: boolean } | null {
  for (const pattern of BEGINNINGS) {
    const match = pattern.exec(line);
    if (match !== null) return { path: match[1] ?? "", isWhole: true };
  }
  // Lines of OpenCode's groups are indented.
  const path = isStart || /^(?:\/|[A-Za-z]:[\\/]).*:$/u.test(line) ? GROUP.exec(line)?.[1] : undefined;
  return path === undefined || /=|-\d+-/u.test(path) ? null : { path, isWhole: false };
}

function sensitiveSource(line: string, isSensitive: (path: string) => boolean): string | null {
  for (const pattern of [FOUND, CONTEXT]) {
    const path = pattern.exec(line)?.[1];
    // A bare word before a colon is as likely a key of a settings file.
    if (path !== undefined && /[./\\]|^id_/u.test(path) && isSensitive(path)) return path;
  }
  // Context lines without numbers: `.env-TEXT`.
  const [beginning = ""] = line.split(/[-=\s]/u, 1);
  return /[./\\]/u.test(beginning) && line.startsWith(`${beginning}-`) && isSensitive(beginning)
    ? beginning
    : null;
}

import { isAbsolute } from "node:path";
import { isSensitivePath } from "./sensitive-path.ts";

/** What stands in front of each line when a stored output is read again. */
const NUMBERED = /^\s*\d+(?:[|:\t]\s?)/u;
/** Real paths that are looked up for one text. */
const MAX_LOOKUPS = 2_048;
const DIFF = "diff --git ";

export interface SearchContext {
  readonly allowSensitive?: readonly string[];
  /** Gives the real path behind a path; undefined where there is nothing. */
  readonly resolve?: (path: string) => string | undefined;
}

/**
 * An output without the lines that come from sensitive files: `path:line:text` as searches print them, below `path:` as
 * OpenCode groups them, and in the part of a diff. Each run of such lines gives one line that says so.
 */
export function dropSensitiveLines(text: string, context: SearchContext): string {
  const { allowSensitive = [], resolve = () => undefined } = context;
  const known = new Map<string, boolean>();
  const isSensitive = (path: string): boolean => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const real = known.size < MAX_LOOKUPS ? resolve(path) : undefined;
    const found = [path, real ?? path].some((each) => isSensitivePath(each, allowSensitive));
    known.set(path, found);
    return found;
  };
  const kept: string[] = [];
  let block: string | null = null;
  let dropped: string | null = null;
  for (const line of text.split("\n")) {
    const plain = line.replace(NUMBERED, "").trimEnd();
    const heading = headingOf(plain);
    if (plain.startsWith("commit ")) block = null;
    if (heading !== null) block = isSensitive(heading) ? heading : null;
    const source: string | null = block ?? sourceOf(plain, isSensitive);
    if (source === null) kept.push(line);
    else if (source !== dropped) kept.push(`[${source}: not shown, it may hold secrets]`);
    dropped = source;
  }
  return kept.join("\n");
}

/** The file that the lines below are of. */
function headingOf(line: string): string | null {
  if (line.startsWith(DIFF)) return line.slice(line.lastIndexOf(" ") + 1).replace(/^b\//u, "");
  const path = line.slice(0, -1);
  return line.endsWith(":") && isAbsolute(path) ? path : null;
}

/** The file in front of a line of a search; a bare word before a colon is as likely a key of a settings file. */
function sourceOf(line: string, isSensitive: (path: string) => boolean): string | null {
  const path = line.slice(0, Math.max(0, line.indexOf(":")));
  const mayBePath = path.includes(".") || path.includes("/") || path.startsWith("id_");
  return mayBePath && !path.includes(" ") && isSensitive(path) ? path : null;
}

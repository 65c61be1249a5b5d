import { devNull } from "node:os";
import type { Clock } from "../../lib/clock.ts";
import { numberOf, parseJson, recordOf, textOf } from "../../lib/json.ts";
import { runBoundedProcess } from "../../process/bounded-process.ts";
import { surroundings } from "./program.ts";

/** One place that fits a pattern. */
export interface Match {
  /** Relative to the folder that was searched. */
  readonly file: string;
  /** Of its first line, from one. */
  readonly line: number;
  /** Bytes `[start, end)` of the file, and what they say. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Whole lines. */
  readonly lines: string;
  /** What is to stand there; null for a search. */
  readonly replacement: string | null;
}

/** What was found, or why nothing could be, in ast-grep's words. */
export type Found =
  | {
      readonly ok: true;
      /** In the order of files and places. */
      readonly matches: readonly Match[];
      /** Further ones, which are only counted, and the files that they stand in alone. */
      readonly uncounted: { readonly matches: number; readonly files: number };
      /** What ast-grep says of a pattern that it takes and doubts. */
      readonly warning: string;
    }
  | { readonly ok: false; readonly why: string };

export interface SearchInput {
  readonly program: string;
  readonly folder: string;
  readonly lang: string;
  readonly pattern: string;
  /** Relative to the folder. */
  readonly paths: readonly string[];
  readonly rewrite: string | undefined;
  /** Whether folders that are hidden are searched as well. */
  readonly hidden?: boolean;
  /** Files that count. */
  wants(file: string): boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/** Matches that are kept; more can neither be shown nor changed at once. */
export const MAX_MATCHES = 5_000;
const LIMIT_MS = 60_000;
/** Bytes of one match, and of what ast-grep says beside them; longer ones are not for reading. */
const MAX_LINE = 2_000_000;
const MAX_WORDS = 4_000;

/**
 * Searches with ast-grep, which changes nothing. No file of the project has a say in how: its settings may name libraries to
 * load, or other languages for its files.
 */
export async function searchTree(input: SearchInput): Promise<Found> {
  const { program, lang, pattern, paths, rewrite, environment, clock, signal } = input;
  const keep = createKeeper(input.wants);
  let words = "";
  const ending = await runBoundedProcess({
    command: [
      program,
      "run",
      `--config=${devNull}`,
      "--color=never",
      "--json=stream",
      ...(input.hidden === true ? ["--no-ignore=hidden"] : []),
      `--lang=${lang}`,
      `--pattern=${pattern}`,
      ...(rewrite === undefined ? [] : [`--rewrite=${rewrite}`]),
      "--",
      ...paths,
    ],
    cwd: input.folder,
    env: surroundings(environment),
    timeoutMs: LIMIT_MS,
    graceMs: 200,
    signal,
    clock,
    output: {
      write(source, chunk) {
        if (source === "stdout") keep.read(chunk);
        else if (words.length < MAX_WORDS) words += chunk.toString("utf8");
      },
    },
  });
  if (ending.kind === "unstartable") return { ok: false, why: `ast-grep did not start: ${ending.problem}` };
  if (ending.kind === "cancelled") return { ok: false, why: "Stopped." };
  if (ending.kind === "timeout")
    return { ok: false, why: `ast-grep took more than ${LIMIT_MS / 1_000} s. Name fewer paths.` };
  // One says that nothing was found.
  if (ending.code !== 0 && ending.code !== 1) return { ok: false, why: plain(words) || "ast-grep failed." };
  const kept = keep.end();
  return kept === null
    ? { ok: false, why: "ast-grep answered in another form; it may be too old." }
    : { ok: true, ...kept, warning: plain(words) };
}

function createKeeper(wants: (file: string) => boolean) {
  let rest: Buffer[] = [];
  let length = 0;
  let isBroken = false;
  let more = 0;
  const matches: Match[] = [];
  const known = new Set<string>();
  const others = new Set<string>();
  /** Several of the paths may lead to one place. */
  const places = new Set<string>();

  const take = (line: string): void => {
    if (line.trim() === "") return;
    const match = readMatch(line);
    if (match === null) isBroken = true;
    else if (!wants(match.file) || places.has(placeOf(match))) return;
    else if (matches.length < MAX_MATCHES) {
      places.add(placeOf(match));
      matches.push(match);
      known.add(match.file);
    } else {
      more += 1;
      others.add(match.file);
    }
  };
  return {
    read(chunk: Buffer): void {
      let at = 0;
      for (let end = chunk.indexOf("\n"); end !== -1; end = chunk.indexOf("\n", at)) {
        const line = Buffer.concat([...rest, chunk.subarray(at, end)]);
        if (length <= MAX_LINE) take(line.toString("utf8"));
        else more += 1;
        rest = [];
        length = 0;
        at = end + 1;
      }
      length += chunk.length - at;
      if (length <= MAX_LINE) rest.push(chunk.subarray(at));
      else rest = [];
    },
    end() {
      take(Buffer.concat(rest).toString("utf8"));
      if (isBroken) return null;
      const files = [...others].filter((file) => !known.has(file)).length;
      return { matches: matches.toSorted(inOrder), uncounted: { matches: more, files } };
    },
  };
}

function placeOf({ file, start, end }: Match): string {
  return `${start} ${end} ${file}`;
}

function inOrder(one: Match, other: Match): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  // Of two that begin at one place, the one that holds the other comes first.
  return one.start - other.start || other.end - one.end;
}

function readMatch(line: string): Match | null {
  const given = recordOf(parseJson(line));
  const range = recordOf(given["range"]);
  const { start, end } = recordOf(range["byteOffset"]);
  const row = numberOf(recordOf(range["start"])["line"]);
  const [file, text] = [textOf(given["file"]), textOf(given["text"])];
  if (file === undefined || text === undefined || row === undefined) return null;
  if (typeof start !== "number" || typeof end !== "number") return null;
  return {
    file: file.replaceAll("\\", "/").replace(/^\.\//u, ""),
    line: row + 1,
    start,
    end,
    text,
    lines: textOf(given["lines"]) ?? text,
    replacement: textOf(given["replacement"]) ?? null,
  };
}

/** What it says, without headings, addresses and advice that is about its command line. */
function plain(words: string): string {
  return words
    .split("\n")
    .map((line) => line.replace(/^(?:Error|Warning|Help|error):\s*|^[✖╰▻\s]+(?:Caused by)?/gu, "").trim())
    .filter((line) => line !== "" && !/^See also|^For more information|playground/u.test(line))
    .join(" ")
    .slice(0, 600);
}

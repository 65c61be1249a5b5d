import { devNull } from "node:os";
import type { Clock } from "../../lib/async.ts";
import { type Refusal, refuse } from "../../lib/error.ts";
import { excerpt } from "../../lib/text.ts";
import { parseJson, recordOf } from "../../lib/json.ts";
import { runProgram } from "../../process/bounded-process.ts";
import type { AST, CallOf } from "../announced.ts";
import type { ProgramCommand } from "../programs.ts";

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

/** What ast-grep found. */
export interface AstFound {
  /** In the order of files and places. */
  readonly matches: readonly Match[];
  /** Further ones, which are only counted. */
  readonly more: number;
  /** What ast-grep says of a pattern that it takes and doubts. */
  readonly warning: string;
}

export type AstCall = CallOf<typeof AST>;

/** Its paths are relative to the folder that is searched. */
export type AstSearch = Omit<AstCall, "paths" | "dry_run"> & { readonly paths: readonly string[] };

export const HOW =
  "A pattern is one complete piece of code, such as `foo($A, $$$REST)`: $A stands for one node, $$$REST for any number. .tsx files are a language of their own. Languages: bash c cpp csharp css elixir go haskell hcl html java javascript json kotlin lua nix php python ruby rust scala solidity swift tsx typescript yaml.";
/** Matches that are kept; more can neither be shown nor changed at once. */
const MAX_MATCHES = 5_000;
const LIMIT_MS = 60_000;
/** Bytes of one match, and characters of what ast-grep says beside them; longer ones are not for reading. */
const MAX_LINE = 2_000_000;
const MAX_WORDS = 600;
/** What it needs of the environment: neither keys nor settings. */
const VARIABLES = ["PATH", "HOME", "SystemRoot", "TMPDIR", "TEMP"];

/**
 * Arguments of ast-grep for a search, which changes nothing. No file of the project has a say in how: its settings may name
 * libraries to load, or other languages for its files.
 */
export function argumentsFor({ lang, pattern, rewrite, paths }: AstSearch): string[] {
  return [
    "run",
    `--config=${devNull}`,
    "--color=never",
    "--json=stream",
    `--lang=${lang}`,
    `--pattern=${pattern}`,
    ...(rewrite === undefined ? [] : [`--rewrite=${rewrite}`]),
    "--",
    ...paths,
  ];
}

/** Runs a search. @param folder that it is made in */
export async function runSearch(
  command: ProgramCommand,
  folder: string,
  wants: (file: string) => boolean,
  {
    environment,
    clock,
    signal,
  }: {
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly clock: Clock;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<AstFound | Refusal> {
  const matches = new Map<string, Match>();
  let [rest, more] = [Buffer.of(), 0];
  const take = (line: Buffer): void => {
    const match = line.length > MAX_LINE ? null : readMatch(line.toString("utf8"));
    if (match !== null && !wants(match.file)) return;
    // Several of the paths may lead to one place.
    if (match !== null && matches.size < MAX_MATCHES)
      matches.set(`${match.start} ${match.end} ${match.file}`, match);
    else more += 1;
  };
  const env = Object.fromEntries(VARIABLES.map((name) => [name, environment[name]]));
  const { ok, code, words } = await runProgram({ command, env }, folder, {
    timeoutMs: LIMIT_MS,
    maxBytes: Infinity,
    signal,
    clock,
    startsProjects: true,
    take(chunk) {
      let all = Buffer.concat([rest, chunk]);
      for (let end = all.indexOf("\n"); end !== -1; end = all.indexOf("\n")) {
        take(all.subarray(0, end));
        all = all.subarray(end + 1);
      }
      rest = all.subarray(0, MAX_LINE + 1);
    },
  });
  if (signal?.aborted === true) return refuse("Stopped.");
  const warning = excerpt(words, MAX_WORDS);
  // One says that nothing was found.
  if (!ok && code !== 1) return refuse(warning || "ast-grep failed.", HOW);
  return { matches: [...matches.values()].toSorted(inOrder), more, warning };
}

function inOrder(one: Match, other: Match): number {
  if (one.file !== other.file) return one.file < other.file ? -1 : 1;
  // Of two that begin at one place, the one that holds the other comes first.
  return one.start - other.start || other.end - one.end;
}

/** What ast-grep prints of a match; null for another line. */
function readMatch(line: string): Match | null {
  const { file, text, lines, range, replacement = null } = recordOf(parseJson(line));
  const { start, end } = recordOf(recordOf(range)["byteOffset"]);
  const row = recordOf(recordOf(range)["start"])["line"];
  if (typeof file !== "string" || typeof text !== "string" || typeof lines !== "string") return null;
  if (typeof start !== "number" || typeof end !== "number" || typeof row !== "number") return null;
  return {
    file: file.replaceAll("\\", "/").replace(/^\.\//u, ""),
    line: row + 1,
    start,
    end,
    text,
    lines,
    replacement: typeof replacement === "string" ? replacement : null,
  };
}

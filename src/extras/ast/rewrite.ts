import { isRefusal, type Refusal, refuse } from "../../lib/refusal.ts";
import type { FileChange, Piece } from "../changes/change.ts";
import type { Located } from "../changes/locate.ts";
import { lineEndOf, renderDiff, type Splice, spliced, withLineEnds } from "../changes/splices.ts";
import type { Match } from "./search.ts";
import { MAX_SOURCE_BYTES, readRegular } from "../../lib/read-source.ts";

/** What a rewrite would change. */
export interface Rewrite {
  readonly changes: readonly FileChange[];
  readonly places: number;
  /** Matches inside of others, which the same call cannot change as well. */
  readonly nested: number;
  /** The lines that differ, file by file. */
  readonly diffs: readonly string[][];
  /** Of each changed file the first place that is rewritten, by itself. */
  readonly samples: readonly Piece[];
}

/** Works out a rewrite in the files as they are now. @param find tells where a file lies, or why it is left alone */
export async function workOut(
  matches: readonly Match[],
  find: (file: string) => Located | Refusal,
): Promise<Rewrite | Refusal> {
  const changes: FileChange[] = [];
  const diffs: string[][] = [];
  const samples: Piece[] = [];
  let places = 0;
  let nested = 0;
  for (const [file, inFile] of byFile(matches)) {
    const located = find(file);
    if (isRefusal(located)) return located;
    const before = await readRegular(located.path, MAX_SOURCE_BYTES);
    if (before === null) return refuse(`${file} cannot be read any more.`, "Call again.");
    const outer = outermost(inFile);
    nested += inFile.length - outer.length;
    if (outer.some(({ start, end, text }) => before.toString("utf8", start, end) !== text))
      return refuse(`${file} changed while it was searched.`, "Nothing was changed; call again.");
    const splices = splicesOf(outer, before);
    const [first] = splices;
    if (first === undefined) continue;
    samples.push({ before: before.toString("utf8", first.start, first.end), after: first.text });
    places += splices.length;
    changes.push(spliced(located, before, splices));
    diffs.push(renderDiff(located.name, before, splices));
  }
  return { changes, places, nested, diffs, samples };
}

/** Matches by file, in their order. */
export function byFile(matches: readonly Match[]): Map<string, Match[]> {
  const files = new Map<string, Match[]>();
  for (const match of matches) {
    const known = files.get(match.file);
    if (known === undefined) files.set(match.file, [match]);
    else known.push(match);
  }
  return files;
}

function outermost(matches: readonly Match[]): Match[] {
  let end = 0;
  return matches.filter((match) => {
    if (match.start < end) return false;
    ({ end } = match);
    return true;
  });
}

function splicesOf(matches: readonly Match[], before: Buffer): Splice[] {
  const lineEnd = lineEndOf(before);
  return matches.flatMap(({ start, end, text, replacement }) => {
    const fresh = withLineEnds(replacement ?? text, lineEnd);
    return fresh === text || replacement === text ? [] : [{ start, end, text: fresh }];
  });
}

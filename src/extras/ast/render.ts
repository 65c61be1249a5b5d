import { excerpt } from "../../lib/excerpt.ts";
import type { Match } from "./search.ts";

/** Bytes of what is shown of matches or changes. */
const MAX_SHOWN = 12_000;
const MAX_LINE = 200;

/** Matches as a search shows them, `file:line: text`, with what is left out counted. */
export function renderMatches(
  matches: readonly Match[],
  uncounted: { readonly matches: number; readonly files: number },
): string {
  const lines = matches.map(({ file, line, lines: all }) => {
    const [first = "", ...rest] = all.replace(/\r?\n?$/u, "").split(/\r?\n/u);
    const more = rest.length === 0 ? "" : ` … (+${rest.length} ${rest.length === 1 ? "line" : "lines"})`;
    return `${file}:${line}: ${excerpt(first, MAX_LINE)}${more}`;
  });
  const shown = fitting(lines);
  const left = matches.slice(shown);
  const seen = new Set(matches.slice(0, shown).map(({ file }) => file));
  const files =
    new Set(left.map(({ file }) => file).filter((file) => !seen.has(file))).size + uncounted.files;
  const more = left.length + uncounted.matches;
  const cut =
    more === 0
      ? []
      : [
          `… ${more} more ${more === 1 ? "match" : "matches"} in ${among(files)}. Name paths or globs to see them.`,
        ];
  return [...lines.slice(0, shown), ...cut].join("\n");
}

/** Changes as a preview shows them, whole files' worth of lines as long as there is room. */
export function renderChanges(diffs: readonly string[][]): string {
  const lines = diffs.flat().map((line) => excerpt(line, MAX_LINE));
  const shown = fitting(lines);
  const firsts = diffs.map((_, index) => diffs.slice(0, index).flat().length);
  const hidden = firsts.filter((first) => first >= shown).length;
  const cut =
    shown === lines.length
      ? []
      : [
          `… ${lines.length - shown} more lines${hidden === 0 ? "" : `, ${count(hidden, "file")} among them`}.`,
        ];
  return [...lines.slice(0, shown), ...cut].join("\n");
}

/** `3 files`. */
export function count(amount: number, what: string): string {
  return `${amount} ${what}${amount === 1 ? "" : "s"}`;
}

function among(others: number): string {
  return others === 0 ? "these files" : count(others, "other file");
}

function fitting(lines: readonly string[]): number {
  let room = MAX_SHOWN;
  const end = lines.findIndex((line) => (room -= Buffer.byteLength(line) + 1) < 0);
  return end === -1 ? lines.length : end;
}

import { stripVTControlCharacters } from "node:util";
import { head, tail } from "../lib/text.ts";

interface Bounds {
  readonly maxLines?: number;
  readonly maxCharacters: number;
}

const MAX_LINES = 80;
/** Lines around one that names an error, which are shown with it: linters name the file above. */
const AROUND = [-1, 1, 2, 3, 4];
/** Of a line no more is looked at, nor shown. */
const MAX_LINE = 300;
/** Before what was written over is cut away. */
const MAX_RAW_LINE = 20_000;
const LEFT_OUT = "…";
// oxlint-disable-next-line no-control-regex -- everything below a space but tab, newline and return
const CONTROL = /[\0-\u0008\u000B\u000C\u000E-\u001F\u007F]/g;
/** A word of error, or a file with a line number. */
const TELLING = /error|fail|not ok|panic|exception|cannot|\.\w{1,8}(?::|\(|", line )\d/i;

/**
 * The part of an output that matters, where its cause most often stands: the end, and before it the lines that name an error
 * or a file with a line number, each once. Without colours and progress bars; blank lines are left out. Pure, and linear in the text.
 */
export function excerptOutput(output: string, { maxLines = MAX_LINES, maxCharacters }: Bounds): string {
  const lines = linesOf(output).map((line) => bothEnds(line, Math.min(MAX_LINE, maxCharacters >> 2)));
  const all = lines.join("\n");
  if (lines.length <= maxLines && all.length <= maxCharacters) return all;
  const chosen = new Set<number>();
  let left = maxCharacters - LEFT_OUT.length;
  const take = (indexes: readonly number[], most: number, leave: number): void => {
    for (const index of indexes) {
      const size = (lines[index]?.length ?? 0) + 1;
      if (chosen.has(index) || lines[index] === undefined) continue;
      if (chosen.size >= most || left - size < leave) return;
      chosen.add(index);
      left -= size;
    }
  };
  const fromEnd = [...lines.keys()].toReversed();
  take(fromEnd, Math.ceil((maxLines - 1) / 3), maxCharacters / 2);
  const telling = fromBothEnds(tellingIn(lines));
  take(telling, maxLines - 1, maxCharacters / 6);
  for (const away of AROUND)
    take(
      telling.map((index) => index + away),
      maxLines - 1,
      0,
    );
  take(fromEnd, maxLines - 1, 0);
  if (chosen.size === 0) return "";
  const indexes = [...chosen].toSorted((one, other) => one - other);
  // The end is what follows without a gap up to the last line.
  const end = indexes.findIndex((index, at) => index === lines.length - (indexes.length - at));
  const shown = indexes.map((index) => lines[index] ?? "");
  return [...shown.slice(0, end), LEFT_OUT, ...shown.slice(end)].join("\n");
}

/** What an output says in one line: the first that names an error or a place, else the last. */
export function headlineOf(output: string): string {
  const lines = linesOf(output);
  return (lines.find((line) => TELLING.test(line)) ?? lines.at(-1) ?? "").trim();
}

/** The lines of an output by which it is known again: those that tell something; all where none does. */
export function tellingLines(output: string): readonly string[] {
  const lines = linesOf(output);
  const telling = lines.filter((line) => TELLING.test(line));
  return telling.length > 0 ? telling : lines;
}

/** As a terminal shows them, without blank ones. */
function linesOf(output: string): string[] {
  return output
    .split("\n")
    .map((line) => bothEnds(lastWritten(withoutControls(line.slice(-MAX_RAW_LINE))), MAX_LINE))
    .filter((line) => line.trim() !== "");
}

/** A text without colours, and of each line only what stayed on the screen. */
export function screenText(text: string): string {
  return withoutControls(text).split("\n").map(lastWritten).join("\n");
}

function withoutControls(text: string): string {
  return stripVTControlCharacters(text).replace(CONTROL, "");
}

/** Of a line that was written over what stands there last. */
function lastWritten(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end -= 1;
  return end === 0 ? "" : line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

function bothEnds(line: string, max: number): string {
  return line.length <= max ? line : head(line, max >> 1) + tail(line, max >> 1);
}

function tellingIn(lines: readonly string[]): number[] {
  const seen = new Set<string>();
  return [...lines.keys()].filter((index) => {
    const line = (lines[index] ?? "").trim();
    return TELLING.test(line) && !seen.has(line) && seen.add(line);
  });
}

/** The first, the last, the second, the last but one: of too many, those at both ends. */
function fromBothEnds(indexes: readonly number[]): number[] {
  const half = Math.ceil(indexes.length / 2);
  return indexes.slice(0, half).flatMap((index, at) => [index, indexes[indexes.length - 1 - at] ?? index]);
}

type Source = "stdout" | "stderr";

/** Bytes kept while a command runs; more than is shown, because the lines that name an error may stand far before the end. */
const KEPT_BYTES = 2_000_000;
const NOTHING = Buffer.alloc(0);

/**
 * Keeps the end of an output of any size in a fixed amount of memory. stdout and stderr are joined line by line, in order of
 * arrival, so that a half-written line of one is not torn by the other.
 */
export function createOutputTail(size = KEPT_BYTES) {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  const pending: Record<Source, Buffer> = { stdout: NOTHING, stderr: NOTHING };

  const keep = (bytes: Buffer): void => {
    kept.push(bytes);
    keptBytes += bytes.length;
    if (keptBytes < 2 * size) return;
    let count = 0;
    while (keptBytes - (kept[count]?.length ?? 0) >= size) keptBytes -= kept[count++]?.length ?? 0;
    kept.splice(0, count);
  };

  return {
    write(source: Source, chunk: Buffer): void {
      const joined = pending[source].length === 0 ? chunk : Buffer.concat([pending[source], chunk]);
      const end = joined.length >= size ? joined.length : joined.lastIndexOf(10) + 1;
      for (let at = 0; at < end; at += size) keep(joined.subarray(at, Math.min(end, at + size)));
      // A copy, so that a few waiting bytes do not hold on to a whole read buffer.
      pending[source] = Buffer.from(joined.subarray(end));
    },
    /** All that is kept, readable; redacted before anything is cut, which could leave half of a secret. */
    whole(redact: (text: string) => string = (text) => text): string {
      const all = Buffer.concat([...kept, pending.stdout, pending.stderr]).toString("utf8");
      return redact(
        screenText(all)
          .replace(/^\uFFFD+/, "")
          .trimEnd(),
      );
    },
  };
}

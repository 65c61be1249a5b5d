import { stripVTControlCharacters } from "node:util";
import { head } from "../../lib/excerpt.ts";
import {
  HARMLESS,
  NOISE,
  PASSING,
  RECOGNISERS,
  RUNNER,
  SUMMARY,
  TELLING,
  type Recogniser,
} from "./recognisers.ts";

/** What of an output tells why it failed. */
export interface Excerpt {
  readonly text: string;
  /** The first failure in one line; empty where the output tells none. */
  readonly headline: string;
}

/** An output by its lines, as they were written and without what runners put before them; see {@link readOutput}. */
export interface Output {
  readonly bare: readonly string[];
  readonly shown: readonly string[];
  /** Each failure that was found. */
  readonly blocks: readonly string[][];
  readonly sums: readonly string[];
  /** Nothing was found, or only what many programs write also about what is told better elsewhere. */
  readonly isWeak: boolean;
}

interface Bounds {
  readonly maxLines: number;
  readonly maxCharacters: number;
}

/** Of a line no more is looked at, nor shown. */
const MAX_LINE = 300;
/** Before what was written over is cut away. */
const MAX_RAW_LINE = 20_000;
const MAX_FIRST_LINES = 2_000;
const MAX_LAST_LINES = 8_000;
const MAX_BLANK_LINES = 2;
const MAX_BLOCK = 30;
const MAX_BLOCKS = 4_000;
const MAX_SUMMARY = 6;
/** Lines after a telling one that are salvaged with it. */
const SALVAGED_AFTER = 12;
/** Lines after a telling one that are shown with it where no tool is known. */
const TOLD_AFTER = 4;
/** Shorter lines are labels. */
const MIN_SAID = 12;
const LABEL = /^[\w ]{1,20}:$/;
/** Of each failure so many lines come before another one is shown: what, and where. */
const LEAST_SHARE = 3;
/** A place above a failure is looked for so many lines up. */
const HEADER_REACH = 200;
/** Where the lines of a test in Go begin. */
const DECIDED = /^\s*--- |^(?:ok|FAIL)\b/;
/** What runners of several packages put before each line. */
const PREFIX =
  /^(?!\S+?:\d+(?::\d+)?:? )(?:\[(?!warn|error|info|[ =-])[^\]\n]{1,60}\] |[\w@/.-]{1,60}:[\w:-]{1,40}: |[\w@/.-]{1,60} [\w:-]{1,40}(?:[:$|] ))/i;

/**
 * What failed, out of everything that a check printed: each failure with its beginning, then the sums; where no tool is
 * recognised, lines that look like errors and the end. Passing tests are left out. Pure.
 */
export function excerptFailure(output: string | Output, bounds: Bounds): Excerpt {
  const { bare, shown, blocks, sums, isWeak } = asRead(output);
  if (isWeak) return plainExcerpt(bare, shown, bounds);
  return { text: compose(blocks, sums.slice(-MAX_SUMMARY), bounds), headline: headlineOf(blocks[0] ?? []) };
}

/** Every line of an output that an excerpt of it may show. */
export function toldLines(output: string | Output): readonly string[] {
  const { bare, shown, blocks, sums, isWeak } = asRead(output);
  return isWeak ? toldIn(bare).map((index) => shown[index] ?? "") : [...blocks.flat(), ...sums];
}

/** What a check that failed printed, taken apart. Pure, and linear in the text. */
export function readOutput(output: string): Output {
  const shown = boundedLines(output).map((line) => head(asShown(line.slice(-MAX_RAW_LINE)), MAX_LINE));
  const bare = withoutPrefix(shown);
  const { blocks, taken, isWeak } = findBlocks(bare, shown);
  const sums = bare.flatMap((line, index) =>
    !taken.has(index) && SUMMARY.test(line) ? [shown[index] ?? ""] : [],
  );
  return { bare, shown, blocks, sums: [...new Set(sums)], isWeak };
}

/** The first and the last lines, where there are more than can be looked at; of blank ones that follow each other a few. */
function boundedLines(output: string): string[] {
  let blank = 0;
  const lines = output.split("\n").filter((line) => {
    blank = line.trim() === "" ? blank + 1 : 0;
    return blank <= MAX_BLANK_LINES;
  });
  if (lines.length <= MAX_FIRST_LINES + MAX_LAST_LINES) return lines;
  return [...lines.slice(0, MAX_FIRST_LINES), ...lines.slice(-MAX_LAST_LINES)];
}

function asRead(output: string | Output): Output {
  return typeof output === "string" ? readOutput(output) : output;
}

/** A line as a terminal shows it: without colours, and of what was written over only the end. */
function asShown(line: string): string {
  const bare = line.includes("\u001B") ? stripVTControlCharacters(line) : line;
  return bare.includes("\r") ? (bare.split("\r").findLast((part) => part !== "") ?? "") : bare;
}

/** What failed, and the first thing that is said of it. */
function headlineOf(block: readonly string[]): string {
  const [first = "", ...rest] = block
    .map((line) => line.replaceAll(/^[\s_\-=⎯]+|[\s_\-=⎯]+$/g, ""))
    .filter((line) => /\p{L}/u.test(line));
  const says = (line: string): boolean => line.length > MIN_SAID && !LABEL.test(line) && TELLING.test(line);
  const said = rest.find(says) ?? rest[0];
  return said === undefined ? first : `${first} · ${said}`;
}

/** Of a part of an output that no longer fits: what looks like a failure, each with the lines behind it. */
export function salvageFailures(text: string): string {
  let left = 0;
  const lines = text.split("\n").filter((line) => {
    const start = line.slice(0, MAX_LINE);
    if (PASSING.test(start)) return (left = 0) > 0;
    if (TELLING.test(start) && !HARMLESS.test(start)) left = SALVAGED_AFTER;
    return left-- > 0;
  });
  return lines.map((line) => `${line}\n`).join("");
}

/** The lines as the tools wrote them, where most carry the name of a package. */
function withoutPrefix(lines: readonly string[]): readonly string[] {
  const named = lines.filter((line) => PREFIX.test(line)).length;
  return named * 2 > lines.length ? lines.map((line) => line.replace(PREFIX, "")) : lines;
}

function findBlocks(bare: readonly string[], shown: readonly string[]) {
  let isWeak = true;
  const taken = new Set<number>();
  const blocks: string[][] = [];
  const seen = new Set<string>();
  let headed = "";
  for (let at = 0; at < bare.length && blocks.length < MAX_BLOCKS; at += 1) {
    const line = bare[at] ?? "";
    const recogniser = RECOGNISERS.find(({ start }) => start.test(line));
    if (recogniser === undefined) continue;
    const end = endOfBlock(bare, at, recogniser);
    const text = bare.slice(at, end).join("\n");
    if (recogniser.has?.test(text) === false) continue;
    if (recogniser.not?.test(text) === true) {
      at = end - 1;
      continue;
    }
    for (let index = at; index < end; index += 1) taken.add(index);
    const headers = headersOf(bare, at, recogniser);
    const header = headers.join("\n");
    const inner = shown
      .slice(at, end)
      .filter((_, index) => isTold(bare[at + index] ?? "", recogniser))
      .slice(0, MAX_BLOCK);
    at = end - 1;
    const key = inner.join("\n");
    if (seen.has(key + header)) continue;
    seen.add(key + header);
    const own = header === headed ? [] : headers;
    headed = header;
    blocks.push([...own, ...inner]);
    isWeak &&= recogniser.isWeak === true;
  }
  return { blocks, taken, isWeak };
}

function endOfBlock(lines: readonly string[], start: number, { until }: Recogniser): number {
  let end = start + 1;
  // Much longer than what is shown: what ends it also says what it was.
  while (end < lines.length && end < start + 8 * MAX_BLOCK && !until.test(lines[end] ?? "")) end += 1;
  return end;
}

function isTold(line: string, { keep }: Recogniser): boolean {
  return line.trim() !== "" && !NOISE.test(line) && (keep?.test(line) ?? true);
}

function headersOf(lines: readonly string[], start: number, { header, isEach }: Recogniser): string[] {
  const found: string[] = [];
  if (header === undefined) return found;
  for (let at = start - 1; at >= 0 && at > start - HEADER_REACH; at -= 1) {
    const line = lines[at] ?? "";
    if (header.test(line)) found.unshift(line);
    if (isEach === true ? DECIDED.test(line) : found.length > 0 || PASSING.test(line)) break;
  }
  return found;
}

/** Every failure its share, those that need less leave more to the next; in the end what did not fit is counted. */
function compose(blocks: readonly string[][], sums: readonly string[], bounds: Bounds): string {
  for (let budget = bounds.maxLines - sums.length - 1; budget > 0; budget = Math.floor(budget * 0.75)) {
    const lines: string[] = [];
    let least = 0;
    const cut = blocks.findIndex((block) => (least += Math.min(block.length, LEAST_SHARE)) > budget);
    const fitting = cut === -1 ? blocks : blocks.slice(0, Math.max(1, cut));
    for (const [index, block] of fitting.entries()) {
      const share = Math.max(1, Math.floor((budget - lines.length) / (fitting.length - index)));
      lines.push(...block.slice(0, share));
    }
    const more = blocks.length - fitting.length;
    const text = [...lines, ...(more > 0 ? [`… and ${more} more`] : []), ...sums].join("\n");
    if (text.length <= bounds.maxCharacters) return text;
  }
  return [...(blocks[0] ?? []), ...sums].join("\n").slice(0, bounds.maxCharacters);
}

/** Lines that tell more than that something passed; all where none does. */
function toldIn(bare: readonly string[]): readonly number[] {
  const indexes = [...bare.keys()].filter((index) => (bare[index] ?? "").trim() !== "");
  const told = indexes.filter((index) => !PASSING.test(bare[index] ?? "") && !RUNNER.test(bare[index] ?? ""));
  return told.length > 0 ? told : indexes;
}

function plainExcerpt(bare: readonly string[], shown: readonly string[], bounds: Bounds): Excerpt {
  const kept = toldIn(bare);
  const isTelling = (index: number): boolean =>
    TELLING.test(bare[index] ?? "") && !HARMLESS.test(bare[index] ?? "");
  // What tells something with what follows it, and the end; all else is what went well.
  const end = kept.slice(-Math.ceil(kept.some(isTelling) ? bounds.maxLines / 4 : bounds.maxLines));
  const chosen = new Set(end);
  for (const [at, index] of kept.entries()) {
    if (!isTelling(index)) continue;
    for (const near of kept.slice(at, at + 1 + TOLD_AFTER))
      if (chosen.size < bounds.maxLines) chosen.add(near);
  }
  let lines = kept.filter((index) => chosen.has(index)).map((index) => shown[index] ?? "");
  // What is at the end counts more than what came first.
  while (lines.length > 1 && lines.join("\n").length > bounds.maxCharacters) lines = lines.slice(1);
  const text = lines.join("\n").slice(-bounds.maxCharacters);
  const headline = shown[kept.find(isTelling) ?? kept.at(-1) ?? 0] ?? "";
  return { text, headline: headline.trim() };
}

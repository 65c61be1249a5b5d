import { diffArrays } from "diff";

interface DiffLine {
  readonly kind: "added" | "removed" | "context";
  readonly text: string;
  /** Number in the new file, or in the old one for a removed line. */
  readonly line: number;
}

/** A run of lines that belong together, with the heading of what they stand in. */
export interface DiffHunk {
  readonly header: string;
  readonly lines: DiffLine[];
}

export interface DiffFile {
  /** The new path, or the old one of a deleted file. */
  readonly path: string;
  readonly status: "added" | "modified" | "deleted" | "binary";
  readonly bytes?: number;
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly DiffHunk[];
}

/** Lines that went and those that came in their place; numbers from one, `line` in the text after. */
export interface LineChange {
  readonly was: number;
  readonly went: number;
  readonly line: number;
  readonly came: number;
}

/** Texts that differ in more lines than this count as replaced from the first of them to the last. */
const MAX_DISTANCE = 600;

/** Which lines of a text are others in a later one, the fewest that it takes. Pure. @param maxDistance beyond it all between counts as replaced */
export function lineChanges(
  before: readonly string[],
  after: readonly string[],
  maxDistance = MAX_DISTANCE,
): LineChange[] {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const old = before.slice(start, before.length - end);
  const fresh = after.slice(start, after.length - end);
  const parts = diffArrays(old, fresh, { maxEditLength: maxDistance }) ?? [
    { removed: true, added: false, count: old.length },
    { removed: false, added: true, count: fresh.length },
  ];
  const changes: LineChange[] = [];
  let [was, line] = [start + 1, start + 1];
  for (const { removed, added, count } of parts) {
    const [went, came] = [added ? 0 : count, removed ? 0 : count];
    const last = changes.at(-1);
    const isSame = !added && !removed;
    if (last !== undefined && !isSame && last.was + last.went === was && last.line + last.came === line)
      changes.splice(-1, 1, { ...last, went: last.went + went, came: last.came + came });
    else if (!isSame && count > 0) changes.push({ was, went, line, came });
    was += went;
    line += came;
  }
  return changes;
}

/** The same for texts that are shown. */
const MAX_SHOWN_DISTANCE = 1_000;
/** Unchanged lines before and behind a change. */
const CONTEXT = 3;
/** A block, such as a function, stands whole around what changed in it, up to so many lines. */
const MAX_BLOCK = 60;
/** What begins a part of a text, as git takes it where nothing else is set. */
const HEADING = /^[\p{L}_$]/u;
const MAX_HEADING = 80;

/** What differs between two texts, each change within the block that it stands in. Pure. @param withEnds whether other line ends are a change */
export function diffTexts(path: string, before: string, after: string, withEnds = false): DiffFile {
  const [old, fresh] = [linesOf(before, withEnds), linesOf(after, withEnds)];
  const hunks: DiffHunk[] = [];
  let [added, removed] = [0, 0];
  let lines: DiffLine[] = [];
  /** Lines of the old text that stand in a hunk already, and to where it goes on; the new one is `ahead` of it there. */
  let [told, until, ahead] = [0, -1, 0];
  /** What begins the part that the next hunk stands in, looked for up to here. */
  let [heading, seen] = ["", 0];
  const unchanged = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1)
      lines.push({ kind: "context", text: old[at] ?? "", line: at + 1 + ahead });
  };
  for (const { was, went, line, came } of lineChanges(old, fresh, MAX_SHOWN_DISTANCE)) {
    const start = was - 1;
    const [from, to] = contextOf(old, start, start + went);
    if (from > until) {
      unchanged(told, until);
      heading = headingIn(old.slice(seen, from)) ?? heading;
      seen = from;
      hunks.push({ header: heading, lines: (lines = []) });
      told = from;
    }
    unchanged(told, start);
    for (let at = 0; at < went; at += 1)
      lines.push({ kind: "removed", text: old[start + at] ?? "", line: was + at });
    for (let at = 0; at < came; at += 1)
      lines.push({ kind: "added", text: fresh[line - 1 + at] ?? "", line: line + at });
    added += came;
    removed += went;
    told = start + went;
    until = Math.max(until, to);
    ahead += came - went;
  }
  unchanged(told, until);
  return { path, status: "modified", added, removed, hunks };
}

/** From where to where the old text is shown around lines of it: the widest block that they stand in, by indentation, and that is not too long. */
function contextOf(old: readonly string[], start: number, end: number): readonly [number, number] {
  let [from, to] = [Math.max(0, start - CONTEXT), Math.min(old.length, end + CONTEXT)];
  let level = depthOf(old.slice(from, to).find((line) => line.trim() !== "") ?? "");
  const isOutside = (at: number): boolean => {
    const line = old[at] ?? "";
    return line.trim() !== "" && depthOf(line) < level;
  };
  while (level > 0) {
    let [top, bottom] = [start - 1, end];
    while (top >= 0 && start - top <= MAX_BLOCK && !isOutside(top)) top -= 1;
    while (bottom < old.length && bottom - end <= MAX_BLOCK && !isOutside(bottom)) bottom += 1;
    if (bottom + 1 - top > MAX_BLOCK) break;
    [from, to] = [Math.min(from, Math.max(0, top)), Math.max(to, Math.min(old.length, bottom + 1))];
    level = depthOf(old[top] ?? "");
  }
  return [from, to];
}

function headingIn(lines: readonly string[]): string | undefined {
  return lines
    .findLast((line) => HEADING.test(line))
    ?.slice(0, MAX_HEADING)
    .trimEnd();
}

/** Characters by which a line is indented. */
function depthOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** The same change with a few lines around it alone. Pure. */
export function narrowed(file: DiffFile): DiffFile {
  const hunks = file.hunks.flatMap(({ header, lines }) => {
    const near = lines.map((_, at) =>
      lines.slice(Math.max(0, at - CONTEXT), at + CONTEXT + 1).some(({ kind }) => kind !== "context"),
    );
    const starts = near.flatMap((isNear, at) => (isNear && near[at - 1] !== true ? [at] : []));
    return starts.map((at) => {
      const end = near.indexOf(false, at);
      const heading = headingIn(lines.slice(0, at).map(({ text }) => text));
      return { header: heading ?? header, lines: lines.slice(at, end === -1 ? undefined : end) };
    });
  });
  return { ...file, hunks };
}

function linesOf(text: string, withEnds: boolean): string[] {
  if (text === "") return [];
  return withEnds ? text.replace(/\n$/u, "").split("\n") : text.replace(/\r?\n$/u, "").split(/\r?\n/u);
}

/** The ending of most of its lines. */
export function lineEndOf(bytes: Buffer): "\n" | "\r\n" {
  const text = bytes.toString("latin1");
  const all = text.split("\n").length - 1;
  return all > 0 && (text.split("\r\n").length - 1) * 2 > all ? "\r\n" : "\n";
}

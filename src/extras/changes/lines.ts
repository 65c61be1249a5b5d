import { diffArrays } from "diff";

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

/** The ending of most of its lines. */
export function lineEndOf(bytes: Buffer): "\n" | "\r\n" {
  const text = bytes.toString("latin1");
  const all = text.split("\n").length - 1;
  return all > 0 && (text.split("\r\n").length - 1) * 2 > all ? "\r\n" : "\n";
}

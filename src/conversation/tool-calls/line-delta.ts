/** Above this many comparisons, what differs in the middle counts as replaced. */
const MAX_CELLS = 1_000_000;

/** How many lines a new text adds to and removes from an old one. */
export function lineDelta(before: string, after: string): { added: number; removed: number } {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, fresh.length) - start;
  while (end < most && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const left = old.slice(start, old.length - end);
  const right = fresh.slice(start, fresh.length - end);
  const kept = left.length * right.length > MAX_CELLS ? 0 : commonLines(left, right);
  return { added: right.length - kept, removed: left.length - kept };
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  return text.replace(/\r?\n$/, "").split(/\r?\n/);
}

/** The length of the longest common subsequence. */
function commonLines(left: readonly string[], right: readonly string[]): number {
  let row = Array.from({ length: right.length + 1 }, () => 0);
  for (const line of left) {
    const next = [0];
    for (const [index, other] of right.entries()) {
      const longer = Math.max(next[index] ?? 0, row[index + 1] ?? 0);
      next.push(line === other ? (row[index] ?? 0) + 1 : longer);
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

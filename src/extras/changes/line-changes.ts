/** Lines that went and those that came in their place; numbers from one, `line` in the text after. */
export interface LineChange {
  readonly was: number;
  readonly went: number;
  readonly line: number;
  readonly came: number;
}

/** Texts that differ in more lines than this count as replaced from the first of them to the last. */
const MAX_DISTANCE = 600;

/** Which lines of a text are others in a later one: the fewest that it takes (Myers 1986). Pure. */
export function lineChanges(before: readonly string[], after: readonly string[]): LineChange[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const old = before.slice(start, before.length - end);
  const fresh = after.slice(start, after.length - end);
  const changes: { was: number; went: number; line: number; came: number }[] = [];
  let [x, y] = [0, 0];
  for (const [keptX, keptY] of [...keptOf(old, fresh), [old.length, fresh.length] as const]) {
    if (keptX > x || keptY > y)
      changes.push({ was: start + x + 1, went: keptX - x, line: start + y + 1, came: keptY - y });
    [x, y] = [keptX + 1, keptY + 1];
  }
  return changes;
}

/** The places of the lines that both have, in their order. */
function keptOf(old: readonly string[], fresh: readonly string[]): (readonly [number, number])[] {
  const steps: Map<number, number>[] = [];
  const reach = new Map([[1, 0]]);
  for (let distance = 0; distance <= Math.min(MAX_DISTANCE, old.length + fresh.length); distance += 1) {
    steps.push(new Map(reach));
    for (let diagonal = -distance; diagonal <= distance; diagonal += 2) {
      let x = isDown(reach, diagonal, distance)
        ? (reach.get(diagonal + 1) ?? 0)
        : (reach.get(diagonal - 1) ?? 0) + 1;
      while (x < old.length && x - diagonal < fresh.length && old[x] === fresh[x - diagonal]) x += 1;
      reach.set(diagonal, x);
      if (x >= old.length && x - diagonal >= fresh.length) return wayBack(steps, old.length, fresh.length);
    }
  }
  return [];
}

function isDown(reach: ReadonlyMap<number, number>, diagonal: number, distance: number): boolean {
  return (
    diagonal === -distance ||
    (diagonal !== distance && (reach.get(diagonal - 1) ?? 0) < (reach.get(diagonal + 1) ?? 0))
  );
}

function wayBack(
  steps: readonly ReadonlyMap<number, number>[],
  width: number,
  height: number,
): (readonly [number, number])[] {
  const kept: (readonly [number, number])[] = [];
  let [x, y] = [width, height];
  for (let distance = steps.length - 1; distance >= 0; distance -= 1) {
    const reach = steps[distance] ?? new Map<number, number>();
    const diagonal = isDown(reach, x - y, distance) ? x - y + 1 : x - y - 1;
    const fromX = distance === 0 ? 0 : (reach.get(diagonal) ?? 0);
    const fromY = distance === 0 ? 0 : fromX - diagonal;
    while (x > fromX && y > fromY) {
      x -= 1;
      y -= 1;
      kept.push([x, y]);
    }
    [x, y] = [fromX, fromY];
  }
  return kept.toReversed();
}

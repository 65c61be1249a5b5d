/** Items in their order, each behind what has to be before it. Ends for circles too, which it cuts where it meets them. */
export function neededFirst<T>(items: readonly T[], before: (item: T) => readonly T[]): T[] {
  const seen = new Set<T>();
  const order: T[] = [];
  for (const item of items) {
    // A stack of its own: a chain may be as long as the plan.
    const stack = seen.has(item) ? [] : [{ item, rest: [...before(item)] }];
    seen.add(item);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.rest.shift();
      if (next === undefined) {
        order.push(top.item);
        stack.pop();
      } else if (!seen.has(next)) {
        seen.add(next);
        stack.push({ item: next, rest: [...before(next)] });
      }
    }
  }
  return order;
}

import type { CodeError } from "./protocol.ts";

/** An error with the line in which it stands. */
export interface PlacedError extends CodeError {
  readonly line: string;
}

/**
 * The errors that were not there before, in their order. Lines move with every edit, so errors are told apart by file, kind,
 * words and what their line says; of those that are left, as many of a kind are new as there are more of them.
 */
export function newErrors<E extends PlacedError>(before: readonly PlacedError[], after: readonly E[]): E[] {
  const same = (error: PlacedError): string => `${alike(error)}\0${error.line.trim()}`;
  const [gone, come] = [without(before, after, same), without(after, before, same)];
  return without(come, gone, alike);
}

function alike({ path, code, message }: CodeError): string {
  return `${path}\0${code}\0${message}`;
}

/** A list without as many of each kind as another one has. */
function without<E extends PlacedError>(
  list: readonly E[],
  others: readonly PlacedError[],
  kindOf: (error: PlacedError) => string,
): E[] {
  const left = new Map<string, number>();
  for (const error of others) left.set(kindOf(error), (left.get(kindOf(error)) ?? 0) + 1);
  return list.filter((error) => {
    const count = left.get(kindOf(error)) ?? 0;
    left.set(kindOf(error), count - 1);
    return count <= 0;
  });
}

/**
 * An object that is at each look what `current` gives then. Functions that were taken from it once follow as well.
 * @param first of the same kind; nothing is read from it but the names of its properties
 */
export function following<T extends object>(first: T, current: () => T): T {
  return new Proxy(first, {
    get(_first, name) {
      const found: unknown = Reflect.get(current(), name);
      if (typeof found !== "function") return found;
      return (...given: unknown[]): unknown => {
        const now = current();
        const call: unknown = Reflect.get(now, name);
        return typeof call === "function" ? Reflect.apply(call, now, given) : undefined;
      };
    },
  });
}

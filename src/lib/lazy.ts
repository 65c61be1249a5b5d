/**
 * Something that is made at the first call and kept: a schema costs tenths of a millisecond, and a start needs few of
 * them. A maker that throws is asked again.
 */
export function lazy<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

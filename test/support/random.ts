/** Marsaglia's xorshift, from 0 to 1: the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = Math.imul(seed, 2_654_435_761) || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

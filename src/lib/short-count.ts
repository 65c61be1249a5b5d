/** `950`, `12.3k`, `1.2M`. */
export function shortCount(count: number): string {
  if (count < 1_000) return String(count);
  return count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`;
}

import { commonPrefix } from "../cache-order.ts";

/** How long a provider keeps a prefix after its last use, in seconds, and the shortest that it keeps, in bytes. */
const LIFETIME = 300;
const MIN_BYTES = 4_096;

interface Entry {
  readonly prompt: Buffer;
  /** When it had been read whole: before, a request beside it pays in full. */
  readonly readAt: number;
  usedAt: number;
}

/** What a provider has cached of the prompts of one model, no matter who sent them: whole prompts, found by their beginning. */
export function createPrefixCache() {
  const entries: Entry[] = [];
  return {
    /** How many bytes of a prompt are cached, at a time in seconds; uses what it finds. */
    find(prompt: Buffer, now: number): number {
      let best = 0;
      let found: Entry | null = null;
      for (const entry of entries) {
        if (entry.readAt > now || now - entry.usedAt > LIFETIME) continue;
        // Most have less in common than the best so far, and comparing up to there costs nothing.
        if (!entry.prompt.subarray(0, best).equals(prompt.subarray(0, best))) continue;
        const length = best + commonPrefix(entry.prompt.subarray(best), prompt.subarray(best));
        if (length > best || found === null) [best, found] = [length, entry];
      }
      if (best < MIN_BYTES || found === null) return 0;
      found.usedAt = now;
      return best;
    },
    /** @param readAt when the model had read it whole, in seconds */
    add(prompt: Buffer, readAt: number): void {
      entries.push({ prompt, readAt, usedAt: readAt });
    },
  };
}

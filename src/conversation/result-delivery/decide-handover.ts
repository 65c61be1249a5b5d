/** Results wait this long for those of specialists at work, in milliseconds, before the first wake-up; then longer. */
const GATHER_MS = 100;
/** Each wake-up without a word of the user's makes the next wait this many times longer. */
const PATIENCE = 4;
/** So many results are worth a turn; after each wake-up it is one more, so that a hundred tasks take a dozen turns. */
const LEAST = 3;
/** The longest that a result waits while others are still worked on, in milliseconds. */
const MAX_GATHER_MS = 600_000;

/** What there is to hand over, and what is still to come. */
export interface Handover {
  /** Results that nobody was given yet. */
  readonly ended: number;
  readonly running: number;
  readonly queued: number;
  /** Turns that the plugin has begun since the user's last word. */
  readonly turns: number;
  /** How long the oldest result has waited, in milliseconds. */
  readonly waitedMs: number;
}

/**
 * How long results go on waiting for those of their siblings, in milliseconds; 0 hands them over now. While tasks queue,
 * few results are not worth a turn; after that the wait grows with each wake-up, so that twenty tasks, three at once, are
 * seven turns at most.
 */
export function decideHandover({ ended, running, queued, turns, waitedMs }: Handover): number {
  if (running + queued === 0 || ended >= LEAST + turns) return 0;
  const patience = queued > 0 ? MAX_GATHER_MS : Math.min(MAX_GATHER_MS, GATHER_MS * PATIENCE ** turns);
  return Math.max(0, patience - waitedMs);
}

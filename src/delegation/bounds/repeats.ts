/** A call that was made over and over. */
export interface Repeated {
  readonly tool: string;
  readonly times: number;
}

/**
 * Counts how often the same call gave the same result while nothing new happened. What is new begins the count again: a
 * test that is run after each edit is no loop, a round of three reads is one. Calls of one message count once, since the
 * model had seen the result of none of them.
 */
export function createRepeats() {
  const seen = new Set<string>();
  const again = new Map<string, { tool: string; times: number; messageId: string }>();
  return {
    /** @param trace the same for the same call with the same result */
    add(messageId: string, tool: string, trace: string): void {
      if (!seen.has(trace)) again.clear();
      seen.add(trace);
      const known = again.get(trace);
      if (known?.messageId === messageId) return;
      again.set(trace, { tool, times: (known?.times ?? 0) + 1, messageId });
    },
    /** The call that was repeated most; null before the first. */
    most(): Repeated | null {
      const [most] = [...again.values()].toSorted((a, b) => b.times - a.times);
      return most === undefined ? null : { tool: most.tool, times: most.times };
    },
  };
}

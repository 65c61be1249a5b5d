import type { HostEvent } from "../../host/port.ts";

/** What one run of a model has used: a task of a specialist, or all that follows from one word of the user's. */
export type RunCount = ReturnType<typeof createRunCount>;

/**
 * Counts from two sources, of which each makes up for what the other may miss: the requests that are announced, and the
 * host's events, which may be lost, come twice or out of order. Everything that has an id counts once.
 * @param earlier messages of the run that this one follows, whose late events are not this one's
 */
export function createRunCount(earlier: ReadonlySet<string> = new Set()) {
  const messages = new Set<string>();
  const calls = new Set<string>();
  const retries = new Set<number>();
  const repeats = createRepeats();
  const spent = new Map<string, { readonly tokens: number; readonly cost: number }>();
  const calling = new Set<string>();
  const barren = new Set<string>();
  /** Those of them since the last compaction. */
  const broken = new Set<string>();
  let requests = 0;
  let side = 0;
  return {
    requested(isSide: boolean): void {
      requests += 1;
      if (isSide) side += 1;
    },
    observe(event: HostEvent): void {
      if (event.type === "session.retry") retries.add(event.nextAt);
      if (!("messageId" in event) || earlier.has(event.messageId)) return;
      messages.add(event.messageId);
      if ("cost" in event) {
        const { input, output } = event.tokens;
        spent.set(event.messageId, { tokens: input + output, cost: event.cost });
      }
      if (event.type === "tool.activity") {
        calling.add(event.messageId);
        barren.clear();
        broken.clear();
      }
      if (event.type === "message.finished" && !calling.has(event.messageId)) {
        const { isAnswer, isFailed = false, isSummary = false, messageId } = event;
        if (isAnswer || isFailed) barren.clear();
        else barren.add(messageId);
        if (isAnswer || isFailed || isSummary) broken.clear();
        else broken.add(messageId);
      }
      if (event.type !== "tool.activity" || event.trace === undefined || calls.has(event.callId)) return;
      calls.add(event.callId);
      repeats.add(event.messageId, event.tool, event.trace);
    },
    messages: messages as ReadonlySet<string>,
    isUntouched: (): boolean => requests === 0 && messages.size === 0,
    /** Everything that was sent, what the host repeated and asked for itself included. */
    requests: (): number => requests,
    /** Turns of the model by the requests that were announced; one that the host repeated is the same turn. */
    announced: (): number => Math.max(0, requests - side - retries.size),
    begun: (): number => messages.size,
    /** Tokens that the provider had not cached, and dollars. */
    spent: () => ({
      tokens: [...spent.values()].reduce((sum, { tokens }) => sum + tokens, 0),
      cost: [...spent.values()].reduce((sum, { cost }) => sum + cost, 0),
    }),
    /** Turns in a row of which nothing came: no answer to its end, no call. */
    barren: (): number => barren.size,
    /** The same, where one that was compacted has a next model to go on with. */
    broken: (): number => broken.size,
    repeated: (): Repeated | null => repeats.most(),
  };
}

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
    most(): Repeated | null {
      const [most] = [...again.values()].toSorted((a, b) => b.times - a.times);
      return most === undefined ? null : { tool: most.tool, times: most.times };
    },
  };
}

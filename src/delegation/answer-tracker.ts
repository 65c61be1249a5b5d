import type { HostEvent, HostTurn, TokenUse } from "../host/port.ts";

/** Puts an answer together from events: they tell of its end sooner than OpenCode's own response to the prompt does. */
export interface AnswerTracker {
  /** A new prompt is on its way: what was said before is not its answer. Spending goes on to be summed up. */
  restart(): void;
  observe(event: HostEvent): void;
  /** The finished answer of a session that has gone idle; null when the events do not hold a clean one. */
  answer(): HostTurn | null;
  /** All that the messages seen so far have cost. */
  spent(): { tokens: TokenUse; cost: number };
}

type Finished = Extract<HostEvent, { type: "message.finished" }>;

/** One per running task; it sees the events of that task's session only. */
export function createAnswerTracker(): AnswerTracker {
  const spending = new Map<string, Pick<Finished, "tokens" | "cost">>();
  let texts = new Map<string, { messageId: string; text: string }>();
  let last: Finished | null = null;
  return {
    restart() {
      texts = new Map();
      last = null;
    },
    observe(event) {
      if (event.type === "text.finished") texts.set(event.partId, event);
      if (event.type !== "message.finished") return;
      spending.set(event.messageId, event);
      last = event;
    },
    answer() {
      const { messageId } = last ?? {};
      if (last === null || !last.isAnswer) return null;
      const parts = [...texts.values()].filter((part) => part.messageId === messageId);
      const { structured } = last;
      return {
        text: parts.map(({ text }) => text).join("\n"),
        failure: null,
        ...(structured === undefined ? {} : { structured }),
      };
    },
    spent() {
      let tokens: TokenUse = { input: 0, output: 0, cached: 0 };
      let cost = 0;
      for (const entry of spending.values()) {
        tokens = {
          input: tokens.input + entry.tokens.input,
          output: tokens.output + entry.tokens.output,
          cached: tokens.cached + entry.tokens.cached,
        };
        cost += entry.cost;
      }
      return { tokens, cost };
    },
  };
}

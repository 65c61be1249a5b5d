import type { HostEvent, HostTurn, TokenUse } from "../host/port.ts";

/** Puts an answer together from events: they tell of its end sooner than OpenCode's own response to the prompt does. */
export type AnswerTracker = ReturnType<typeof createAnswerTracker>;

type Finished = Extract<HostEvent, { type: "message.finished" }>;

export function createAnswerTracker() {
  const spending = new Map<string, Pick<Finished, "tokens" | "cost">>();
  const withTools = new Set<string>();
  let texts = new Map<string, { messageId: string; text: string }>();
  let last: Finished | null = null;
  let earlier = new Set<string>();
  return {
    /** A new prompt is on its way: what was said before is not its answer. Spending goes on to be summed up. */
    restart(): void {
      texts = new Map();
      last = null;
      earlier = new Set(spending.keys());
    },
    observe(event: HostEvent): void {
      if (event.type === "text.finished") texts.set(event.partId, event);
      if (event.type === "tool.activity") withTools.add(event.messageId);
      if (event.type !== "message.answered" && event.type !== "message.finished") return;
      spending.set(event.messageId, event);
      if (earlier.has(event.messageId)) return;
      last =
        event.type === "message.finished" ? event : { ...event, type: "message.finished", isAnswer: true };
    },
    /** The answer, once the model has said its last word; null when the events do not hold a clean one. */
    answer(): HostTurn | null {
      // Some providers say "stop" to a message that calls tools; OpenCode goes on after it all the same.
      if (last === null || !last.isAnswer || withTools.has(last.messageId)) return null;
      const { messageId } = last;
      const parts = [...texts.values()].filter((part) => part.messageId === messageId);
      return {
        text: parts.map(({ text }) => text).join("\n"),
        failure: null,
      };
    },
    spent(): { tokens: TokenUse; cost: number } {
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

import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Writes the open tasks, or a specialist's rules, under a summary, where the next request is sure to find them. */
export function createCompactionSummaryHook({
  experimental,
  conversations,
  sessions,
}: Runtime): HookDefinition {
  return defineHook({
    id: "compaction-summary",
    event: "answer-text",
    why: "the only hook at this event",
    onFailure: "open",
    async run({ sessionId, text, replace }) {
      experimental.called("compactionSummary");
      const rootId = sessions.peek(sessionId)?.rootId ?? sessionId;
      const parts = conversations.peek(rootId)?.parts;
      const summary =
        (rootId === sessionId
          ? parts?.bearings.underSummary(text)
          : await parts?.rules.underSummary(sessionId, text)) ?? null;
      if (summary !== null) replace(summary);
    },
  });
}

import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Writes the open tasks under a summary, where the next request is sure to find them. */
export function createCompactionSummaryHook({ experimental, conversations }: Runtime): HookDefinition {
  return defineHook({
    id: "compaction-summary",
    event: "answer-text",
    why: "the only hook at this event",
    onFailure: "open",
    run({ sessionId, text, replace }) {
      experimental.called("compactionSummary");
      const summary = conversations.peek(sessionId)?.parts.bearings.underSummary(text) ?? null;
      if (summary !== null) replace(summary);
    },
  });
}

import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Writes the open tasks, or a specialist's rules and skills, under a summary, where the next request is sure to find them. */
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
      if (parts === undefined) return;
      const { bearings, rules, skills } = parts;
      let summary = text;
      if (rootId === sessionId) summary = bearings.underSummary(text) ?? text;
      else
        for (const each of [rules, skills])
          summary = (await each.underSummary(sessionId, summary)) ?? summary;
      if (summary !== text) replace(summary);
    },
  });
}

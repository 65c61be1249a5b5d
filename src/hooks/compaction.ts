import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { HostEvent } from "../host/port.ts";
import type { Runtime } from "../runtime.ts";

const STANDING = /<gaia-resume>[^<]*<\/gaia-resume>\n*/g;

/** The hooks of a compaction, and what they must see to notice one that failed. */
export interface Compaction {
  readonly hooks: readonly HookDefinition[];
  observe(event: HostEvent): void;
}

/**
 * Keeps GAIA's bearings through a compaction. The summary is a model's, and may leave the open tasks out: so it is told of
 * them, and they are also written under what it says, where the next request is sure to find them.
 */
export function createCompaction({ engine, sessions, memory }: Runtime): Compaction {
  const waiting = new Map<string, string>();
  const compacting = defineHook({
    id: "compaction",
    event: "compaction",
    why: "the only hook at this event",
    onFailure: "open",
    async run({ sessionId, add }) {
      if (await engine.endAnswered(sessionId)) return;
      const session = await sessions.find(sessionId);
      if (session?.specialist !== null) return;
      const resume = await memory.resume();
      if (resume === "") return;
      add(resume);
      waiting.set(sessionId, resume);
    },
  });
  const summary = defineHook({
    id: "compaction-summary",
    event: "answer-text",
    why: "the only hook at this event",
    onFailure: "open",
    run({ sessionId, text, replace }) {
      const resume = waiting.get(sessionId);
      if (resume === undefined) return;
      waiting.delete(sessionId);
      // A summary of a summary may repeat how things stood at the last compaction.
      replace(`${text.replaceAll(STANDING, "").trimEnd()}\n\n${resume}`);
    },
  });
  return {
    hooks: [compacting, summary],
    observe(event) {
      // No summary came: the next text of this session is an ordinary answer.
      const isOver =
        event.type === "session.error" || (event.type === "session.status" && event.status === "idle");
      if (isOver) waiting.delete(event.sessionId);
    },
  };
}

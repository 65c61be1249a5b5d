import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Keeps GAIA's bearings, and the rules and skills that a specialist was given, through a compaction; ends an answered child instead. */
export function createCompactionHook({ engine, experimental, conversations }: Runtime): HookDefinition {
  return defineHook({
    id: "compaction",
    event: "compaction",
    why: "the only hook at this event",
    onFailure: "open",
    async run({ sessionId, add }) {
      experimental.called("compaction");
      if (await engine.endAnswered(sessionId)) return;
      const found = await conversations.of(sessionId);
      if (found === null) return;
      if (found.session.specialist !== null) {
        const { rules, skills } = found.conversation.parts;
        rules.compacting(sessionId);
        skills.compacting(sessionId);
        return;
      }
      const resume = await found.conversation.parts.bearings.forCompaction();
      if (resume !== "") add(resume);
    },
  });
}

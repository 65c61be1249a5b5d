import { GAIA } from "../agents/gaia.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { HostEvent } from "../host/port.ts";
import type { Runtime } from "../runtime.ts";
import type { ExperimentalHooks } from "./experimental.ts";

const STANDING = /<gaia-resume>[^<]*<\/gaia-resume>\n*/g;

/** The hooks of a compaction, and what they must see to notice one that failed. */
export interface Compaction {
  /** Tells the model that sums up. */
  readonly prompt: HookDefinition;
  /** Stands under what it says. */
  readonly summary: HookDefinition;
  /** Whether a message to GAIA has to tell her bearings, because no summary does; each compaction once. */
  owesResume(sessionId: string): boolean;
  observe(event: HostEvent): void;
}

/**
 * Keeps GAIA's bearings through a compaction. The summary is a model's, and may leave the open tasks out: so it is told of
 * them, and they are also written under what it says, where the next request is sure to find them. Where the host calls
 * no hook for that, the user's next message carries them.
 */
export function createCompaction(
  { engine, sessions, memory }: Runtime,
  experimental: ExperimentalHooks,
): Compaction {
  const waiting = new Map<string, string>();
  const owing = new Set<string>();
  const prompt = defineHook({
    id: "compaction",
    event: "compaction",
    why: "the only hook at this event",
    onFailure: "open",
    async run({ sessionId, add }) {
      experimental.called("compaction");
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
      experimental.called("compactionSummary");
      const resume = waiting.get(sessionId);
      if (resume === undefined) return;
      waiting.delete(sessionId);
      // A summary of a summary may repeat how things stood at the last compaction.
      replace(`${text.replaceAll(STANDING, "").trimEnd()}\n\n${resume}`);
    },
  });
  const compacted = (sessionId: string): void => {
    if (sessions.speaker(sessionId)?.agent !== GAIA) return;
    experimental.due("compaction");
    if (waiting.delete(sessionId)) experimental.due("compactionSummary");
    else if (!experimental.isMissing("compaction")) return;
    owing.add(sessionId);
  };
  return {
    prompt,
    summary,
    owesResume: (sessionId) => owing.delete(sessionId),
    observe(event) {
      if (event.type === "session.compacted") compacted(event.sessionId);
      if (event.type === "session.deleted") owing.delete(event.sessionId);
      // No summary came: the next text of this session is an ordinary answer.
      const isOver =
        event.type === "session.error" || (event.type === "session.status" && event.status === "idle");
      if (isOver) waiting.delete(event.sessionId);
    },
  };
}

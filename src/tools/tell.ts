import { defineFileTool, type FileTool } from "../host/tool.ts";
import { refuse } from "../lib/refusal.ts";
import type { Runtime } from "../runtime.ts";
import { TELL } from "./announced.ts";

/** `tell_gaia` (SPEC 5): what a specialist tells another one of its wave. It touches no file. */
export function createTellTool({ conversations }: Runtime): FileTool {
  return defineFileTool({
    ...TELL,
    async prepare(said, { sessionId }) {
      const words = { ...said, sessionId };
      const messages = (await conversations.of(sessionId))?.conversation.parts.messages;
      if (messages === undefined) return refuse("Nobody works beside you.");
      return (
        messages.whyNot(words) ?? {
          effect: { kind: "read", paths: [], patterns: [], addresses: [] },
          async run() {
            const sent = messages.send(words);
            if (typeof sent !== "string") throw new Error(`${sent.reason} ${sent.hint}`.trim());
            return { title: said.to, text: sent, files: [] };
          },
        }
      );
    },
  });
}

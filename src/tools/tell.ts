import * as z from "zod/mini";
import { defineFileTool, type FileTool } from "../host/tool.ts";
import { refuse } from "../lib/refusal.ts";
import type { Runtime } from "../runtime.ts";

/** `tell_gaia` (SPEC 5): what a specialist tells another one of its wave. It touches no file. */
export function createTellTool({ conversations }: Runtime): FileTool {
  return defineFileTool({
    name: "tell_gaia",
    description:
      "Tell a specialist who works beside you now what it needs for its task. An unknown name is answered with who is there.",
    args: { to: z.string(), text: z.string() },
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

import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import { describeRefusal } from "./describe-refusal.ts";

/** Tells the user of calls of the plugin's own tools that did nothing. */
export interface RefusedCalls extends Part {
  /** @param result as the tool gave it */
  ended(tool: string, args: unknown, result: object): void;
}

/** @param redact what is shown goes through it: a reason may quote an argument */
export function createRefusedCalls(
  conversation: Pick<ConversationCore, "show">,
  { redact }: { redact(text: string): string },
): RefusedCalls {
  let last = "";
  return {
    ended(tool, args, result) {
      const refused = describeRefusal(tool, args, result);
      // Told once, however often a model asks again.
      if (refused === null || refused.line === last) return;
      last = refused.line;
      conversation.show({ kind: "refused", ...refused, line: redact(refused.line) });
    },
    userSpoke() {
      last = "";
    },
  };
}

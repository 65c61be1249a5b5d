import { recordOf } from "../../lib/json.ts";
import { isRefusal } from "../../lib/refusal.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import { describeRefusal, isWork } from "./describe-refusal.ts";

/** Tells the user of calls of the plugin's own tools that did nothing. */
export interface RefusedCalls extends Part {
  /** @param result as the tool gave it */
  ended(tool: string, args: unknown, result: object): void;
  /** What was refused first since work last went on, in this turn: the others may follow from it. null where it went on. */
  readonly standing: string | null;
}

/** @param redact what is shown goes through it: a reason may quote an argument */
export function createRefusedCalls(
  conversation: Pick<ConversationCore, "show">,
  { redact }: { redact(text: string): string },
): RefusedCalls {
  let last = "";
  let standing: string | null = null;
  return {
    get standing() {
      return standing;
    },
    ended(tool, args, result) {
      const refused = describeRefusal(tool, args, result);
      if (refused?.isWork === true) standing ??= redact(refused.line.replace("✗ ", ""));
      const isRefused = isRefusal(result) || recordOf(result)["ok"] === false;
      if (!isRefused && isWork(tool, recordOf(args))) standing = null;
      // Told once, however often a model asks again.
      if (refused === null || refused.line === last) return;
      last = refused.line;
      const { line, isLoud } = refused;
      conversation.show({ kind: "refused", line: redact(line), isLoud });
    },
    userSpoke() {
      last = "";
      standing = null;
    },
  };
}

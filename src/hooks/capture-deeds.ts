import { shownPath } from "../conversation/tool-calls/tool-fact.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import { describeError } from "../lib/error.ts";
import type { Runtime } from "../runtime.ts";

/** Shows commands and edits of GAIA's sessions to the capture; no tool call waits for it. */
export function createCaptureDeedsHook({ conversations, host }: Runtime): HookDefinition {
  return defineHook({
    id: "capture-deeds",
    event: "after-tool",
    why: "only watches: after whatever changes a result",
    onFailure: "open",
    run({ sessionId, effect, outcome }) {
      if (effect.kind !== "edit" && effect.kind !== "command") return;
      const note = async (): Promise<void> => {
        const found = await conversations.of(sessionId);
        if (found === null) return;
        const { learnings, worktrees } = found.conversation.parts;
        const workplace = worktrees.of(sessionId);
        const place = workplace?.place ?? host;
        learnings.called(effect, outcome, (path) => shownPath(path, place), workplace?.to);
      };
      note().catch((error: unknown) => {
        host.logger.log("debug", "capture-deeds", describeError(error));
      });
    },
  });
}

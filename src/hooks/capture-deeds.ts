import { relative, resolve } from "node:path";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import { describeError } from "../lib/error.ts";
import type { Runtime } from "../runtime.ts";

/** Shows commands and edits of GAIA's sessions to the capture; no tool call waits for it. */
export function createCaptureDeedsHook({ conversations, host }: Runtime): HookDefinition {
  const inProject = (path: string): string => relative(host.project, resolve(host.directory, path));
  return defineHook({
    id: "capture-deeds",
    event: "after-tool",
    why: "only watches: after whatever changes a result",
    onFailure: "open",
    run({ sessionId, effect, outcome }) {
      if (effect.kind !== "edit" && effect.kind !== "command") return;
      const note = async (): Promise<void> => {
        const found = await conversations.of(sessionId);
        found?.conversation.parts.learnings.called(effect, outcome, inProject);
      };
      note().catch((error: unknown) => {
        host.logger.log("debug", "capture-deeds", describeError(error));
      });
    },
  });
}

import { lstat } from "node:fs/promises";
import { resolve } from "node:path";
import { defineHook, Denial, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";
import { editsByAnchors } from "../extras/anchored-edits/open.ts";

/** Has specialists who edit by anchors change files with `edit_gaia` alone; the host's own tools make new ones for them. */
export function createHoldNativeEditsHook(runtime: Runtime): HookDefinition {
  const { conversations, host, prepared } = runtime;
  return defineHook({
    id: "hold-native-edits",
    event: "before-tool",
    why: "a gate: after prepare-calls, which knows the plugin's own edits",
    onFailure: "closed",
    async run({ sessionId, callId, tool, effect }) {
      if (effect.kind !== "edit" || prepared.has(callId)) return;
      const found = await conversations.of(sessionId);
      if (found === null || !editsByAnchors(runtime, found.session)) return;
      const { directory } = found.conversation.parts.worktrees.of(sessionId)?.place ?? host;
      for (const { path, movedFrom } of effect.edits) {
        const isThere = movedFrom !== undefined || (await exists(resolve(directory, path)));
        if (isThere)
          throw new Denial(
            `Refused ${tool}: it makes new files only, and ${path} is there. Read it and change it with edit_gaia, by the anchors of its lines; remove or move files with commands.`,
          );
      }
    },
  });
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
